//! xz.

use std::io;

use liblzma::stream::{Action, Error, Status, Stream};

use super::MOST_MEMORY;
use super::compression::Compression;
use super::members::{Codec, Step};

/// What the decoder needs beside its dictionary, generously: xz states 1 MiB for its smallest preset.
const BESIDE: usize = 1 << 20;

pub(super) struct Xz(Stream);

impl Codec for Xz {
    const COMPRESSION: Compression = Compression::Xz;

    fn new() -> io::Result<Self> {
        Ok(Self(Stream::new_stream_decoder((MOST_MEMORY + BESIDE) as u64, 0)?))
    }

    fn step(&mut self, input: &[u8], output: &mut [u8]) -> Step {
        let (before_in, before_out) = (self.0.total_in(), self.0.total_out());
        let action = if input.is_empty() { Action::Finish } else { Action::Run };
        let ended = match self.0.process(input, output, action) {
            Ok(status) => Ok(status == Status::StreamEnd),
            Err(Error::MemLimit) => Err(io::ErrorKind::OutOfMemory.into()),
            Err(error) => Err(error.into()),
        };
        Step {
            consumed: (self.0.total_in() - before_in) as usize,
            produced: (self.0.total_out() - before_out) as usize,
            ended,
        }
    }
}
