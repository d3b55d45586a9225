//! Several captures of the same traffic, compared.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use pyo3::prelude::*;

use crate::error::{capture_error, defect};
use crate::frame::Frame;
use crate::progress::Progress;

/// The tables `segments`, `segment_losses` and `tap_clocks` of captures, each a path and the name that its rows carry.
/// `progress(name, bytes, size)` is called now and then; false stops.
#[pyfunction]
#[pyo3(signature = (captures, progress=None))]
pub fn compare_taps(
    py: Python<'_>,
    captures: Vec<(PathBuf, String)>,
    progress: Option<Py<PyAny>>,
) -> PyResult<HashMap<&'static str, Frame>> {
    let mut progress = Progress::new(progress);
    let mut report = |name: &str, bytes: u64, size: Option<u64>| progress.report((name, bytes, size));
    let given: Vec<(&Path, &str)> = captures.iter().map(|(path, name)| (path.as_path(), name.as_str())).collect();
    let compared = py.detach(|| capture::taps::compare(&given, &mut report));
    if let Some(raised) = progress.raised() {
        return Err(raised);
    }
    let compared = compared.map_err(|error| capture_error(py, &error))?;
    let batches = py.detach(|| compared.batches()).map_err(defect)?;
    Ok(batches.into_iter().map(|(name, batch)| (name, Frame::new(batch))).collect())
}
