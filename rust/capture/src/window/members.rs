//! Members of a compressed file, one after another, through a decompressor that works step by step. Everything that
//! came out before the damage is handed on before the damage is told.

use std::io::{self, BufRead, Read};

use super::Window;
use super::compression::{Compression, Unpack, skippable};

/// A decompressor of one member.
pub(super) trait Codec: Sized + Send {
    const COMPRESSION: Compression;

    /// At the beginning of a member.
    fn new() -> io::Result<Self>;

    /// The same for the next member.
    fn restart(&mut self) -> io::Result<()> {
        *self = Self::new()?;
        Ok(())
    }

    /// Goes on with the next bytes of the member; none of them at the end of the file.
    fn step(&mut self, input: &[u8], output: &mut [u8]) -> Step;
}

/// What one step did.
pub(super) struct Step {
    pub(super) consumed: usize,
    pub(super) produced: usize,
    /// Whether the member ends here, or what is wrong behind the bytes produced.
    pub(super) ended: io::Result<bool>,
}

/// Steps in a row that may do nothing before the stream is given up: a decompressor may need one to notice that its
/// output was flushed.
const IDLE: u32 = 4;

/// All members of a file as one stream.
pub(super) struct Members<C> {
    packed: Window,
    codec: Option<C>,
    /// Between two members, or at the end.
    between: bool,
    failure: Option<io::Error>,
}

impl<C: Codec> Members<C> {
    pub(super) fn new(packed: Window) -> Self {
        Self { packed, codec: None, between: true, failure: None }
    }

    /// Makes the decompressor ready for the next member; `false` where none follows. Zero bytes before it are padding.
    fn begins(&mut self) -> io::Result<bool> {
        loop {
            let input = self.packed.fill_buf()?;
            if input.is_empty() {
                return Ok(false);
            }
            let zeros = input.iter().take_while(|&&byte| byte == 0).count();
            if zeros == 0 {
                break;
            }
            self.packed.consume(zeros);
        }
        let (start, magic) = (self.packed.peek(8), C::COMPRESSION.magic());
        if !start.starts_with(magic) && !magic.starts_with(start) && skippable(start).is_none() {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "something else follows its end"));
        }
        match &mut self.codec {
            Some(codec) => codec.restart()?,
            None => self.codec = Some(C::new()?),
        }
        Ok(true)
    }
}

impl<C: Codec> Read for Members<C> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        let mut idle = 0;
        loop {
            if self.between && !self.begins()? {
                return Ok(0);
            }
            let Some(codec) = &mut self.codec else { return Ok(0) };
            let input = self.packed.fill_buf()?;
            let at_end = input.is_empty();
            let step = codec.step(input, into);
            self.packed.consume(step.consumed);
            self.between = matches!(step.ended, Ok(true));
            if step.produced > 0 {
                self.failure = step.ended.err();
                return Ok(step.produced);
            }
            if step.ended? {
                continue;
            }
            if at_end {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            idle = if step.consumed == 0 { idle + 1 } else { 0 };
            if idle == IDLE {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "its decompressor does not go on"));
            }
        }
    }
}

impl<C: Codec> Unpack for Members<C> {
    fn packed(&self) -> &Window {
        &self.packed
    }
}
