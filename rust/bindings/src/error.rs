//! Errors of the crate `capture` as Python exceptions: one conversion, and no text to be matched on.

use capture::scan::ScanError;
use pyo3::exceptions::{PyException, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

pyo3::create_exception!(
    badhop._core,
    CaptureError,
    PyValueError,
    "A file that cannot be read as a capture. Attributes: path, kind, offset (int or None), what, next."
);
pyo3::create_exception!(badhop._core, Cancelled, PyException, "The progress callback asked to stop.");

/// The exception for an error of the reader.
pub fn capture_error(py: Python<'_>, error: &capture::CaptureError) -> PyErr {
    use capture::CaptureError as E;
    let (kind, offset, what, next) = match error {
        E::Cancelled => return Cancelled::new_err(error.to_string()),
        E::Io { source, .. } => ("io", None, source.to_string(), "check the path and its permissions"),
        E::NotACapture { found, next, .. } => {
            ("not-a-capture", Some(0), format!("{found}, not a packet capture"), *next)
        }
        E::Unsupported { offset, what, next, .. } => ("unsupported", Some(*offset), what.clone(), *next),
        other => ("unsupported", None, other.to_string(), ""), // an error that is younger than this list
    };
    let exception = CaptureError::new_err(error.to_string());
    let value = exception.value(py);
    let filled = value
        .setattr("path", error.path())
        .and_then(|()| value.setattr("kind", kind))
        .and_then(|()| value.setattr("offset", offset))
        .and_then(|()| value.setattr("what", what))
        .and_then(|()| value.setattr("next", next));
    filled.map_or_else(|failed| failed, |()| exception)
}

/// The exception for a scan that could not start.
pub fn scan_error(py: Python<'_>, error: &ScanError) -> PyErr {
    match error {
        ScanError::Capture(error) => capture_error(py, error),
        ScanError::UnknownColumn(_) | ScanError::UnknownTable(_) => PyValueError::new_err(error.to_string()),
    }
}

/// The exception for a defect of ours.
pub fn defect(error: impl std::error::Error) -> PyErr {
    PyRuntimeError::new_err(error.to_string())
}
