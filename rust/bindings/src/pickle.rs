//! A pickle of plain data as Python objects, made here and not by the pickle.

use capture::pickle::Value;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString};

/// The data of a pickle, and the byte at which the file ended before it did.
#[pyfunction]
pub fn read_pickle<'py>(py: Python<'py>, content: &[u8]) -> PyResult<(Bound<'py, PyAny>, Option<usize>)> {
    let reading =
        py.detach(|| capture::pickle::read(content)).map_err(|refused| PyValueError::new_err(refused.to_string()))?;
    Ok((object(py, &reading.value)?, reading.cut))
}

/// The tree is at most [`capture::pickle::MAX_DEPTH`] deep.
fn object<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::None => py.None().into_bound(py),
        Value::Bool(value) => value.into_pyobject(py)?.to_owned().into_any(),
        Value::Int(value) => value.into_pyobject(py)?.into_any(),
        Value::Float(value) => value.into_pyobject(py)?.into_any(),
        Value::Text(value) => PyString::new(py, value).into_any(),
        Value::Bytes(value) => PyBytes::new(py, value).into_any(),
        Value::List(items) => {
            let list = PyList::empty(py);
            for item in items {
                list.append(object(py, item)?)?;
            }
            list.into_any()
        }
        Value::Dict(pairs) => {
            let dict = PyDict::new(py);
            for (key, value) in pairs {
                dict.set_item(object(py, key)?, object(py, value)?)?;
            }
            dict.into_any()
        }
    })
}
