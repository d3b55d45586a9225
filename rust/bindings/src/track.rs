//! The one pass over a capture that follows its queue pairs and pauses.

use std::collections::HashMap;
use std::num::NonZeroU64;
use std::path::PathBuf;

use capture::address::{Mac, NotAMac};
use capture::track::Settings;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::error::{capture_error, defect};
use crate::frame::Frame;
use crate::progress::Progress;

/// The tracked tables of a capture, by name. `progress(bytes, size)` is called now and then; false stops. Speeds are in
/// bit/s: of all links, or by the MAC of a port.
#[pyfunction]
#[pyo3(signature = (path, source, progress=None, link_speed=None, link_speeds=None))]
pub fn track(
    py: Python<'_>,
    path: PathBuf,
    source: &str,
    progress: Option<Py<PyAny>>,
    link_speed: Option<NonZeroU64>,
    link_speeds: Option<HashMap<String, NonZeroU64>>,
) -> PyResult<HashMap<&'static str, Frame>> {
    let settings = Settings { link_speed, link_speeds: by_mac(link_speeds.unwrap_or_default())? };
    let mut progress = Progress::new(progress);
    let tracked =
        py.detach(|| capture::track::track(&path, source, &settings, &mut |bytes, size| progress.report(bytes, size)));
    if let Some(raised) = progress.raised() {
        return Err(raised);
    }
    let tracked = tracked.map_err(|error| capture_error(py, &path, &error))?;
    let batches = py.detach(|| tracked.batches()).map_err(defect)?;
    Ok(batches.into_iter().map(|(name, batch)| (name, Frame::new(batch))).collect())
}

fn by_mac(speeds: HashMap<String, NonZeroU64>) -> PyResult<HashMap<Mac, NonZeroU64>> {
    let speed = |(mac, speed): (String, NonZeroU64)| mac.parse().map(|mac: Mac| (mac, speed));
    let speeds: Result<_, NotAMac> = speeds.into_iter().map(speed).collect();
    speeds.map_err(|error| PyValueError::new_err(error.to_string()))
}
