//! What there is to read: the declared tables, and the kind of a file.

use std::path::PathBuf;

use capture::container::Capture;
use pyo3::prelude::*;

use crate::error::capture_error;

/// A declared table, as a `dict`.
#[derive(IntoPyObject)]
pub struct Declaration {
    name: &'static str,
    doc: &'static str,
    scanned: bool,
    columns: Vec<(&'static str, &'static str, &'static str, &'static str)>,
}

/// Every table, in the order in which they are shown. A column is (name, type, unit, sentence).
#[pyfunction]
pub fn tables() -> Vec<Declaration> {
    let declaration = |table: capture::tables::Declaration| Declaration {
        name: table.name,
        doc: table.doc,
        scanned: table.scanned,
        columns: table.columns.into_iter().map(|(name, kind, unit, doc)| (name, kind.name(), unit, doc)).collect(),
    };
    capture::tables::all().into_iter().map(declaration).collect()
}

/// The format of a capture, `pcap` or `pcapng`, with `+gzip`, `+zstd` and so on when it is compressed. Reads its first bytes only.
#[pyfunction]
pub fn container(py: Python<'_>, path: PathBuf) -> PyResult<String> {
    let capture = py.detach(|| Capture::open(&path)).map_err(|error| capture_error(py, &error))?;
    let format = capture.container();
    Ok(capture.compression().map_or_else(|| format.to_owned(), |compression| format!("{format}+{compression}")))
}
