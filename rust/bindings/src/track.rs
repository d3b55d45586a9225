//! The one pass over a capture that follows its queue pairs and pauses.

use std::collections::HashMap;
use std::path::PathBuf;

use capture::tables::capture_health::CAPTURE_HEALTH;
use capture::tables::loss_episodes::LOSS_EPISODES;
use capture::tables::pause_time::PAUSE_TIME;
use capture::tables::problems::PROBLEMS;
use capture::tables::roce_qps::ROCE_QPS;
use pyo3::prelude::*;

use crate::error::capture_error;
use crate::frame::Frame;
use crate::progress::Progress;

/// The tracked tables of a capture, by name. `progress(bytes, size)` is called now and then; false stops.
#[pyfunction]
#[pyo3(signature = (path, source, progress=None))]
pub fn track(
    py: Python<'_>,
    path: PathBuf,
    source: &str,
    progress: Option<Py<PyAny>>,
) -> PyResult<HashMap<&'static str, Frame>> {
    let mut progress = Progress::new(progress);
    let tracked = py.detach(|| capture::track::track(&path, source, &mut |bytes, size| progress.report(bytes, size)));
    if let Some(raised) = progress.raised() {
        return Err(raised);
    }
    let tracked = tracked.map_err(|error| capture_error(py, &path, &error))?;
    py.detach(|| {
        Ok(HashMap::from([
            (CAPTURE_HEALTH.name, Frame::of(&CAPTURE_HEALTH, &tracked.health)?),
            (ROCE_QPS.name, Frame::of(&ROCE_QPS, &tracked.qps)?),
            (LOSS_EPISODES.name, Frame::of(&LOSS_EPISODES, &tracked.episodes)?),
            (PAUSE_TIME.name, Frame::of(&PAUSE_TIME, &tracked.pauses)?),
            (PROBLEMS.name, Frame::of(&PROBLEMS, &tracked.problems)?),
        ]))
    })
}
