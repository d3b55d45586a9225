//! zstd, block by block.

use std::io;

use zstd::stream::raw::{DParameter, Decoder, InBuffer, Operation, OutBuffer};

use super::MOST_MEMORY;
use super::compression::Compression;
use super::members::{Codec, Step};

/// Bytes with which a frame makes itself known: magic number and frame header descriptor.
const START: usize = 5;

pub(super) struct Zstd {
    decoder: Decoder<'static>,
    /// Input that takes it to the end of one block. It never gets more: when a step fails, zstd does not tell how much
    /// it had put out before, so a step must not hold a good block and a bad one.
    wants: usize,
    /// Output was full, so there may be more of the same block.
    unflushed: bool,
}

impl Codec for Zstd {
    const COMPRESSION: Compression = Compression::Zstd;

    fn new() -> io::Result<Self> {
        let mut decoder = Decoder::new()?;
        decoder.set_parameter(DParameter::WindowLogMax(MOST_MEMORY.ilog2()))?;
        Ok(Self { decoder, wants: START, unflushed: false })
    }

    /// The decoder goes on with the next frame by itself, and keeps its memory.
    fn restart(&mut self) -> io::Result<()> {
        (self.wants, self.unflushed) = (START, false);
        Ok(())
    }

    fn step(&mut self, input: &[u8], output: &mut [u8]) -> Step {
        let take = if self.unflushed { 0 } else { self.wants.clamp(1, input.len().max(1)).min(input.len()) };
        let (room, mut input) = (output.len(), InBuffer::around(&input[..take]));
        let mut output = OutBuffer::around(output);
        let ended = match self.decoder.run(&mut input, &mut output) {
            Ok(wants) => {
                self.wants = wants;
                Ok(wants == 0)
            }
            Err(error) => Err(in_our_words(error)),
        };
        self.unflushed = output.pos() == room;
        Step { consumed: input.pos(), produced: output.pos(), ended }
    }
}

/// zstd has a code for a window that is too large, of which the crate passes on the text alone.
fn in_our_words(error: io::Error) -> io::Error {
    if error.to_string().contains("too much memory") { io::ErrorKind::OutOfMemory.into() } else { error }
}
