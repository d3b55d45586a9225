//! The files of one rotation, read one after the other as one capture: what is still to come, and what those before add up to.

use std::path::{Path, PathBuf};

use crate::error::{CaptureError, Problem};
use crate::window::Follow;

use super::{Capture, Opened};

/// The files that are not open now.
pub(super) struct Chain {
    ahead: std::vec::IntoIter<PathBuf>,
    /// Bytes of the files ahead; `None` when one of them has no size.
    bytes_ahead: Option<u64>,
    /// How the last file is waited for, if it is.
    follow: Option<Follow>,
    pub(super) before: Before,
}

/// What the files before the open one add up to.
#[derive(Default)]
pub(super) struct Before {
    pub(super) bytes: u64,
    pub(super) drops: Option<u64>,
    pub(super) finest: Option<i64>,
    longest_snap: u32,
    /// One of them sets no limit to the length of packets.
    no_limit: bool,
}

impl Chain {
    /// There is no file ahead.
    pub(super) fn is_at_its_end(&self) -> bool {
        self.ahead.as_slice().is_empty()
    }

    pub(super) fn of(ahead: Vec<PathBuf>, follow: Option<Follow>) -> Self {
        let size =
            |path: &PathBuf| std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file).map(|meta| meta.len());
        let bytes_ahead = ahead.iter().map(size).try_fold(0, |sum: u64, size| Some(sum.saturating_add(size?)));
        Self { ahead: ahead.into_iter(), bytes_ahead, follow, before: Before::default() }
    }

    /// Opens the next file; `None` when there is none.
    fn next(&mut self) -> Option<(PathBuf, Result<Opened, CaptureError>)> {
        let path = self.ahead.next()?;
        let opened = if self.ahead.as_slice().is_empty() {
            self.bytes_ahead = Some(0);
            Opened::at(&path, self.follow.take())
        } else {
            let size = std::fs::metadata(&path).map_or(0, |meta| meta.len());
            self.bytes_ahead = self.bytes_ahead.map(|bytes| bytes.saturating_sub(size));
            Opened::at(&path, None)
        };
        Some((path, opened))
    }

    /// Bytes of all files, given those of the open one.
    pub(super) fn size(&self, open: Option<u64>) -> Option<u64> {
        Some(self.before.bytes.saturating_add(open?).saturating_add(self.bytes_ahead?))
    }

    pub(super) fn snap_len(&self, open: Option<u32>) -> Option<u32> {
        open.filter(|_| !self.before.no_limit).map(|open| open.max(self.before.longest_snap))
    }
}

impl Capture {
    /// Opens the files of one rotation, in the order of time, as one capture: frames are numbered through, and a file that
    /// cannot be opened is a problem of the capture. Interfaces that are described alike are one.
    ///
    /// # Errors
    ///
    /// Those of [`Capture::open`] for the first file, when none can be opened.
    pub fn open_all<P: AsRef<Path>>(paths: &[P]) -> Result<Self, CaptureError> {
        Self::first_of(paths, None)
    }

    /// The same where the last file, or the only one, is still being written: the capture ends when `follow` says so. A
    /// packet that is then there in part is no problem.
    ///
    /// # Errors
    ///
    /// As [`Capture::open_all`].
    pub fn follow<P: AsRef<Path>>(paths: &[P], follow: Follow) -> Result<Self, CaptureError> {
        Self::first_of(paths, Some(follow))
    }

    fn first_of<P: AsRef<Path>>(paths: &[P], follow: Option<Follow>) -> Result<Self, CaptureError> {
        let mut failed: Vec<(PathBuf, CaptureError)> = Vec::new();
        let mut chain = Chain::of(paths.iter().map(|path| path.as_ref().to_owned()).collect(), follow);
        while let Some((path, opened)) = chain.next() {
            match opened {
                Ok(opened) => {
                    let mut capture = Self::of(opened, chain);
                    for (path, error) in &failed {
                        capture.failed(path, error);
                    }
                    if paths.len() > 1 {
                        capture.beside.problems.in_file(&path);
                    }
                    return Ok(capture);
                }
                Err(error) => failed.push((path, error)),
            }
        }
        let none = || {
            let source = std::io::Error::new(std::io::ErrorKind::InvalidInput, "no file was given");
            CaptureError::Io { path: PathBuf::new(), source }
        };
        Err(failed.into_iter().next().map_or_else(none, |(_, error)| error))
    }

    /// Goes on to the next file that can be opened.
    #[cold]
    pub(super) fn next_file(&mut self) -> bool {
        while let Some((path, opened)) = self.chain.next() {
            let opened = match opened {
                Ok(opened) => opened,
                Err(error) => {
                    self.failed(&path, &error);
                    continue;
                }
            };
            let before = Before {
                bytes: self.consumed(),
                drops: self.reported_drops(),
                finest: Some(self.resolution()),
                longest_snap: self.snap_len().unwrap_or(0).max(self.chain.before.longest_snap),
                no_limit: self.snap_len().is_none(),
            };
            self.chain.before = before;
            self.opened.count_into(&mut self.beside.interfaces);
            self.beside.interfaces.next_file();
            self.beside.problems.in_file(&path);
            self.opened = opened;
            if self.ahead {
                self.opened.window.read_ahead();
            }
            self.opened.describe_into(&mut self.beside.interfaces);
            self.pass = 0;
            return true;
        }
        false
    }

    fn failed(&mut self, path: &Path, error: &CaptureError) {
        self.beside.problems.in_file(path);
        let Problem { offset, what, next, .. } = error.as_problem();
        self.beside.problems.add(offset, what, format!("the other files were read; {next}"));
    }
}
