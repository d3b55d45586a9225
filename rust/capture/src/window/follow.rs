//! A file that is still being written: its end is waited for, not taken for the end.

use std::io::{self, Read};
use std::time::{Duration, Instant};

/// Time between two looks at the end of a file. Short beside the buffers of a capture tool (tcpdump writes 4 KiB at a time
/// without `-U`), long beside the look itself.
const PAUSE: Duration = Duration::from_millis(200);

/// How long a file is waited for.
pub struct Follow {
    go_on: Box<dyn FnMut(u64) -> bool + Send>,
    idle: Option<Duration>,
    pause: Duration,
}

impl Follow {
    /// `go_on` is asked at the end of the file, with the bytes read so far, about five times a second; false ends it.
    /// What was written before it said so is still read.
    pub fn new(go_on: impl FnMut(u64) -> bool + Send + 'static) -> Self {
        Self { go_on: Box::new(go_on), idle: None, pause: PAUSE }
    }

    /// Also ends when nothing was written for so long.
    #[must_use]
    pub fn idle(self, idle: Duration) -> Self {
        Self { idle: Some(idle), ..self }
    }

    /// Looks again at once.
    #[cfg(test)]
    pub(crate) fn at_once(self) -> Self {
        Self { pause: Duration::ZERO, ..self }
    }
}

/// The file.
pub(super) struct Growing<R> {
    file: R,
    follow: Follow,
    bytes: u64,
    grew: Instant,
    ending: bool,
}

impl<R> Growing<R> {
    pub(super) fn new(file: R, follow: Follow) -> Self {
        Self { file, follow, bytes: 0, grew: Instant::now(), ending: false }
    }
}

impl<R: Read> Read for Growing<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            let count = self.file.read(into)?;
            if count > 0 {
                self.bytes += count as u64;
                self.grew = Instant::now();
                return Ok(count);
            }
            if self.ending || into.is_empty() {
                return Ok(0);
            }
            let idle = self.follow.idle.is_some_and(|idle| self.grew.elapsed() >= idle);
            self.ending = idle || !(self.follow.go_on)(self.bytes);
            if !self.ending {
                std::thread::sleep(self.follow.pause);
            }
        }
    }
}
