//! What can stop a whole file from being read. A packet that cannot be understood is a row, not an error
//! ([`crate::packet::Stopped`]); a file that ends early is a [`Problem`] beside the rows that could be read.

use std::path::{Path, PathBuf};

/// Why a file gave no table at all. Names the file, the place and the next step.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CaptureError {
    /// The operating system would not open or read the file.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The first bytes belong to no capture format that is known.
    #[error("{}: byte 0: {found}, not a packet capture; {next}", path.display())]
    NotACapture {
        /// The file.
        path: PathBuf,
        /// What was found instead, in words.
        found: String,
        /// What to do about it.
        next: &'static str,
    },
    /// A capture of a kind that is recognised and cannot be read.
    #[error("{}: byte {offset}: {what}; {next}", path.display())]
    Unsupported {
        /// The file.
        path: PathBuf,
        /// Where, in bytes from the start of the (uncompressed) capture.
        offset: u64,
        /// What stands there.
        what: String,
        /// What to do about it.
        next: &'static str,
    },
    /// The caller asked to stop.
    #[error("cancelled")]
    Cancelled,
}

impl CaptureError {
    /// The file that it is about.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Io { path, .. } | Self::NotACapture { path, .. } | Self::Unsupported { path, .. } => Some(path),
            Self::Cancelled => None,
        }
    }

    /// The same as a problem of one file among others, without its path.
    #[must_use]
    pub fn as_problem(&self) -> Problem {
        let (offset, what, next) = match self {
            Self::Io { source, .. } => (0, source.to_string(), "check the path and its permissions"),
            Self::NotACapture { found, next, .. } => (0, format!("{found}, not a packet capture"), *next),
            Self::Unsupported { offset, what, next, .. } => (*offset, what.clone(), *next),
            Self::Cancelled => (0, self.to_string(), ""),
        };
        Problem { offset, frame: 0, what, next: next.to_owned() }
    }
}

/// Damage in a file whose other packets could be read. Becomes a row of the `problems` table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Where, in bytes from the start of the (uncompressed) capture.
    pub offset: u64,
    /// The last frame before it; 0 when there is none.
    pub frame: u64,
    /// What is wrong, with the numbers that show it.
    pub what: String,
    /// What was done, or what the reader can do.
    pub next: String,
}
