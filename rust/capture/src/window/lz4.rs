//! lz4 frames, one after another.

use std::io::{self, Read};

use lz4_flex::frame::FrameDecoder;

use super::Window;
use super::compression::{Compression, Unpack, skippable};

/// All frames of a file as one stream. The decoder of the crate says "end" at the end of a frame and also where the
/// file ends between two blocks of one; so its input remembers whether it was asked for more than it had.
pub(super) struct Lz4 {
    decoder: FrameDecoder<Input>,
    inside: bool,
}

struct Input {
    packed: Window,
    exhausted: bool,
}

impl Read for Input {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.packed.read(into)?;
        self.exhausted |= count == 0 && !into.is_empty();
        Ok(count)
    }
}

impl Lz4 {
    pub(super) fn new(packed: Window) -> Self {
        Self { decoder: FrameDecoder::new(Input { packed, exhausted: false }), inside: false }
    }

    /// Whether another frame begins; passes over what lies before it and holds no data.
    fn begins(&mut self) -> io::Result<bool> {
        let packed = &mut self.decoder.get_mut().packed;
        loop {
            let start = packed.peek(8);
            if let Some(len) = skippable(start) {
                if packed.skip(len) < len {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
                continue;
            }
            let magic = Compression::Lz4.magic();
            return match (start.len(), start.starts_with(magic)) {
                (0, _) => packed.failure().map_or(Ok(false), |failure| Err(io::Error::other(failure.to_owned()))),
                (_, true) => Ok(true),
                (len, _) if magic.starts_with(start) => {
                    packed.skip(len as u64);
                    Err(io::ErrorKind::UnexpectedEof.into())
                }
                _ if start[0] == 0 => {
                    packed.skip(1);
                    continue;
                }
                _ => Err(io::Error::new(io::ErrorKind::InvalidData, "something else follows its end")),
            };
        }
    }
}

impl Read for Lz4 {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            if !self.inside && !self.begins()? {
                return Ok(0);
            }
            self.inside = true;
            let count = self.decoder.read(into)?;
            if count > 0 {
                return Ok(count);
            }
            if self.decoder.get_ref().exhausted {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            self.inside = false;
        }
    }
}

impl Unpack for Lz4 {
    fn packed(&self) -> &Window {
        &self.decoder.get_ref().packed
    }
}
