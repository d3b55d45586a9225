//! `ethtool -S` again and again: `     name: value` under `NIC statistics:`, with times and devices between.

use std::sync::Arc;

use arrow_array::{RecordBatch, StringArray};
use arrow_schema::{ArrowError, DataType, Field, Schema};

use super::blocks::{Grammar, Line, NO_TIME};
use super::readings::{Numbering, Readings, read_all};

/// What drivers and scripts print where there is no value.
const NO_VALUE: [&str; 6] = ["N/A", "n/a", "NA", "-", "--", "none"];

/// The lines of `ethtool -S`.
pub(super) struct Statistics;

impl Grammar for Statistics {
    fn line<'a>(&self, line: &'a [u8]) -> Line<'a> {
        if line.trim_ascii().is_empty() {
            return Line::Nothing;
        }
        // The last colon: some drivers print `[0]: rx_packets: 5`.
        let Some(colon) =
            memchr::memrchr_iter(b':', line).find(|&at| line.get(at + 1).is_some_and(|&byte| is_blank(byte)))
        else {
            return Line::Between;
        };
        let blanks = line.get(colon + 1..).unwrap_or_default().iter().take_while(|byte| is_blank(**byte)).count();
        let (key, value) = line.split_at(colon + 1 + blanks);
        let name = key.get(..colon).unwrap_or_default().trim_ascii();
        if !name.first().is_some_and(|first| first.is_ascii_alphabetic() || *first == b'[') {
            return Line::Between;
        }
        match parsed(value.trim_ascii_end()) {
            Ok(value) => Line::Reading { key, value, ts: NO_TIME, wrong: false },
            // `Every 1.0s: ethtool -S eth0    h12: Mon Nov 30 …` is no counter, but a name in one word is.
            Err(NoNumber) if name.contains(&b' ') || value.trim_ascii().is_empty() => Line::Between,
            Err(NoNumber) => Line::Reading { key, value: f64::NAN, ts: NO_TIME, wrong: true },
        }
    }
}

const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

struct NoNumber;

/// A number, or NaN for N/A.
fn parsed(value: &[u8]) -> Result<f64, NoNumber> {
    let text = std::str::from_utf8(value).map_err(|_| NoNumber)?;
    if NO_VALUE.contains(&text) {
        return Ok(f64::NAN);
    }
    if let Some(digits) = text.strip_prefix("0x") {
        return u64::from_str_radix(digits, 16).map(|value| value as f64).map_err(|_| NoNumber);
    }
    // `inf` and `nan` are words here, not numbers.
    if !text.ends_with(|last: char| last.is_ascii_digit()) || text.starts_with('+') {
        return Err(NoNumber);
    }
    text.parse().map_err(|_| NoNumber)
}

/// The snapshots of a text. The lines between them are kept for their times and devices; whatever stands there begins a
/// new sample.
pub fn read(text: &[u8], most: usize, threads: usize) -> Readings<'_> {
    read_all(text, &Statistics, Numbering::ByLinesBetween, most, threads)
}

/// The names of the counters, one row for each key: column `name`.
///
/// # Errors
///
/// Only if the columns disagree in length: a defect here.
pub fn names(readings: &Readings<'_>) -> Result<RecordBatch, ArrowError> {
    let name = |key: &&[u8]| {
        let text = String::from_utf8_lossy(key);
        text.trim_ascii().strip_suffix(':').unwrap_or_default().trim_ascii().to_owned()
    };
    let names: StringArray = readings.keys.iter().map(|key| Some(name(key))).collect();
    let schema = Schema::new(vec![Field::new("name", DataType::Utf8, false)]);
    RecordBatch::try_new(Arc::new(schema), vec![Arc::new(names)])
}
