//! A file, a gzip stream or a pipe, seen through one window that only moves forward.
//!
//! A plain file is mapped and the window is a slice of the map. Anything else is read into a buffer that holds what was
//! asked for and little more: reading a capture of any size takes the memory of its largest record.

#[cfg(test)]
mod tests;

use std::fs::File;
use std::io::{self, BufRead, Read};
use std::path::Path;
use std::time::Duration;

use flate2::bufread::MultiGzDecoder;

use crate::map::Map;

/// Bytes that a stream is read in.
const CHUNK: usize = 256 * 1024;
/// A file that was written to more recently than this may still be in the hands of a capture tool, which may cut it.
const SETTLED: Duration = Duration::from_secs(10);

/// The window. Everything that reads a capture file reads it through this.
pub struct Window {
    source: Source,
    offset: u64,
}

enum Source {
    Mapped(Map),
    Stream(Stream),
}

impl Window {
    /// A file, or whatever else has a path: a named pipe, `/dev/stdin`.
    ///
    /// # Errors
    ///
    /// What the system says when the file cannot be opened.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let meta = file.metadata()?;
        let settled = meta.modified().ok().and_then(|written| written.elapsed().ok()).is_some_and(|age| age > SETTLED);
        if meta.is_file()
            && meta.len() > 0
            && settled
            && let Ok(map) = Map::of(&file)
        {
            return Ok(Self { source: Source::Mapped(map), offset: 0 });
        }
        let size = meta.is_file().then_some(meta.len());
        Ok(Self { source: Source::Stream(Stream::new(Input::Plain(Box::new(file)), size)), offset: 0 })
    }

    /// Anything that can be read, of unknown size.
    pub fn stream(reader: impl Read + Send + 'static) -> Self {
        Self { source: Source::Stream(Stream::new(Input::Plain(Box::new(reader)), None)), offset: 0 }
    }

    /// The same bytes, taken as gzip (RFC 1952, any number of members) and uncompressed.
    #[must_use]
    pub fn gunzip(self) -> Self {
        let size = self.size();
        let input = Input::Gzip(Box::new(MultiGzDecoder::new(self)));
        Self { source: Source::Stream(Stream::new(input, size)), offset: 0 }
    }

    /// The next `want` bytes, without moving; fewer only where the stream ends.
    #[inline]
    pub fn peek(&mut self, want: usize) -> &[u8] {
        match &mut self.source {
            Source::Mapped(map) => {
                let rest = map.bytes().get(self.offset as usize..).unwrap_or_default();
                rest.get(..want).unwrap_or(rest)
            }
            Source::Stream(stream) => stream.peek(want),
        }
    }

    /// Moves forward by `count` bytes, or to the end of the stream. Returns how far it moved.
    #[inline]
    pub fn skip(&mut self, count: u64) -> u64 {
        let moved = match &mut self.source {
            Source::Mapped(map) => count.min((map.bytes().len() as u64).saturating_sub(self.offset)),
            Source::Stream(stream) => stream.skip(count),
        };
        self.offset += moved;
        moved
    }

    /// Where the window stands, in bytes of the (uncompressed) stream.
    #[inline]
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Bytes of the file that were used up, compressed if it is: progress, against [`Window::size`].
    #[must_use]
    pub fn consumed(&self) -> u64 {
        match &self.source {
            Source::Mapped(_) => self.offset,
            Source::Stream(stream) => match &stream.input {
                Input::Plain(_) => self.offset,
                Input::Gzip(gzip) => gzip.get_ref().consumed(),
            },
        }
    }

    /// Bytes of the file when it was opened; `None` for a pipe.
    #[must_use]
    pub fn size(&self) -> Option<u64> {
        match &self.source {
            Source::Mapped(map) => Some(map.bytes().len() as u64),
            Source::Stream(stream) => stream.size,
        }
    }

    /// Why the stream ended before its time, once it did: a read error, a cut or broken gzip stream.
    #[must_use]
    pub fn failure(&self) -> Option<&str> {
        match &self.source {
            Source::Mapped(_) => None,
            Source::Stream(stream) => stream.failure.as_deref(),
        }
    }
}

/// What a decompressor reads from.
impl BufRead for Window {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let empty = self.peek(1).is_empty();
        if let (true, Some(failure)) = (empty, self.failure()) {
            return Err(io::Error::other(failure.to_owned()));
        }
        let at_hand = match &self.source {
            Source::Mapped(_) => CHUNK,
            Source::Stream(stream) => stream.held().len(),
        };
        Ok(self.peek(at_hand))
    }

    fn consume(&mut self, count: usize) {
        self.skip(count as u64);
    }
}

impl Read for Window {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let from = self.fill_buf()?;
        let count = from.len().min(into.len());
        into[..count].copy_from_slice(&from[..count]);
        self.consume(count);
        Ok(count)
    }
}

enum Input {
    Plain(Box<dyn Read + Send>),
    Gzip(Box<MultiGzDecoder<Window>>),
}

impl Input {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(reader) => reader.read(into),
            Self::Gzip(gzip) => gzip.read(into),
        }
    }

    fn explain(&self, error: &io::Error) -> String {
        match self {
            Self::Plain(_) => format!("reading stopped: {error}"),
            Self::Gzip(gzip) => {
                let at = gzip.get_ref().consumed();
                match error.kind() {
                    io::ErrorKind::UnexpectedEof => format!("the gzip stream is cut after {at} compressed bytes"),
                    _ => format!("the gzip stream is broken near compressed byte {at}: {error}"),
                }
            }
        }
    }
}

struct Stream {
    input: Input,
    size: Option<u64>,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    ended: bool,
    failure: Option<String>,
}

impl Stream {
    fn new(input: Input, size: Option<u64>) -> Self {
        Self { input, size, buffer: Vec::new(), start: 0, end: 0, ended: false, failure: None }
    }

    fn held(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    #[inline]
    fn peek(&mut self, want: usize) -> &[u8] {
        if self.end - self.start < want {
            self.fill(want);
        }
        let held = self.held();
        held.get(..want).unwrap_or(held)
    }

    /// Reads on until `want` bytes are held or the stream ends. The buffer grows with what was really read, not with
    /// what a length field claims.
    #[cold]
    fn fill(&mut self, want: usize) {
        self.buffer.copy_within(self.start..self.end, 0);
        (self.start, self.end) = (0, self.end - self.start);
        while self.end < want && !self.ended {
            if self.end == self.buffer.len() {
                self.buffer.resize((self.end * 2).min(want).max(CHUNK), 0);
            }
            match self.input.read(&mut self.buffer[self.end..]) {
                Ok(0) => self.ended = true,
                Ok(count) => self.end += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.failure = Some(self.input.explain(&error));
                    self.ended = true;
                }
            }
        }
    }

    fn skip(&mut self, count: u64) -> u64 {
        let mut left = count;
        loop {
            let step = left.min((self.end - self.start) as u64);
            self.start += step as usize;
            left -= step;
            if left == 0 || self.peek(1).is_empty() {
                return count - left;
            }
        }
    }
}
