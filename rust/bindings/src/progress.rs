//! How far a long walk has come, told to Python now and then; the same moments let Ctrl-C through.

use std::time::{Duration, Instant};

use pyo3::call::PyCallArgs;
use pyo3::prelude::*;

/// Time between two reports: a progress bar looks smooth at 20 steps a second, and taking the interpreter lock for each
/// costs nothing at that rate.
const PAUSE: Duration = Duration::from_millis(50);

/// Reports to an optional callback `(bytes, size or None) -> bool`.
pub struct Progress {
    callback: Option<Py<PyAny>>,
    last: Option<Instant>,
    raised: Option<PyErr>,
}

impl Progress {
    pub const fn new(callback: Option<Py<PyAny>>) -> Self {
        Self { callback, last: None, raised: None }
    }

    /// Whether to go on, as the callback answers to `(bytes, size)`, or to whatever stands for them. The first report is made
    /// at once, so that a short walk can be stopped too.
    pub fn report(&mut self, told: impl for<'py> PyCallArgs<'py>) -> bool {
        if self.last.is_some_and(|last| last.elapsed() < PAUSE) {
            return true;
        }
        let answer = Python::attach(|py| {
            py.check_signals()?;
            let Some(callback) = &self.callback else { return Ok(true) };
            callback.call1(py, told)?.is_truthy(py)
        });
        self.last = Some(Instant::now()); // after the callback: a slow one must not be called without end
        answer.unwrap_or_else(|raised| {
            self.raised = Some(raised);
            false
        })
    }

    /// What the callback raised, if that is why the walk stopped.
    pub fn raised(self) -> Option<PyErr> {
        self.raised
    }
}
