//! Counters as text: a file or bytes as a frame of readings, a frame of series, and what stands between them.

use std::path::PathBuf;

use arrow_array::RecordBatch;
use arrow_schema::ArrowError;
use capture::counter_text::readings::Readings;
use capture::counter_text::template::{Kind, Template};
use capture::counter_text::text::Text;
use capture::counter_text::{ethtool, exposition as prometheus, line_protocol as influx, records as alike};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;

use crate::error::defect;
use crate::frame::Frame;

/// Bytes of a file that somebody still writes to; one at rest is mapped, whatever its size.
const MOST_BYTES: usize = 1 << 29;

/// A text in memory or in a file.
#[derive(FromPyObject)]
pub enum Input {
    Bytes(PyBackedBytes),
    File(PathBuf),
}

impl Input {
    fn read<T: Send>(&self, py: Python<'_>, read: impl FnOnce(&[u8]) -> Result<T, ArrowError> + Send) -> PyResult<T> {
        let made = match self {
            Self::Bytes(bytes) => py.detach(|| Ok(read(bytes))),
            Self::File(path) => py.detach(|| Text::open(path, MOST_BYTES).map(|text| read(text.bytes()))),
        };
        made?.map_err(defect)
    }
}

/// What was read, as a `dict`.
#[derive(IntoPyObject)]
pub struct Found {
    readings: Frame,
    series: Frame,
    between: Vec<(u32, u64, String)>,
    unread: Vec<(u64, String)>,
    more_unread: usize,
    full: Option<u64>,
}

/// Characters of a line that are shown.
const SHOWN: usize = 200;

fn shown(text: &[u8]) -> String {
    String::from_utf8_lossy(text.get(..SHOWN).unwrap_or(text)).into_owned()
}

fn found(
    readings: Readings<'_>,
    series: impl FnOnce(&Readings<'_>) -> Result<RecordBatch, ArrowError>,
) -> Result<Found, ArrowError> {
    let series = Frame::new(series(&readings)?);
    let timed = readings.parts.iter().any(|part| !part.ts.is_empty());
    Ok(Found {
        series,
        between: readings.between.iter().map(|mark| (mark.sample, mark.line, shown(mark.text))).collect(),
        unread: readings.unread.iter().map(|&(line, text)| (line, shown(text))).collect(),
        more_unread: readings.more_unread,
        full: readings.full,
        readings: Frame::of_parts(readings.parts.into_iter().map(|part| part.batch(timed)).collect::<Result<_, _>>()?),
    })
}

/// Snapshots of `ethtool -S`.
#[pyfunction]
pub fn ethtool_series(py: Python<'_>, text: Input, most: usize, threads: usize) -> PyResult<Found> {
    text.read(py, |text| found(ethtool::read(text, most, threads), ethtool::names))
}

/// Scrapes of Prometheus or OpenMetrics.
#[pyfunction]
pub fn exposition(py: Python<'_>, text: Input, labels: Vec<String>, most: usize, threads: usize) -> PyResult<Found> {
    text.read(py, |text| found(prometheus::read(text, most, threads), |readings| prometheus::series(readings, &labels)))
}

/// Points of the line protocol of Influx.
#[pyfunction]
pub fn line_protocol(py: Python<'_>, text: Input, labels: Vec<String>, most: usize) -> PyResult<Found> {
    text.read(py, |text| {
        let points = influx::read(text, most);
        Ok(Found {
            readings: Frame::new(points.rows()?),
            series: Frame::new(points.names(&labels)?),
            between: Vec::new(),
            unread: points.unread.iter().map(|&(line, text)| (line, shown(text))).collect(),
            more_unread: points.more_unread,
            full: points.full,
        })
    })
}

/// Records that all look alike, as a `dict`.
#[derive(IntoPyObject)]
pub struct Records {
    rows: Frame,
    texts: Vec<(String, Vec<String>)>,
    unread: usize,
}

/// Columns of a CSV (`form` is `csv`) or of JSON lines whose records all look alike; `None` where the first does not tell.
#[pyfunction]
pub fn records(
    py: Python<'_>,
    text: Input,
    form: &str,
    whole: Vec<String>,
    threads: usize,
) -> PyResult<Option<Records>> {
    let csv = form == "csv";
    text.read(py, |text| {
        let template = if csv { Template::of_csv(text, &whole) } else { Template::of_json(text, &whole) };
        template.map(|template| in_columns(alike::read(text, template, threads))).transpose()
    })
}

fn in_columns(found: alike::Records<'_>) -> Result<Records, ArrowError> {
    let text = |text: &&[u8]| String::from_utf8_lossy(text).into_owned();
    let names = found.template.fields.iter().filter(|field| field.kind == Kind::Text);
    Ok(Records {
        texts: names
            .zip(&found.texts)
            .map(|(field, texts)| (field.name.clone(), texts.iter().map(text).collect()))
            .collect(),
        unread: found.unread,
        rows: Frame::of_parts(
            found.parts.into_iter().map(|part| part.batch(&found.template)).collect::<Result<_, _>>()?,
        ),
    })
}
