//! A finished table on its way to polars, which reads the buffers in place.

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchIterator};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// Rows of one table, with the Arrow `PyCapsule` protocol: `polars.DataFrame(frame)`.
#[pyclass(frozen, module = "badhop._core")]
pub struct Frame(RecordBatch);

impl Frame {
    pub const fn new(batch: RecordBatch) -> Self {
        Self(batch)
    }
}

#[pymethods]
impl Frame {
    /// The rows as an Arrow stream. A wished-for schema is best effort by the protocol; there is one layout here.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        let rows = [Ok(self.0.clone())]; // counts references, copies no data
        let stream = FFI_ArrowArrayStream::new(Box::new(RecordBatchIterator::new(rows, self.0.schema())));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }
}
