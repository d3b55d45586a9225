//! A pickle of plain data as Python objects, made here and not by the pickle.

use std::collections::HashMap;
use std::sync::Arc;

use capture::pickle::Value;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString};

/// The data of a pickle, and the byte at which the file ended before it did.
#[pyfunction]
pub fn read_pickle<'py>(py: Python<'py>, content: &[u8]) -> PyResult<(Bound<'py, PyAny>, Option<usize>)> {
    let reading =
        py.detach(|| capture::pickle::read(content)).map_err(|refused| PyValueError::new_err(refused.to_string()))?;
    let mut objects = Objects { py, texts: HashMap::new() };
    Ok((objects.of(reading.value)?, reading.cut))
}

/// Makes the objects; a text that the pickle uses again is one object.
struct Objects<'py> {
    py: Python<'py>,
    texts: HashMap<Arc<str>, Bound<'py, PyString>>,
}

impl<'py> Objects<'py> {
    /// The tree is at most [`capture::pickle::MAX_DEPTH`] deep, and given up while it is read.
    fn of(&mut self, value: Value) -> PyResult<Bound<'py, PyAny>> {
        let py = self.py;
        Ok(match value {
            Value::None => py.None().into_bound(py),
            Value::Bool(value) => value.into_pyobject(py)?.to_owned().into_any(),
            Value::Int(value) => value.into_pyobject(py)?.into_any(),
            Value::Float(value) => value.into_pyobject(py)?.into_any(),
            Value::Text(text) => {
                let made = self.texts.entry(text).or_insert_with_key(|text| PyString::new(py, text));
                made.clone().into_any()
            }
            Value::Bytes(bytes) => PyBytes::new(py, &bytes).into_any(),
            Value::List(items) => {
                let list = PyList::empty(py);
                for item in items {
                    list.append(self.of(item)?)?;
                }
                list.into_any()
            }
            Value::Dict(pairs) => {
                let dict = PyDict::new(py);
                for (key, value) in pairs {
                    dict.set_item(self.of(key)?, self.of(value)?)?;
                }
                dict.into_any()
            }
        })
    }
}
