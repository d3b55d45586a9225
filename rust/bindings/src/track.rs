//! The one pass over a capture that follows its queue pairs and pauses.

use std::collections::HashMap;
use std::path::PathBuf;

use capture::track::Threads;
use pyo3::prelude::*;

use crate::error::{capture_error, defect};
use crate::frame::Frame;
use crate::progress::Progress;

/// The tracked tables of a capture, by name. `progress(bytes, size)` is called now and then; false stops.
/// Without `threads` there are as many as fit.
#[pyfunction]
#[pyo3(signature = (path, source, progress=None, threads=None))]
pub fn track(
    py: Python<'_>,
    path: PathBuf,
    source: &str,
    progress: Option<Py<PyAny>>,
    threads: Option<usize>,
) -> PyResult<HashMap<&'static str, Frame>> {
    let threads = match threads {
        None => Threads::AsFits,
        Some(0 | 1) => Threads::One,
        Some(_) => Threads::Two,
    };
    let mut progress = Progress::new(progress);
    let tracked =
        py.detach(|| capture::track::track(&path, source, threads, &mut |bytes, size| progress.report(bytes, size)));
    if let Some(raised) = progress.raised() {
        return Err(raised);
    }
    let tracked = tracked.map_err(|error| capture_error(py, &path, &error))?;
    let batches = py.detach(|| tracked.batches()).map_err(defect)?;
    Ok(batches.into_iter().map(|(name, batch)| (name, Frame::new(batch))).collect())
}
