//! A capture that still grows: Python is asked whether to wait on.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use capture::window::Follow;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// What a callback raised while the file was waited for.
#[derive(Default, Clone)]
pub struct Raised(Arc<Mutex<Option<PyErr>>>);

impl Raised {
    pub fn take(&self) -> Option<PyErr> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn put(&self, error: PyErr) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }
}

/// Waits as long as `go_on(bytes)` is true, at most `idle` seconds without growth. Ctrl-C ends it too.
pub fn follow(go_on: Py<PyAny>, idle: Option<f64>, raised: &Raised) -> PyResult<Follow> {
    let raised = raised.clone();
    let follow = Follow::new(move |bytes| {
        let answer = Python::attach(|py| {
            py.check_signals()?;
            go_on.call1(py, (bytes,))?.is_truthy(py)
        });
        answer.unwrap_or_else(|error| {
            raised.put(error);
            false
        })
    });
    let Some(idle) = idle else { return Ok(follow) };
    let idle = Duration::try_from_secs_f64(idle).map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(follow.idle(idle))
}
