//! The one pass over a capture that follows its flows.

use std::collections::HashMap;
use std::num::NonZeroU64;

use capture::address::{Mac, NotAMac};
use capture::container::Capture;
use capture::track::{Settings, Threads};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::error::{capture_error, defect};
use crate::frame::Frame;
use crate::paths::Paths;
use crate::progress::Progress;
use crate::waiting::{Raised, follow as waiting};

/// The tracked tables of a capture, by name. `progress(bytes, size)` is called now and then; false cancels. With
/// `follow`, the end of the last file is waited for as long as `follow(bytes)` is true, at most `idle` seconds without
/// growth. Speeds are in bit/s: of all links, or by the MAC of a port. Without `threads` there are as many as fit.
#[allow(clippy::too_many_arguments)] // Python names them
#[pyfunction]
#[pyo3(signature = (paths, source, progress=None, *, link_speed=None, link_speeds=None, follow=None, idle=None, threads=None))]
pub fn track(
    py: Python<'_>,
    paths: Paths,
    source: &str,
    progress: Option<Py<PyAny>>,
    link_speed: Option<NonZeroU64>,
    link_speeds: Option<HashMap<String, NonZeroU64>>,
    follow: Option<Py<PyAny>>,
    idle: Option<f64>,
    threads: Option<usize>,
) -> PyResult<HashMap<&'static str, Frame>> {
    let settings = Settings { link_speed, link_speeds: by_mac(link_speeds.unwrap_or_default())? };
    let threads = match threads {
        None => Threads::AsFits,
        Some(0 | 1) => Threads::One,
        Some(_) => Threads::Two,
    };
    let mut progress = Progress::new(progress);
    let waited = Raised::default();
    let follow = follow.map(|go_on| waiting(go_on, idle, &waited)).transpose()?;
    let tracked = py.detach(|| {
        let capture = match follow {
            Some(follow) => Capture::follow(paths.all(), follow),
            None => paths.open(),
        };
        let mut capture = capture?;
        capture.read_ahead();
        capture::track::track_capture(capture, source, &settings, threads, &mut |bytes, size| {
            progress.report((bytes, size))
        })
    });
    if let Some(raised) = progress.raised().or_else(|| waited.take()) {
        return Err(raised);
    }
    let tracked = tracked.map_err(|error| capture_error(py, &error))?;
    let batches = py.detach(|| tracked.batches()).map_err(defect)?;
    Ok(batches.into_iter().map(|(name, batch)| (name, Frame::new(batch))).collect())
}

fn by_mac(speeds: HashMap<String, NonZeroU64>) -> PyResult<HashMap<Mac, NonZeroU64>> {
    let speed = |(mac, speed): (String, NonZeroU64)| mac.parse().map(|mac: Mac| (mac, speed));
    let speeds: Result<_, NotAMac> = speeds.into_iter().map(speed).collect();
    speeds.map_err(|error| PyValueError::new_err(error.to_string()))
}
