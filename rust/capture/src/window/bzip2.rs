//! bzip2.

use std::io;

use bzip2::{Decompress, Status};

use super::compression::Compression;
use super::members::{Codec, Step};

pub(super) struct Bzip2(Decompress);

impl Codec for Bzip2 {
    const COMPRESSION: Compression = Compression::Bzip2;

    fn new() -> io::Result<Self> {
        Ok(Self(Decompress::new(false)))
    }

    fn step(&mut self, input: &[u8], output: &mut [u8]) -> Step {
        let (before_in, before_out) = (self.0.total_in(), self.0.total_out());
        let ended = self.0.decompress(input, output);
        Step {
            consumed: (self.0.total_in() - before_in) as usize,
            produced: (self.0.total_out() - before_out) as usize,
            ended: match ended {
                Ok(status) => Ok(status == Status::StreamEnd),
                Err(error) => Err(io::Error::new(io::ErrorKind::InvalidData, error)),
            },
        }
    }
}
