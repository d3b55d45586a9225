//! A finished table on its way to polars, which reads the buffers in place.

use std::sync::Arc;

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchIterator};
use arrow_schema::Schema;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// Rows of one table, with the Arrow `PyCapsule` protocol: `polars.DataFrame(frame)`.
#[pyclass(frozen, module = "badhop._core")]
pub struct Frame(Vec<RecordBatch>);

impl Frame {
    pub fn new(batch: RecordBatch) -> Self {
        Self(vec![batch])
    }

    /// Parts that have the same columns; none at all is a table without columns.
    pub const fn of_parts(batches: Vec<RecordBatch>) -> Self {
        Self(batches)
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
        let rows: Vec<_> = self.0.iter().cloned().map(Ok).collect(); // counts references, copies no data
        let schema = self.0.first().map_or_else(|| Arc::new(Schema::empty()), RecordBatch::schema);
        let stream = FFI_ArrowArrayStream::new(Box::new(RecordBatchIterator::new(rows, schema)));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }
}
