//! Records that all look alike, as columns: a stream of counters in CSV or JSON lines. Whatever looks different ends the
//! reading; the caller then takes a reader that knows every form.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch, RecordBatchOptions, UInt32Array};
use arrow_buffer::{BooleanBuffer, NullBuffer};
use arrow_schema::{ArrowError, DataType, Field as ArrowField, Schema};
use memchr::memchr;

use super::blocks::MOST_KEYS;
use super::number;
use super::readings::{WORTH_SPLITTING, pieces};
use super::template::{Field, Kind, Template};

/// Records after which the length of the others is guessed.
const PROBE: usize = 1 << 10;

/// Columns of the records, in as many parts as there were threads.
#[derive(Debug)]
pub struct Records<'a> {
    /// What they look like.
    pub template: Template,
    /// The rows.
    pub parts: Vec<Part<'a>>,
    /// Each text once, by text field; a row has its number.
    pub texts: Vec<Vec<&'a [u8]>>,
    /// Bytes after the last record that looks like the first.
    pub unread: usize,
}

/// Rows that follow one another.
#[derive(Debug, Default)]
pub struct Part<'a> {
    rows: usize,
    wholes: Vec<Vec<i64>>,
    numbers: Vec<Vec<f64>>,
    texts: Vec<Texts<'a>>,
    unread: usize,
}

/// The values of a text field: numbers of texts, of which the next is predicted from the last time.
#[derive(Debug, Default)]
struct Texts<'a> {
    ids: Vec<u32>,
    known: Vec<&'a [u8]>,
    numbers: HashMap<&'a [u8], u32>,
    next: Vec<u32>,
    last: Option<u32>,
}

impl<'a> Texts<'a> {
    /// The text with which a value begins and that `stop` follows, or whatever stands before the next `stop`.
    fn push(&mut self, rest: &'a [u8], stop: u8) -> Option<usize> {
        let expected = self.last.and_then(|last| self.next.get(last as usize)).copied();
        if let Some(id) = expected
            && let Some(text) = self.known.get(id as usize)
            && rest.starts_with(text)
            && rest.get(text.len()) == Some(&stop)
        {
            self.ids.push(id);
            self.last = Some(id);
            return Some(text.len());
        }
        let text = rest.get(..memchr(stop, rest)?)?;
        if text.iter().any(|byte| matches!(byte, b'"' | b'\\' | b'\n')) {
            return None;
        }
        let id = match self.numbers.get(text) {
            Some(&id) => id,
            None if self.known.len() < MOST_KEYS => {
                let id = self.known.len() as u32;
                self.known.push(text);
                self.next.push(u32::MAX);
                self.numbers.insert(text, id);
                id
            }
            None => return None,
        };
        if let Some(next) = self.last.and_then(|last| self.next.get_mut(last as usize)) {
            *next = id;
        }
        self.ids.push(id);
        self.last = Some(id);
        Some(text.len())
    }
}

/// Reads the records after the header with at most `threads` threads.
#[must_use]
pub fn read(text: &[u8], template: Template, threads: usize) -> Records<'_> {
    let body = text.get(template.header..).unwrap_or_default();
    let wanted = threads.min(body.len() / WORTH_SPLITTING).max(1);
    read_pieces(&pieces(body, wanted), template)
}

pub(super) fn read_pieces<'a>(pieces: &[&'a [u8]], template: Template) -> Records<'a> {
    let Some((first, others)) = pieces.split_first() else {
        return Records { template, parts: Vec::new(), texts: Vec::new(), unread: 0 };
    };
    let parts: Vec<Part<'a>> =
        std::thread::scope(|scope| {
            let running: Vec<_> =
                others.iter().map(|piece| (scope.spawn(|| read_part(piece, &template)), piece.len())).collect();
            let mut done = vec![read_part(first, &template)];
            // A thread that panicked has found a defect of ours: nothing of its piece was read.
            done.extend(running.into_iter().map(|(thread, length)| {
                thread.join().unwrap_or_else(|_| Part { unread: length, ..Part::new(&template) })
            }));
            done
        });
    let mut whole =
        Records { texts: vec![Vec::new(); count(&template, Kind::Text)], template, parts: Vec::new(), unread: 0 };
    let mut numbers: Vec<HashMap<&[u8], u32>> = vec![HashMap::new(); whole.texts.len()];
    for mut part in parts {
        if whole.unread > 0 {
            break; // what follows a record that looks different is the other reader's
        }
        for ((column, all), numbers) in part.texts.iter_mut().zip(&mut whole.texts).zip(&mut numbers) {
            column.renumber(all, numbers);
        }
        whole.unread = part.unread;
        whole.parts.push(part);
    }
    whole
}

fn count(template: &Template, kind: Kind) -> usize {
    template.fields.iter().filter(|field| field.kind == kind).count()
}

impl<'a> Texts<'a> {
    fn renumber(&mut self, all: &mut Vec<&'a [u8]>, numbers: &mut HashMap<&'a [u8], u32>) {
        let global: Vec<u32> = self
            .known
            .iter()
            .map(|&text| {
                *numbers.entry(text).or_insert_with(|| {
                    all.push(text);
                    all.len() as u32 - 1
                })
            })
            .collect();
        for id in &mut self.ids {
            *id = global.get(*id as usize).copied().unwrap_or_default();
        }
    }
}

impl<'a> Part<'a> {
    fn new(template: &Template) -> Self {
        Self {
            wholes: vec![Vec::new(); count(template, Kind::Whole)],
            numbers: vec![Vec::new(); count(template, Kind::Number)],
            texts: (0..count(template, Kind::Text)).map(|_| Texts::default()).collect(),
            ..Self::default()
        }
    }

    /// Reads one value; its length, or `None` where it is none.
    #[inline]
    fn value(&mut self, field: &Field, stop: u8, rest: &'a [u8]) -> Option<usize> {
        match field.kind {
            Kind::Number => {
                let fast =
                    rest.first_chunk().and_then(number::float).filter(|&(_, length)| rest.get(length) == Some(&stop));
                let (value, length) = fast.map_or_else(|| slow_number(rest, stop), Some)?;
                self.numbers.get_mut(field.slot)?.push(value);
                Some(length)
            }
            Kind::Whole => {
                let fast = rest.first_chunk().and_then(number::whole);
                let (value, length) = fast.map_or_else(|| slow_whole(rest, stop), Some)?;
                self.wholes.get_mut(field.slot)?.push(i64::try_from(value).ok()?);
                Some(length)
            }
            Kind::Text => self.texts.get_mut(field.slot)?.push(rest, stop),
        }
    }

    fn record(&mut self, template: &Template, stops: &[u8], text: &'a [u8]) -> Option<&'a [u8]> {
        let mut rest = text;
        for (field, &stop) in template.fields.iter().zip(stops) {
            rest = after(rest, &field.before)?;
            let length = self.value(field, stop, rest)?;
            rest = rest.get(length..)?;
        }
        // The last line of a file may have no line end.
        after(rest, &template.end).or_else(|| {
            let unended = template.end.strip_suffix(b"\n").unwrap_or_default();
            let unended = unended.strip_suffix(b"\r").unwrap_or(unended);
            after(rest, unended).filter(|left| left.is_empty())
        })
    }

    fn reserve(&mut self, more: usize) {
        self.wholes.iter_mut().for_each(|column| column.reserve(more));
        self.numbers.iter_mut().for_each(|column| column.reserve(more));
        self.texts.iter_mut().for_each(|column| column.ids.reserve(more));
    }

    fn cut_back(&mut self) {
        let rows = self.rows;
        self.wholes.iter_mut().for_each(|column| column.truncate(rows));
        self.numbers.iter_mut().for_each(|column| column.truncate(rows));
        self.texts.iter_mut().for_each(|column| column.ids.truncate(rows));
    }

    /// The rows as columns under the names of their fields; a text is the number of its text.
    ///
    /// # Errors
    ///
    /// Only if the columns disagree in length: a defect here.
    pub fn batch(mut self, template: &Template) -> Result<RecordBatch, ArrowError> {
        let (mut fields, mut columns): (Vec<ArrowField>, Vec<ArrayRef>) = (Vec::new(), Vec::new());
        for field in &template.fields {
            let (kind, column): (DataType, ArrayRef) = match field.kind {
                Kind::Whole => {
                    let values = self.wholes.get_mut(field.slot).map(std::mem::take).unwrap_or_default();
                    (DataType::Int64, Arc::new(Int64Array::from(values)))
                }
                Kind::Number => {
                    let values = self.numbers.get_mut(field.slot).map(std::mem::take).unwrap_or_default();
                    let known = values.iter().any(|value| value.is_nan()).then(|| {
                        NullBuffer::new(BooleanBuffer::collect_bool(values.len(), |row| {
                            values.get(row).is_some_and(|value| !value.is_nan())
                        }))
                    });
                    (DataType::Float64, Arc::new(Float64Array::try_new(values.into(), known)?))
                }
                Kind::Text => {
                    let ids = self.texts.get_mut(field.slot).map(|texts| std::mem::take(&mut texts.ids));
                    (DataType::UInt32, Arc::new(UInt32Array::from(ids.unwrap_or_default())))
                }
            };
            fields.push(ArrowField::new(&field.name, kind, true));
            columns.push(column);
        }
        let options = RecordBatchOptions::new().with_row_count(Some(self.rows));
        RecordBatch::try_new_with_options(Arc::new(Schema::new(fields)), columns, &options)
    }
}

fn read_part<'a>(text: &'a [u8], template: &Template) -> Part<'a> {
    let mut part = Part::new(template);
    let stops: Vec<u8> = (0..template.fields.len()).map(|field| template.stop(field)).collect();
    let mut rest = text;
    while !rest.is_empty() {
        if part.rows == PROBE {
            let each = ((text.len() - rest.len()) / PROBE).max(1);
            part.reserve(rest.len() / each + rest.len() / each / 64);
        }
        let Some(next) = part.record(template, &stops, rest) else {
            part.cut_back();
            break;
        };
        part.rows += 1;
        rest = next;
    }
    part.unread = rest.len();
    part
}

/// What follows a short text that must stand here.
#[inline]
fn after<'a>(rest: &'a [u8], expected: &[u8]) -> Option<&'a [u8]> {
    match expected {
        [] => Some(rest),
        [only] => rest.split_first().filter(|(first, _)| *first == only).map(|(_, rest)| rest),
        _ => rest.strip_prefix(expected),
    }
}

/// Any number up to `stop`, or NaN where there is none.
fn slow_number(rest: &[u8], stop: u8) -> Option<(f64, usize)> {
    let end = value_end(rest, stop);
    let text = std::str::from_utf8(rest.get(..end)?).ok()?.trim();
    let value = if text.is_empty() || text == "null" { f64::NAN } else { text.parse().ok()? };
    Some((value, end))
}

fn slow_whole(rest: &[u8], stop: u8) -> Option<(u64, usize)> {
    let end = value_end(rest, stop);
    std::str::from_utf8(rest.get(..end)?).ok()?.parse().ok().map(|value| (value, end))
}

/// Where a value ends: before `stop`, and in any case before the line end.
fn value_end(rest: &[u8], stop: u8) -> usize {
    let line = memchr(b'\n', rest).unwrap_or(rest.len());
    let line = rest.get(..line).unwrap_or_default();
    memchr(stop, line).unwrap_or(line.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::readings::pieces;
    use super::{Records, read, read_pieces};
    use crate::counter_text::template::{Kind, Template};

    fn whole() -> Vec<String> {
        vec!["ts".to_owned()]
    }

    fn rows(found: &Records<'_>) -> Vec<Vec<String>> {
        let mut rows = Vec::new();
        for part in &found.parts {
            for row in 0..part.rows {
                let value = |field: &super::Field| match field.kind {
                    Kind::Whole => part.wholes[field.slot][row].to_string(),
                    Kind::Number => part.numbers[field.slot][row].to_string(),
                    Kind::Text => {
                        String::from_utf8_lossy(found.texts[field.slot][part.texts[field.slot].ids[row] as usize])
                            .into_owned()
                    }
                };
                rows.push(found.template.fields.iter().map(value).collect());
            }
        }
        rows
    }

    const CSV: &str =
        "ts,device,value\n1764547200000000,eth0,5\n1764547200000001,eth1,\n1764547200000002,eth0,-1.5e3\n";

    #[test]
    fn a_csv_becomes_columns_and_a_missing_number_is_none() {
        let found = read(CSV.as_bytes(), Template::of_csv(CSV.as_bytes(), &whole()).unwrap(), 2);
        assert_eq!(
            rows(&found),
            [
                ["1764547200000000", "eth0", "5"],
                ["1764547200000001", "eth1", "NaN"],
                ["1764547200000002", "eth0", "-1500"]
            ]
        );
        assert_eq!(found.unread, 0);
    }

    #[test]
    fn json_lines_become_the_same_columns() {
        let text = "{\"ts\":1,\"device\":\"eth0\",\"value\":5}\n{\"ts\":2,\"device\":\"é\",\"value\":null}\n";
        let found = read(text.as_bytes(), Template::of_json(text.as_bytes(), &whole()).unwrap(), 1);
        assert_eq!(rows(&found), [["1", "eth0", "5"], ["2", "é", "NaN"]]);
    }

    #[test]
    fn a_record_that_looks_different_ends_the_reading_and_its_bytes_are_counted() {
        for odd in ["1,\"x\",2\n", "1,eth0\n", "x,eth0,2\n", "1,eth0,2,3\n", "\n", "1,eth0,abc\n"] {
            let text = format!("{CSV}{odd}5,eth0,1\n");
            let found = read(text.as_bytes(), Template::of_csv(CSV.as_bytes(), &whole()).unwrap(), 1);
            assert_eq!((rows(&found).len(), found.unread), (3, odd.len() + 9), "{odd:?}");
        }
    }

    #[test]
    fn cut_at_every_length_only_whole_records_and_a_last_line_without_end_are_read() {
        let template = Template::of_csv(CSV.as_bytes(), &whole()).unwrap();
        let all = rows(&read(CSV.as_bytes(), template.clone(), 1));
        for length in template.header..CSV.len() {
            let found = read(&CSV.as_bytes()[..length], template.clone(), 1);
            let complete = CSV[..length].matches('\n').count() - 1;
            let rows = rows(&found);
            assert_eq!(rows[..complete], all[..complete], "{length}");
            assert!(rows.len() <= complete + 1);
        }
    }

    proptest! {
        #[test]
        fn any_pieces_of_a_stream_give_the_same_rows(
            values in proptest::collection::vec((any::<u32>(), 0..5_u8, any::<i32>()), 1..80), parts in 1_usize..5,
        ) {
            let lines = values.iter().map(|(ts, device, value)| format!("{ts},eth{device},{value}\n"));
            let text = "ts,device,value\n".to_owned() + &lines.collect::<String>();
            let template = Template::of_csv(text.as_bytes(), &whole()).unwrap();
            let body = &text.as_bytes()[template.header..];
            let found = read_pieces(&pieces(body, parts), template);
            let expected: Vec<_> = values
                .iter()
                .map(|(ts, device, value)| vec![ts.to_string(), format!("eth{device}"), value.to_string()])
                .collect();
            prop_assert_eq!(rows(&found), expected);
            prop_assert_eq!(found.unread, 0);
        }

        #[test]
        fn arbitrary_bytes_are_no_records_or_some(bytes in proptest::collection::vec(any::<u8>(), 0..200), at in 0_usize..60) {
            let mut text = CSV.as_bytes().to_vec();
            let at = at.min(text.len());
            text.splice(at..at, bytes);
            for template in [Template::of_csv(&text, &whole()), Template::of_json(&text, &whole())].into_iter().flatten() {
                let length = text.len() - template.header;
                prop_assert!(read(&text, template, 1).unread <= length);
            }
        }
    }
}
