//! The big tables, batch by batch.

use std::sync::{Mutex, PoisonError};

use capture::scan::Request;
use pyo3::prelude::*;

use crate::error::{defect, scan_error};
use crate::frame::Frame;
use crate::paths::Paths;

/// An iterator of frames.
#[pyclass(frozen, module = "badhop._core")]
pub struct Scan(Mutex<capture::scan::Scan>);

#[pymethods]
impl Scan {
    const fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Frame>> {
        let next = || self.0.lock().unwrap_or_else(PoisonError::into_inner).next_batch();
        Ok(py.detach(next).map_err(defect)?.map(Frame::new))
    }
}

/// Starts a scan of the files of one capture: `packets`, `roce` or `pauses`: the named columns or all, at most `limit` rows,
/// by so many threads.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // Python names them
#[pyo3(signature = (paths, table, source, columns, batch_rows, limit, threads=None))]
pub fn scan(
    py: Python<'_>,
    paths: Paths,
    table: &str,
    source: &str,
    columns: Option<Vec<String>>,
    batch_rows: usize,
    limit: Option<u64>,
    threads: Option<usize>,
) -> PyResult<Scan> {
    let columns: Option<Vec<&str>> = columns.as_ref().map(|names| names.iter().map(String::as_str).collect());
    let request = Request { table, source, columns: columns.as_deref(), batch_rows, limit, threads };
    let opened = py.detach(|| capture::scan::Scan::of(paths.open()?, &request));
    opened.map(|scan| Scan(Mutex::new(scan))).map_err(|error| scan_error(py, &error))
}
