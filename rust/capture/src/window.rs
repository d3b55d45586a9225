//! A file, a compressed stream or a pipe, seen through one window that only moves forward.
//!
//! A plain file is mapped and the window is a slice of the map. Anything else is read into a buffer that holds what was
//! asked for and little more: reading a capture of any size takes the memory of its largest record.

mod ahead;
mod bzip2;
mod compression;
mod follow;
mod lz4;
mod members;
#[cfg(test)]
pub(crate) mod pack;
#[cfg(test)]
mod tests;
mod unpack;
mod xz;
mod zstd;

use std::fs::{File, Metadata};
use std::io::{self, BufRead, Read};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::map::Map;

use ahead::Ahead;
pub use compression::Compression;
use compression::Unpack;
pub use follow::Follow;
use follow::Growing;

/// Bytes that a stream is read in.
const CHUNK: usize = 256 * 1024;
/// A file that was written to more recently than this may still be in the hands of a capture tool, which may cut it.
const SETTLED: Duration = Duration::from_secs(10);
/// Most memory that a stream may ask of its decompressor, in bytes: what `zstd` and `xz` take by themselves at their
/// highest levels (zstd refuses windows above 2^27 without `--long`, `xz -9` has a dictionary of 2^26).
const MOST_MEMORY: usize = 1 << 27;
/// Bytes that a stream may unpack to before its ratio is judged.
const FREE: u64 = 1 << 30;
/// Unpacked bytes for one compressed byte. Jumbo frames full of zeros reach about 1000, a zip bomb a million.
const MOST_RATIO: u64 = 10_000;

/// Whether nobody has written to a file for a while, so that it may be mapped: see the argument in `map.rs`.
pub(crate) fn is_settled(meta: &Metadata) -> bool {
    meta.modified().ok().and_then(|written| written.elapsed().ok()).is_some_and(|age| age > SETTLED)
}

/// The window. Everything that reads a capture file reads it through this.
pub struct Window {
    source: Source,
    offset: u64,
}

enum Source {
    Mapped(Arc<Map>),
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
        if meta.is_file()
            && meta.len() > 0
            && is_settled(&meta)
            && let Ok(map) = Map::of(&file)
        {
            return Ok(Self { source: Source::Mapped(Arc::new(map)), offset: 0 });
        }
        let size = meta.is_file().then_some(meta.len());
        Ok(Self { source: Source::Stream(Stream::new(Input::Plain(Box::new(file)), size)), offset: 0 })
    }

    /// A file that is still being written. Where it ends now, the window waits for more, as long as `follow` says.
    ///
    /// # Errors
    ///
    /// What the system says when the file cannot be opened.
    pub fn follow(path: &Path, follow: Follow) -> io::Result<Self> {
        Ok(Self::growing(File::open(path)?, follow))
    }

    pub(crate) fn growing(reader: impl Read + Send + 'static, follow: Follow) -> Self {
        let stream = Stream::new(Input::Plain(Box::new(Growing::new(reader, follow))), None);
        Self { source: Source::Stream(Stream { growing: true, ..stream }), offset: 0 }
    }

    /// Anything that can be read, of unknown size.
    pub fn stream(reader: impl Read + Send + 'static) -> Self {
        Self { source: Source::Stream(Stream::new(Input::Plain(Box::new(reader)), None)), offset: 0 }
    }

    /// A map that is already there.
    #[cfg(test)]
    pub(crate) fn over(map: Map) -> Self {
        Self { source: Source::Mapped(Arc::new(map)), offset: 0 }
    }

    /// The map behind a window on a plain file.
    pub(crate) fn map(&self) -> Option<&Arc<Map>> {
        match &self.source {
            Source::Mapped(map) => Some(map),
            Source::Stream(_) => None,
        }
    }

    /// Goes to a place, which only a map can.
    pub(crate) fn go_to(&mut self, place: usize) {
        if let Source::Mapped(map) = &self.source {
            self.offset = place.min(map.bytes().len()) as u64;
        }
    }

    /// Another window over the same map, at its start; `None` for a stream, which can be read only once.
    #[must_use]
    pub fn twin(&self) -> Option<Self> {
        self.map().map(|map| Self { source: Source::Mapped(Arc::clone(map)), offset: 0 })
    }

    /// The same bytes, taken as compressed (any number of members or frames) and unpacked. A stream that asks for absurd
    /// memory, or unpacks to far more than a capture can, ends there with a [`Window::failure`].
    #[must_use]
    pub fn unpack(self, compression: Compression) -> Self {
        let size = self.size();
        let input = Input::Packed(compression, unpack::decompressor(compression, self));
        Self { source: Source::Stream(Stream::new(input, size)), offset: 0 }
    }

    /// From here on a compressed stream is unpacked by a thread of its own, ahead of who reads it. One that still grows is
    /// not: who waits for the next packet is told at once.
    pub(crate) fn read_ahead(&mut self) {
        if !self.unfinished()
            && let Source::Stream(stream) = &mut self.source
            && matches!(stream.input, Input::Packed(..))
        {
            let input = std::mem::replace(&mut stream.input, Input::Plain(Box::new(io::empty())));
            stream.input = Input::Ahead(Ahead::of(input, stream.received));
        }
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
            Source::Stream(stream) => stream.input.consumed().unwrap_or(self.offset),
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

    /// Whether what is missing at its end was only not written yet: it was read while it was written, and neither reading
    /// nor unpacking broke.
    #[must_use]
    pub fn unfinished(&self) -> bool {
        let Source::Stream(stream) = &self.source else { return false };
        (stream.failure.is_none() || stream.cut)
            && match &stream.input {
                Input::Plain(_) => stream.growing,
                Input::Packed(_, unpack) => unpack.packed().unfinished(),
                Input::Ahead(_) => false,
            }
    }

    /// Why the stream ended before its time, once it did: a read error, a cut or broken compressed stream.
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
    Packed(Compression, Box<dyn Unpack>),
    Ahead(Ahead),
}

impl Input {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(reader) => reader.read(into),
            Self::Packed(_, unpack) => unpack.read(into),
            Self::Ahead(ahead) => ahead.read(into),
        }
    }

    /// Bytes of the compressed file that were used up; `None` where nothing is compressed.
    fn consumed(&self) -> Option<u64> {
        match self {
            Self::Plain(_) => None,
            Self::Packed(_, unpack) => Some(unpack.packed().consumed()),
            Self::Ahead(ahead) => Some(ahead.consumed),
        }
    }

    fn explain(&self, error: &io::Error) -> String {
        match self {
            Self::Plain(_) => format!("reading stopped: {error}"),
            Self::Ahead(_) => error.to_string(), // its thread has explained it
            Self::Packed(compression, unpack) => {
                if let Some(failure) = unpack.packed().failure() {
                    return failure.to_owned(); // what it reads from broke first
                }
                let (name, at) = (compression.name(), unpack.packed().consumed());
                match error.kind() {
                    io::ErrorKind::UnexpectedEof => format!("the {name} stream is cut after {at} compressed bytes"),
                    io::ErrorKind::OutOfMemory => {
                        let most = MOST_MEMORY >> 20;
                        format!("the {name} stream asks for more than {most} MiB of memory near compressed byte {at}")
                    }
                    _ => format!("the {name} stream is broken near compressed byte {at}: {error}"),
                }
            }
        }
    }

    /// What is wrong with a stream that has unpacked to so many bytes, if it must be a bomb.
    fn bomb(&self, unpacked: u64) -> Option<String> {
        let Self::Packed(compression, unpack) = self else { return None };
        let packed = unpack.packed().consumed();
        (unpacked > FREE && unpacked / MOST_RATIO > packed).then(|| {
            let name = compression.name();
            format!("unpacking stopped at compressed byte {packed}: {unpacked} bytes of so little {name} are a bomb")
        })
    }
}

struct Stream {
    input: Input,
    size: Option<u64>,
    growing: bool,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// Bytes that came out of `input` so far.
    received: u64,
    ended: bool,
    failure: Option<String>,
    /// The failure is that a compressed stream ends before its end.
    cut: bool,
}

impl Stream {
    fn new(input: Input, size: Option<u64>) -> Self {
        Self {
            input,
            size,
            growing: false,
            buffer: Vec::new(),
            start: 0,
            end: 0,
            received: 0,
            ended: false,
            failure: None,
            cut: false,
        }
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
                Ok(count) => {
                    self.end += count;
                    self.received += count as u64;
                    self.failure = self.input.bomb(self.received);
                    self.ended = self.failure.is_some();
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.failure = Some(self.input.explain(&error));
                    self.cut = error.kind() == io::ErrorKind::UnexpectedEof;
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
