//! One packet by its number, for a person who opens it.

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::error::capture_error;
use crate::paths::Paths;

/// A packet as captured.
#[pyclass(frozen, get_all, module = "badhop._core")]
pub struct Packet {
    frame: u64,
    ts: Option<i64>,
    link_type: u16,
    captured_len: usize,
    wire_len: u32,
    data: Py<PyBytes>,
}

/// Packet number `frame`, counted from 1. Walks the file, or those of a rotation, up to it.
#[pyfunction]
pub fn packet(py: Python<'_>, paths: Paths, frame: u64) -> PyResult<Packet> {
    let (found, last) = py.detach(|| find(&paths, frame)).map_err(|error| capture_error(py, &error))?;
    let Some(found) = found else {
        return Err(PyIndexError::new_err(format!("no frame {frame}: the capture has {last}")));
    };
    Ok(Packet {
        frame,
        ts: found.ts,
        link_type: found.link_type,
        captured_len: found.data.len(),
        wire_len: found.wire_len,
        data: PyBytes::new(py, &found.data).unbind(),
    })
}

struct Found {
    ts: Option<i64>,
    link_type: u16,
    wire_len: u32,
    data: Vec<u8>,
}

/// The packet, or how many there are.
fn find(paths: &Paths, frame: u64) -> Result<(Option<Found>, u64), capture::CaptureError> {
    let mut capture = paths.open()?;
    let mut last = 0;
    while let Some(record) = capture.next() {
        last = record.frame;
        if last == frame {
            let (ts, link_type, wire_len) = (record.ts, record.link_type, record.wire_len);
            return Ok((Some(Found { ts, link_type, wire_len, data: record.data.to_vec() }), last));
        }
    }
    Ok((None, last))
}
