//! A file without the compressions around it, read from its start to its end.

use std::io::{Cursor, Read};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use capture::container;
use capture::window::Window;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;

/// What is unpacked: a file, or bytes that came out of another one.
#[derive(FromPyObject)]
enum Packed {
    Bytes(Vec<u8>),
    Path(PathBuf),
}

/// A stream of unpacked bytes. `layers` are the compressions, the inner first.
#[pyclass(frozen, module = "badhop._core")]
pub struct Unpacked {
    window: Mutex<Window>,
    #[pyo3(get)]
    layers: Vec<&'static str>,
}

#[pymethods]
impl Unpacked {
    #[new]
    fn new(py: Python<'_>, packed: Packed) -> PyResult<Self> {
        let (window, layers) = py.detach(|| {
            let window = match packed {
                Packed::Bytes(bytes) => Window::stream(Cursor::new(bytes)),
                Packed::Path(path) => Window::open(&path)?,
            };
            Ok::<_, std::io::Error>(container::unpacked(window))
        })?;
        Ok(Self { window: Mutex::new(window), layers })
    }

    /// The next bytes, at most `count`; none at the end. Where the stream is damaged or a bomb, first what came before,
    /// and then `OSError`.
    fn read(&self, py: Python<'_>, count: usize) -> PyResult<Vec<u8>> {
        py.detach(|| {
            let mut window = self.window.lock().unwrap_or_else(PoisonError::into_inner);
            let mut read = Vec::new();
            match (&mut *window).take(count as u64).read_to_end(&mut read) {
                Err(error) if read.is_empty() => Err(error),
                _ => Ok(read), // the window ends for good where it broke, so the next call tells
            }
        })
        .map_err(|error: std::io::Error| PyOSError::new_err(error.to_string()))
    }
}

/// Whether these first bytes, unpacked, are those of a capture.
#[pyfunction]
pub fn begins_a_capture(start: &[u8]) -> bool {
    container::begins_a_capture(start)
}
