//! Which files a capture is: one, or those of a rotation.

use std::path::PathBuf;

use capture::CaptureError;
use capture::container::Capture;
use pyo3::prelude::*;

/// A path, or several in the order of time.
#[derive(FromPyObject)]
pub enum Paths {
    One(PathBuf),
    Several(Vec<PathBuf>),
}

impl Paths {
    pub fn all(&self) -> &[PathBuf] {
        match self {
            Self::One(path) => std::slice::from_ref(path),
            Self::Several(paths) => paths,
        }
    }

    pub fn open(&self) -> Result<Capture, CaptureError> {
        Capture::open_all(self.all())
    }
}
