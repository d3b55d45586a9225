//! What the stretches of one text tell together: readings of series, sample by sample, as Arrow columns.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch, UInt32Array};
use arrow_buffer::{BooleanBuffer, NullBuffer};
use arrow_schema::{ArrowError, DataType, Field, Schema};

use super::blocks::{Grammar, NO_TIME, Stretch, read};

/// Bytes below which a second thread takes longer to start than it saves.
pub(super) const WORTH_SPLITTING: usize = 1 << 20;

/// Where a new sample begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Numbering {
    /// At lines between readings.
    ByLinesBetween,
    /// At those, and where a series comes again.
    ByRepeats,
}

/// A line that stands between samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Between<'a> {
    /// The sample that it begins, from 1; the next after the last where nothing follows.
    pub sample: u32,
    /// Its line, from 1.
    pub line: u64,
    /// Itself.
    pub text: &'a [u8],
}

/// Everything that a text tells.
#[derive(Debug, Default)]
pub struct Readings<'a> {
    /// Each key once, as it stands before the value; its place is the number of the series.
    pub keys: Vec<&'a [u8]>,
    /// The rows, in as many parts as there were threads.
    pub parts: Vec<Part>,
    /// What stands between the samples.
    pub between: Vec<Between<'a>>,
    /// What is said about keys.
    pub notes: Vec<&'a [u8]>,
    /// Lines that could not be read, with their numbers from 1.
    pub unread: Vec<(u64, &'a [u8])>,
    /// More of them.
    pub more_unread: usize,
    /// The line, from 1, from which on nothing was read, because a limit was hit.
    pub full: Option<u64>,
}

/// Rows that follow one another.
#[derive(Debug, Default)]
pub struct Part {
    /// The number of the series.
    pub series: Vec<u32>,
    /// The line, from 1.
    pub line: Vec<u32>,
    /// The sample, from 1.
    pub sample: Vec<u32>,
    /// The value; NaN where there is none.
    pub value: Vec<f64>,
    /// The row's own time in ms since 1970 or [`NO_TIME`]; empty where no row of the part has one.
    pub ts: Vec<i64>,
}

/// Reads a text with at most `threads` threads; the same is found with any number of them.
pub(super) fn read_all<'a, G: Grammar>(
    text: &'a [u8],
    grammar: &G,
    numbering: Numbering,
    most: usize,
    threads: usize,
) -> Readings<'a> {
    let wanted = threads.min(text.len() / WORTH_SPLITTING).max(1);
    read_pieces(&pieces(text, wanted), grammar, numbering, most)
}

/// About equal pieces that end at line ends.
pub(super) fn pieces(text: &[u8], wanted: usize) -> Vec<&[u8]> {
    let (mut rest, mut pieces) = (text, Vec::new());
    for left in (2..=wanted).rev() {
        let middle = rest.len() / left;
        let end =
            memchr::memchr(b'\n', rest.get(middle..).unwrap_or_default()).map_or(rest.len(), |at| middle + at + 1);
        let (piece, after) = rest.split_at(end);
        pieces.push(piece);
        rest = after;
    }
    pieces.push(rest);
    pieces
}

pub(super) fn read_pieces<'a, G: Grammar>(
    pieces: &[&'a [u8]],
    grammar: &G,
    numbering: Numbering,
    most: usize,
) -> Readings<'a> {
    let Some((first, others)) = pieces.split_first() else { return Readings::default() };
    let stretches: Vec<Stretch<'a>> = std::thread::scope(|scope| {
        let running: Vec<_> = others.iter().map(|piece| scope.spawn(|| read(piece, grammar, most))).collect();
        let mut done = vec![read(first, grammar, most)];
        // A thread that panicked has found a defect of ours; what it read is missing, and its line says so below.
        done.extend(
            running
                .into_iter()
                .map(|thread| thread.join().unwrap_or_else(|_| Stretch { full: Some(0), ..Stretch::default() })),
        );
        done
    });
    together(stretches, numbering, most)
}

fn together(stretches: Vec<Stretch<'_>>, numbering: Numbering, most: usize) -> Readings<'_> {
    let mut all = Readings::default();
    let mut ids: HashMap<&[u8], u32> = HashMap::new();
    let mut noted: HashSet<&[u8]> = HashSet::new();
    let mut samples = Samples::new(numbering);
    let (mut first_line, mut rows) = (0_usize, 0_usize);
    for mut stretch in stretches {
        if all.full.is_some() {
            break;
        }
        if rows + stretch.series.len() > most {
            let keep = most - rows;
            stretch.full = Some(stretch.line_of(keep));
            stretch.series.truncate(keep);
            stretch.values.truncate(keep);
            stretch.times.truncate(keep);
        }
        if all.keys.is_empty() {
            ids = stretch.keys.iter().enumerate().map(|(id, &key)| (key, id as u32)).collect();
            all.keys = std::mem::take(&mut stretch.keys);
        } else {
            stretch.renumber(&mut ids, &mut all.keys);
        }
        rows += stretch.series.len();
        let line_count = stretch.line_count;
        samples.begin_piece(all.keys.len());
        let sample = samples.number(&stretch, first_line, &mut all.between);
        all.notes.extend(stretch.notes.iter().filter(|note| noted.insert(**note)));
        all.unread.extend(stretch.unread.iter().map(|&(line, text)| ((first_line + line) as u64 + 1, text)));
        all.more_unread += stretch.more_unread;
        all.full = stretch.full.map(|line| (first_line + line) as u64 + 1);
        all.parts.push(Part {
            line: stretch.line_numbers(first_line),
            sample,
            series: stretch.series,
            value: stretch.values,
            ts: stretch.times,
        });
        first_line += line_count;
    }
    all
}

impl<'a> Stretch<'a> {
    /// Takes over the numbers that series have already.
    fn renumber(&mut self, ids: &mut HashMap<&'a [u8], u32>, keys: &mut Vec<&'a [u8]>) {
        let global: Vec<u32> = self
            .keys
            .iter()
            .map(|&key| {
                *ids.entry(key).or_insert_with(|| {
                    keys.push(key);
                    keys.len() as u32 - 1
                })
            })
            .collect();
        for id in &mut self.series {
            *id = global.get(*id as usize).copied().unwrap_or_default();
        }
    }

    /// The line of a row, counted from 0.
    fn line_of(&self, row: usize) -> usize {
        let run = self.lines.partition_point(|&(first, _)| first <= row).saturating_sub(1);
        self.lines.get(run).map_or(0, |&(first, line)| line + row.saturating_sub(first))
    }

    /// The line of each row, from 1.
    fn line_numbers(&self, first_line: usize) -> Vec<u32> {
        let mut numbers = Vec::with_capacity(self.series.len());
        for (index, &(row, line)) in self.lines.iter().enumerate() {
            let end = self.lines.get(index + 1).map_or(self.series.len(), |&(next, _)| next).min(self.series.len());
            // Files of more than 2^32 lines are cut before, by the limit on rows and bytes.
            let first = (first_line + line + 1) as u32;
            numbers.extend((0..end.saturating_sub(row) as u32).map(|more| first.wrapping_add(more)));
        }
        numbers
    }
}

/// Gives samples their numbers while the stretches are put together.
struct Samples {
    numbering: Numbering,
    current: u32,
    /// Whether the current sample has a row.
    filled: bool,
    /// The sample in which each series came last.
    seen: Vec<u32>,
}

impl Samples {
    const fn new(numbering: Numbering) -> Self {
        Self { numbering, current: 1, filled: false, seen: Vec::new() }
    }

    fn begin_piece(&mut self, keys: usize) {
        if self.numbering == Numbering::ByRepeats {
            self.seen.resize(keys, 0);
        }
    }

    fn number<'a>(&mut self, stretch: &Stretch<'a>, first_line: usize, between: &mut Vec<Between<'a>>) -> Vec<u32> {
        let mut numbers = Vec::with_capacity(stretch.series.len());
        for mark in &stretch.between {
            self.rows_up_to(mark.row, stretch, &mut numbers);
            if self.filled {
                self.current += 1;
                self.filled = false;
            }
            let line = (first_line + mark.line) as u64 + 1;
            between.push(Between { sample: self.current, line, text: mark.text });
        }
        self.rows_up_to(stretch.series.len(), stretch, &mut numbers);
        numbers
    }

    fn rows_up_to(&mut self, end: usize, stretch: &Stretch<'_>, numbers: &mut Vec<u32>) {
        let Some(rows) = stretch.series.get(numbers.len()..end.min(stretch.series.len())) else { return };
        if rows.is_empty() {
            return;
        }
        self.filled = true;
        match self.numbering {
            Numbering::ByLinesBetween => numbers.resize(numbers.len() + rows.len(), self.current),
            Numbering::ByRepeats => numbers.extend(rows.iter().map(|&id| {
                if let Some(seen) = self.seen.get_mut(id as usize) {
                    self.current += u32::from(*seen == self.current);
                    *seen = self.current;
                }
                self.current
            })),
        }
    }
}

impl Part {
    /// The rows as columns `series`, `line`, `sample`, `value` and `ts_ms`; `timed` where any part has times.
    ///
    /// # Errors
    ///
    /// Only if the columns disagree in length: a defect here.
    pub fn batch(self, timed: bool) -> Result<RecordBatch, ArrowError> {
        let rows = self.series.len();
        let missing = self.value.iter().any(|value| value.is_nan());
        let known = missing.then(|| {
            NullBuffer::new(BooleanBuffer::collect_bool(rows, |row| {
                self.value.get(row).is_some_and(|value| !value.is_nan())
            }))
        });
        let mut fields = vec![
            Field::new("series", DataType::UInt32, false),
            Field::new("line", DataType::UInt32, false),
            Field::new("sample", DataType::UInt32, false),
            Field::new("value", DataType::Float64, true),
        ];
        let mut columns: Vec<ArrayRef> = vec![
            Arc::new(UInt32Array::from(self.series)),
            Arc::new(UInt32Array::from(self.line)),
            Arc::new(UInt32Array::from(self.sample)),
            Arc::new(Float64Array::try_new(self.value.into(), known)?),
        ];
        if timed {
            let mut ts = self.ts;
            ts.resize(rows, NO_TIME);
            let known =
                NullBuffer::new(BooleanBuffer::collect_bool(rows, |row| ts.get(row).is_some_and(|&ts| ts != NO_TIME)));
            fields.push(Field::new("ts_ms", DataType::Int64, true));
            columns.push(Arc::new(Int64Array::try_new(ts.into(), Some(known))?));
        }
        RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)
    }
}
