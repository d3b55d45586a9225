//! The decompressor for each compression.

use flate2::bufread::MultiGzDecoder;

use super::Window;
use super::bzip2::Bzip2;
use super::compression::{Compression, Unpack};
use super::lz4::Lz4;
use super::members::Members;
use super::xz::Xz;
use super::zstd::Zstd;

/// What unpacks `packed`, which begins with this compression.
pub(super) fn decompressor(compression: Compression, packed: Window) -> Box<dyn Unpack> {
    match compression {
        Compression::Gzip => Box::new(MultiGzDecoder::new(packed)),
        Compression::Zstd => Box::new(Members::<Zstd>::new(packed)),
        Compression::Lz4 => Box::new(Lz4::new(packed)),
        Compression::Xz => Box::new(Members::<Xz>::new(packed)),
        Compression::Bzip2 => Box::new(Members::<Bzip2>::new(packed)),
    }
}
