//! The text that Prometheus scrapes, and OpenMetrics: one scrape or many after one another.

use std::collections::HashMap;
use std::hash::BuildHasher;
use std::sync::Arc;

use arrow_array::{RecordBatch, StringArray};
use arrow_schema::{ArrowError, DataType, Field, Schema};

use super::blocks::{Grammar, Line, NO_TIME};
use super::labels::{Labelled, columns};
use super::readings::{Numbering, Readings, read_all};

/// A comment with a time is short.
const LONGEST_MARK: usize = 80;
/// Digits that a time has at least: seconds since 1970, or a date with its time of day.
const LEAST_DIGITS: usize = 10;

/// The lines of an exposition.
pub(super) struct Exposition;

impl Grammar for Exposition {
    fn line<'a>(&self, line: &'a [u8]) -> Line<'a> {
        let text = line.trim_ascii();
        if text.is_empty() {
            return Line::Nothing;
        }
        if text.first() == Some(&b'#') {
            let said = text.get(1..).unwrap_or_default().trim_ascii_start();
            return if said == b"EOF" || may_be_time(text) {
                Line::Between
            } else if [b"HELP ".as_slice(), b"TYPE ", b"UNIT "].iter().any(|word| said.starts_with(word)) {
                Line::Note
            } else {
                Line::Nothing
            };
        }
        match sample(line) {
            Some(reading) => reading,
            None if may_be_time(text) => Line::Between,
            None => Line::Unread,
        }
    }

    fn is_key(&self, key: &[u8]) -> bool {
        Labelled::parse(key).is_some()
    }
}

fn may_be_time(text: &[u8]) -> bool {
    let note = [b"# HELP".as_slice(), b"# TYPE", b"# UNIT"].iter().any(|word| text.starts_with(word));
    text.len() <= LONGEST_MARK && !note && text.iter().filter(|byte| byte.is_ascii_digit()).count() >= LEAST_DIGITS
}

/// `name{labels} value [time] [# exemplar]`
fn sample(line: &[u8]) -> Option<Line<'_>> {
    let indent = line.iter().take_while(|byte| is_blank(**byte)).count();
    let mut at = indent + line.get(indent..)?.iter().take_while(|byte| is_name(**byte)).count();
    if line.get(indent).is_some_and(u8::is_ascii_digit) {
        return None;
    }
    let named = at > indent;
    let braced = at + line.get(at..)?.iter().take_while(|byte| is_blank(**byte)).count();
    if line.get(braced) == Some(&b'{') {
        at = braced + past_braces(line.get(braced..)?)?;
    } else if !named {
        return None;
    }
    let blanks = line.get(at..)?.iter().take_while(|byte| is_blank(**byte)).count();
    let (key, rest) = line.split_at_checked(at + blanks)?;
    if blanks == 0 && !key.ends_with(b"}") {
        return None;
    }
    // An exemplar (OpenMetrics) begins with ` # {`; a trace's id is of no use among counters.
    let rest = memchr::memmem::find(rest, b" # {").map_or(rest, |end| rest.split_at(end).0);
    let mut words = rest.split(|&byte| is_blank(byte)).filter(|word| !word.is_empty());
    let value = std::str::from_utf8(words.next()?).ok()?.parse::<f64>().ok()?;
    let ts = words.next().map_or(Some(NO_TIME), milliseconds)?;
    words.next().is_none().then_some(Line::Reading { key, value, ts, wrong: false })
}

/// The last millisecond whose nanoseconds fit 64 bits, in the year 2262.
const LAST: u64 = 9_223_372_036_854;

/// Prometheus writes whole milliseconds, OpenMetrics seconds with a fraction: told apart by the point and the size.
/// A number that is no time of a log gives [`NO_TIME`].
fn milliseconds(word: &[u8]) -> Option<i64> {
    let text = std::str::from_utf8(word).ok()?;
    let ms = if let Ok(whole) = text.parse::<i64>() {
        if whole.unsigned_abs() < 100_000_000_000 { whole.saturating_mul(1000) } else { whole }
    } else {
        (text.parse::<f64>().ok().filter(|seconds| seconds.is_finite())? * 1000.0).round() as i64
    };
    Some(if ms.unsigned_abs() <= LAST { ms } else { NO_TIME })
}

const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

const fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':' | b'.')
}

/// Bytes up to and with the closing brace, which may also stand in a quoted value.
fn past_braces(text: &[u8]) -> Option<usize> {
    let (mut quoted, mut escaped) = (false, false);
    for (at, &byte) in text.iter().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'}' if !quoted => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// The scrapes of a text. A new one begins where a series comes again, and at a comment that may say a time.
pub fn read(text: &[u8], most: usize, threads: usize) -> Readings<'_> {
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text); // the byte order mark of Windows' editors
    read_all(text, &Exposition, Numbering::ByRepeats, most, threads)
}

/// What the comments of an exposition say of one family of metrics.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Family {
    /// counter, gauge, histogram, summary, … in lower case.
    pub kind: Option<String>,
    /// The unit of OpenMetrics.
    pub unit: Option<String>,
    /// The sentence.
    pub help: Option<String>,
}

/// The families by name, from the notes of a text; the first word on each counts.
#[must_use]
pub fn families(notes: &[&[u8]]) -> HashMap<String, Family> {
    let mut families: HashMap<String, Family> = HashMap::new();
    for note in notes {
        let text = String::from_utf8_lossy(note);
        let said = text.trim_start_matches([' ', '\t', '#']);
        let Some((word, said)) = said.split_once([' ', '\t']) else { continue };
        let said = said.trim();
        let (name, told) = said.split_once([' ', '\t']).unwrap_or((said, ""));
        if told.trim().is_empty() {
            continue;
        }
        let family = families.entry(name.trim_matches('"').to_owned()).or_default();
        let told = told.trim().to_owned();
        match word {
            "TYPE" => _ = family.kind.get_or_insert(told.to_ascii_lowercase()),
            "UNIT" => _ = family.unit.get_or_insert(told),
            _ => _ = family.help.get_or_insert(told),
        }
    }
    families
}

/// The family that a series belongs to: by its own name, else without what histograms, summaries and counters add.
#[must_use]
pub fn family_of<'a, S: BuildHasher>(name: &str, families: &'a HashMap<String, Family, S>) -> Option<&'a Family> {
    families.get(name).or_else(|| {
        ["_bucket", "_sum", "_count", "_total", "_created", "_gsum", "_gcount", "_info"]
            .iter()
            .find_map(|suffix| families.get(name.strip_suffix(suffix)?))
    })
}

/// The series of an exposition, one row for each key: `name`, `labels` (as [`Labelled::text`]), `type` and `unit` as the
/// comments tell, and each of the `wanted` labels under its own name; null where there is none.
///
/// # Errors
///
/// Only if the columns disagree in length: a defect here.
pub fn series(readings: &Readings<'_>, wanted: &[String]) -> Result<RecordBatch, ArrowError> {
    let families = families(&readings.notes);
    let parsed: Vec<Option<Labelled>> = readings.keys.iter().map(|key| Labelled::parse(key)).collect();
    let of: Vec<Option<&Family>> = parsed.iter().map(|series| family_of(&series.as_ref()?.name, &families)).collect();
    let (mut fields, mut arrays) = columns(&parsed.iter().map(Option::as_ref).collect::<Vec<_>>(), wanted);
    let told: [(&str, StringArray); 2] = [
        ("type", of.iter().map(|family| family.and_then(|family| family.kind.as_deref())).collect()),
        ("unit", of.iter().map(|family| family.and_then(|family| family.unit.as_deref())).collect()),
    ];
    for (name, column) in told {
        fields.push(Field::new(name, DataType::Utf8, true));
        arrays.push(Arc::new(column));
    }
    RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays)
}
