//! The line protocol of Influx, which Telegraf writes: `measurement,tag=value field=1i,other=2.5 1764547200000000000`.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::{Float64Array, Int64Array, RecordBatch, StringArray, UInt32Array};
use arrow_schema::{ArrowError, DataType, Field, Schema};

use super::blocks::{MOST_KEYS, NO_TIME};
use super::labels::{Labelled, columns};

/// Lines that could not be read and are kept for a problem.
const MOST_UNREAD: usize = 100;

/// Bytes that the names of all series may have. Each field repeats the tags of its line, so that a hostile line of tags
/// and fields would cost its length times the number of its fields.
const MOST_NAMES: usize = 1 << 26;
/// Bytes of a measurement with its tags; a longer one is none.
const LONGEST_NAME: usize = 1 << 12;

/// The points of a text: a row for each field that is a number or a truth.
#[derive(Debug, Default)]
pub struct Points<'a> {
    /// Measurement and field joined as Telegraf joins them for Prometheus, and the tags; with the two apart.
    pub series: Vec<(Labelled, String, String)>,
    /// The series of each row.
    pub ids: Vec<u32>,
    /// Its line, from 1.
    pub lines: Vec<u32>,
    /// Its value.
    pub values: Vec<f64>,
    /// Its time as it stands there, in whatever unit, or [`NO_TIME`].
    pub times: Vec<i64>,
    /// Lines that could not be read.
    pub unread: Vec<(u64, &'a [u8])>,
    /// More of them.
    pub more_unread: usize,
    /// The line from which on nothing was read, because a limit was hit.
    pub full: Option<u64>,
    /// Bytes of all names of series.
    names: usize,
}

/// Reads all points of a text, at most `most` rows.
#[must_use]
pub fn read(text: &[u8], most: usize) -> Points<'_> {
    let mut points = Points::default();
    let mut known: HashMap<(&[u8], &[u8]), u32> = HashMap::new();
    for (index, line) in text.split(|&byte| byte == b'\n').enumerate() {
        let trimmed = line.trim_ascii();
        if trimmed.is_empty() || trimmed.first() == Some(&b'#') {
            continue;
        }
        let number = index as u64 + 1;
        if points.ids.len() >= most || known.len() >= MOST_KEYS || points.names > MOST_NAMES {
            points.full = Some(number);
            break;
        }
        if point(trimmed, number as u32, &mut points, &mut known).is_none() {
            if points.unread.len() < MOST_UNREAD {
                points.unread.push((number, line));
            } else {
                points.more_unread += 1;
            }
        }
    }
    points
}

/// Adds the rows of one line, or nothing at all where it is no point.
fn point<'a>(
    line: &'a [u8],
    number: u32,
    points: &mut Points<'a>,
    known: &mut HashMap<(&'a [u8], &'a [u8]), u32>,
) -> Option<()> {
    let (of, rest) = cut(line, b' ').filter(|(of, _)| of.len() <= LONGEST_NAME)?;
    let (fields, time) = cut(rest.trim_ascii_start(), b' ').unwrap_or((rest.trim_ascii_start(), b""));
    let time = match time.trim_ascii() {
        [] => NO_TIME,
        digits => std::str::from_utf8(digits).ok()?.parse().ok()?,
    };
    let mut found = Vec::new();
    let mut left = Some(fields);
    while let Some(these) = left {
        let (field, after) = cut(these, b',').map_or((these, None), |(field, after)| (field, Some(after)));
        let (name, value) = cut(field, b'=').filter(|(name, value)| !name.is_empty() && !value.is_empty())?;
        match value_of(value)? {
            Value::Number(value) => found.push((name, value)),
            Value::Words => {}
        }
        left = after;
    }
    for (name, value) in found {
        let id = if let Some(&id) = known.get(&(of, name)) {
            id
        } else {
            let id = points.series.len() as u32;
            points.names += of.len() + name.len();
            points.series.push(named(of, name)?);
            known.insert((of, name), id);
            id
        };
        points.ids.push(id);
        points.lines.push(number);
        points.values.push(value);
        points.times.push(time);
    }
    Some(())
}

/// The two sides of the first `at` that is neither escaped nor in quotes.
fn cut(text: &[u8], at: u8) -> Option<(&[u8], &[u8])> {
    let (mut quoted, mut escaped) = (false, false);
    for (index, &byte) in text.iter().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => quoted = !quoted,
            _ if byte == at && !quoted => return Some((text.get(..index)?, text.get(index + 1..)?)),
            _ => {}
        }
    }
    None
}

enum Value {
    Number(f64),
    /// A string: no counter.
    Words,
}

/// A number, also 1 and 0 for truths, or a string; `None` for what is no value at all.
fn value_of(value: &[u8]) -> Option<Value> {
    let text = std::str::from_utf8(value).ok()?;
    match text {
        "t" | "T" | "true" | "True" | "TRUE" => return Some(Value::Number(1.0)),
        "f" | "F" | "false" | "False" | "FALSE" => return Some(Value::Number(0.0)),
        _ if text.starts_with('"') => return (text.len() > 1 && text.ends_with('"')).then_some(Value::Words),
        _ => {}
    }
    let digits = text.strip_suffix(['i', 'u']).unwrap_or(text);
    digits.parse().ok().filter(|value: &f64| value.is_finite()).map(Value::Number)
}

fn named(of: &[u8], field: &[u8]) -> Option<(Labelled, String, String)> {
    let (measurement, mut left) = cut(of, b',').map_or((of, None), |(name, tags)| (name, Some(tags)));
    let (measurement, field) = (plain(measurement)?, plain(field)?);
    let mut labels = Vec::new();
    while let Some(these) = left {
        let (tag, after) = cut(these, b',').map_or((these, None), |(tag, after)| (tag, Some(after)));
        let (name, value) = cut(tag, b'=')?;
        labels.push((plain(name)?, plain(value)?));
        left = after;
    }
    labels.sort_unstable();
    Some((Labelled { name: format!("{measurement}_{field}"), labels }, measurement, field))
}

/// Without the backslashes before commas, blanks and equals signs.
fn plain(text: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(text).ok()?;
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        if character != '\\' || !matches!(characters.peek(), Some(',' | ' ' | '=')) {
            plain.push(character);
        }
    }
    (!plain.is_empty()).then_some(plain)
}

impl Points<'_> {
    /// `series`, `line`, `value` and `time` of each row.
    ///
    /// # Errors
    ///
    /// Only if the columns disagree in length: a defect here.
    pub fn rows(&self) -> Result<RecordBatch, ArrowError> {
        let times: Int64Array = self.times.iter().map(|&time| (time != NO_TIME).then_some(time)).collect();
        let fields = vec![
            Field::new("series", DataType::UInt32, false),
            Field::new("line", DataType::UInt32, false),
            Field::new("value", DataType::Float64, false),
            Field::new("time", DataType::Int64, true),
        ];
        RecordBatch::try_new(
            Arc::new(Schema::new(fields)),
            vec![
                Arc::new(UInt32Array::from(self.ids.clone())),
                Arc::new(UInt32Array::from(self.lines.clone())),
                Arc::new(Float64Array::from(self.values.clone())),
                Arc::new(times),
            ],
        )
    }

    /// The series: what [`columns`] tells, `measurement` and `field`.
    ///
    /// # Errors
    ///
    /// Only if the columns disagree in length: a defect here.
    pub fn names(&self, wanted: &[String]) -> Result<RecordBatch, ArrowError> {
        let labelled: Vec<_> = self.series.iter().map(|(series, _, _)| Some(series)).collect();
        let (mut fields, mut arrays) = columns(&labelled, wanted);
        let apart: [(&str, StringArray); 2] = [
            ("measurement", self.series.iter().map(|(_, measurement, _)| Some(measurement)).collect()),
            ("field", self.series.iter().map(|(_, _, field)| Some(field)).collect()),
        ];
        for (name, column) in apart {
            fields.push(Field::new(name, DataType::Utf8, true));
            arrays.push(Arc::new(column));
        }
        RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{NO_TIME, read};

    const TEXT: &[u8] =
        b"# a comment\nethtool,driver=mlx5_core,host=h12,interface=eth2 rx_prio3_pause=5i,up=t 1764547200000000000\n\
        my\\ name,tag\\,1=a\\=b a=1.5e3,text=\"x, y=\\\"1 2\"\nbroken\ninfiniband,device=mlx5_0,port=1 x=1u,y=abc 5\n";

    #[test]
    fn each_number_of_a_point_is_a_row() {
        let points = read(TEXT, 100);
        let rows: Vec<_> = (0..points.ids.len())
            .map(|row| {
                let (series, _, _) = &points.series[points.ids[row] as usize];
                (points.lines[row], series.name.as_str(), series.text(), points.values[row], points.times[row])
            })
            .collect();
        let of_h12 = r#"driver="mlx5_core",host="h12",interface="eth2""#.to_owned();
        assert_eq!(
            rows,
            [
                (2, "ethtool_rx_prio3_pause", of_h12.clone(), 5.0, 1_764_547_200_000_000_000),
                (2, "ethtool_up", of_h12, 1.0, 1_764_547_200_000_000_000),
                (3, "my name_a", r#"tag,1="a=b""#.to_owned(), 1500.0, NO_TIME),
            ]
        );
        let unread: Vec<_> = points.unread.iter().map(|(line, _)| *line).collect();
        assert_eq!(unread, [4, 5]);
        assert_eq!((read(TEXT, 2).ids.len(), read(TEXT, 2).full), (2, Some(3)));
    }

    #[test]
    fn cut_at_every_length_the_lines_before_stay_what_they_are() {
        let whole = read(TEXT, 100);
        for length in 0..TEXT.len() {
            let points = read(&TEXT[..length], 100);
            let last = TEXT[..length].split(|&byte| byte == b'\n').count() as u32;
            let before = points.lines.iter().filter(|&&line| line < last).count();
            assert_eq!(points.values[..before], whole.values[..before], "{length}");
        }
    }

    proptest! {
        #[test]
        fn arbitrary_bytes_are_points_or_unread(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let points = read(&bytes, 50);
            prop_assert_eq!(points.ids.len(), points.values.len());
            prop_assert!(points.rows().is_ok() && points.names(&["host".to_owned()]).is_ok());
        }
    }
}
