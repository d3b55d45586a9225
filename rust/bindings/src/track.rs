//! The one pass over a capture that follows its queue pairs and pauses.

use std::collections::HashMap;
use std::path::PathBuf;

use pyo3::prelude::*;

use crate::error::{capture_error, defect};
use crate::frame::Frame;
use crate::progress::Progress;

/// The tracked tables of a capture, by name. `progress(bytes, size)` is called now and then; false stops.
#[pyfunction]
#[pyo3(signature = (path, source, progress=None))]
pub fn track(
    py: Python<'_>,
    path: PathBuf,
    source: &str,
    progress: Option<Py<PyAny>>,
) -> PyResult<HashMap<&'static str, Frame>> {
    let mut progress = Progress::new(progress);
    let tracked = py.detach(|| capture::track::track(&path, source, &mut |bytes, size| progress.report(bytes, size)));
    if let Some(raised) = progress.raised() {
        return Err(raised);
    }
    let tracked = tracked.map_err(|error| capture_error(py, &path, &error))?;
    let batches = py.detach(|| tracked.batches()).map_err(defect)?;
    Ok(batches.into_iter().map(|(name, batch)| (name, Frame::new(batch))).collect())
}
