//! `badhop._core`: what Python sees of the crate `capture`. It translates and does nothing else; the stubs for type
//! checkers are in `tui/badhop/_core.pyi`.

#![allow(clippy::needless_pass_by_value)] // Python's arguments are converted, so they come by value

mod counters;
mod declarations;
mod error;
mod frame;
mod packet;
mod paths;
mod pickle;
mod progress;
mod scan;
mod taps;
mod track;
mod unpacked;
mod waiting;

/// Packet captures as tables.
#[pyo3::pymodule]
mod _core {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::counters::{ethtool_series, exposition, line_protocol, records};
    #[pymodule_export]
    use crate::declarations::{container, tables};
    #[pymodule_export]
    use crate::error::{Cancelled, CaptureError};
    #[pymodule_export]
    use crate::frame::Frame;
    #[pymodule_export]
    use crate::packet::{Packet, packet};
    #[pymodule_export]
    use crate::pickle::read_pickle;
    #[pymodule_export]
    use crate::scan::{Scan, scan};
    #[pymodule_export]
    use crate::taps::compare_taps;
    #[pymodule_export]
    use crate::track::track;
    #[pymodule_export]
    use crate::unpacked::{Unpacked, begins_a_capture};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
