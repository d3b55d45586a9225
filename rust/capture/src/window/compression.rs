//! The compressions that captures come in, known by their first bytes, and what all their decompressors have in common.

use std::io::Read;

use flate2::bufread::MultiGzDecoder;

use super::{MOST_MEMORY, Window};

/// A compression that is looked through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    /// RFC 1952.
    Gzip,
    /// RFC 8878.
    Zstd,
    /// The frame format of LZ4, version 1.6; not the older one of the Linux kernel.
    Lz4,
    /// The .xz format, version 1.2.
    Xz,
    /// What `bzip2` writes.
    Bzip2,
}

impl Compression {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Gzip, Self::Zstd, Self::Lz4, Self::Xz, Self::Bzip2];

    /// The compression of a stream that begins so.
    #[must_use]
    pub fn of(start: &[u8]) -> Option<Self> {
        if skippable(start).is_some() {
            return Some(Self::behind_skippable(start));
        }
        Self::ALL.into_iter().find(|compression| start.starts_with(compression.magic()))
    }

    /// Frames that a decompressor passes over are the same in zstd and lz4. `pzstd` begins a file with one. The frame
    /// behind it tells which it is, where it can be seen.
    fn behind_skippable(mut start: &[u8]) -> Self {
        while let Some(rest) = skippable(start).and_then(|len| start.get(len as usize..)) {
            start = rest;
        }
        if start.starts_with(Self::Lz4.magic()) { Self::Lz4 } else { Self::Zstd }
    }

    /// Its name, as the program that makes it is called.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
            Self::Lz4 => "lz4",
            Self::Xz => "xz",
            Self::Bzip2 => "bzip2",
        }
    }

    /// How each member or frame begins.
    pub(super) fn magic(self) -> &'static [u8] {
        match self {
            Self::Gzip => b"\x1f\x8b",
            Self::Zstd => b"\x28\xb5\x2f\xfd",
            Self::Lz4 => b"\x04\x22\x4d\x18",
            Self::Xz => b"\xfd7zXZ\0",
            Self::Bzip2 => b"BZh",
        }
    }
}

/// A decompressor, and the window that it reads from. An end before its time is [`std::io::ErrorKind::UnexpectedEof`],
/// a demand for more than [`MOST_MEMORY`] is [`std::io::ErrorKind::OutOfMemory`].
pub(super) trait Unpack: Read + Send {
    fn packed(&self) -> &Window;
}

impl Unpack for MultiGzDecoder<Window> {
    fn packed(&self) -> &Window {
        self.get_ref()
    }
}

/// Length of the frame at `start` that a decompressor of zstd or lz4 passes over (RFC 8878, 3.1.2), if it is one.
pub(super) fn skippable(start: &[u8]) -> Option<u64> {
    let (&[0x50..=0x5f, 0x2a, 0x4d, 0x18, a, b, c, d], _) = start.split_first_chunk()? else { return None };
    Some(8 + u64::from(u32::from_le_bytes([a, b, c, d])))
}

const _: () = assert!(MOST_MEMORY.is_power_of_two(), "zstd takes the limit of its window as a power of two");
