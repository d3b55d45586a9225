//! Reads lines `key value` in which the same keys come again and again, and predicts the next key from the last time.

use std::collections::{HashMap, HashSet};

use memchr::memchr;

use super::number;

/// Different keys that one text may have. A large cluster's scrape has some hundred thousand; a hostile text has a new
/// one in each line, and each costs more memory than its line.
pub const MOST_KEYS: usize = 1 << 20;
/// Lines between samples that are kept: the times of a week of samples, one a second.
const MOST_BETWEEN: usize = 1 << 20;
/// Lines that could not be read and are kept for a problem.
const MOST_UNREAD: usize = 100;
/// Rows after which the length of the others is guessed.
const PROBE: usize = 1 << 12;
/// A time that is not known.
pub const NO_TIME: i64 = i64::MIN;

/// What a line is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Line<'a> {
    /// A value under a key; the key is the line up to the value, which is NaN where it is none (N/A).
    Reading {
        /// The start of the line, up to the value.
        key: &'a [u8],
        /// The value.
        value: f64,
        /// Its own time in milliseconds since 1970, or [`NO_TIME`].
        ts: i64,
        /// Whether the value should be a number and is none.
        wrong: bool,
    },
    /// It stands between two samples and may say a time or a device.
    Between,
    /// It says something about keys, and is kept once.
    Note,
    /// It means nothing.
    Nothing,
    /// It should be a reading and is none.
    Unread,
}

/// How the lines of a form are to be understood.
pub trait Grammar: Sync {
    /// What a line is, without its line end.
    fn line<'a>(&self, line: &'a [u8]) -> Line<'a>;

    /// Whether a key that was not seen before is one; looked at once for each key that is.
    fn is_key(&self, _key: &[u8]) -> bool {
        true
    }
}

/// A line that stands between samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Between<'a> {
    /// The row after it, and the sample that this begins once the stretches are put together.
    pub row: usize,
    /// Its number, from 0.
    pub line: usize,
    /// Itself.
    pub text: &'a [u8],
}

/// Everything that was found from one line border to another. Lines count from 0 here.
#[derive(Debug, Default)]
pub struct Stretch<'a> {
    /// Each key once; their places are the numbers of the series.
    pub keys: Vec<&'a [u8]>,
    /// The series of each row.
    pub series: Vec<u32>,
    /// The value of each row; NaN where it has none.
    pub values: Vec<f64>,
    /// The time of each row in ms, or nothing at all where no row has one.
    pub times: Vec<i64>,
    /// Rows from which on each has the line after the one before: the row, and its line.
    pub lines: Vec<(usize, usize)>,
    /// What stands between samples.
    pub between: Vec<Between<'a>>,
    /// What is said about keys, each line once.
    pub notes: Vec<&'a [u8]>,
    /// Lines that could not be read.
    pub unread: Vec<(usize, &'a [u8])>,
    /// Those that were too many to keep.
    pub more_unread: usize,
    /// How many lines there are.
    pub line_count: usize,
    /// Where reading stopped because a limit was hit: the line.
    pub full: Option<usize>,
}

/// Reads a whole number of lines; at most `most` rows.
pub fn read<'a>(text: &'a [u8], grammar: &impl Grammar, most: usize) -> Stretch<'a> {
    let mut reader =
        Reader { text, stretch: Stretch::default(), ids: HashMap::new(), notes: HashSet::new(), next: Vec::new() };
    reader.run(grammar, most);
    reader.stretch
}

struct Reader<'a> {
    text: &'a [u8],
    stretch: Stretch<'a>,
    ids: HashMap<&'a [u8], u32>,
    notes: HashSet<&'a [u8]>,
    /// The series that followed each series the last time.
    next: Vec<u32>,
}

impl<'a> Reader<'a> {
    fn run(&mut self, grammar: &impl Grammar, most: usize) {
        let text = self.text;
        let (mut rest, mut line) = (text, 0_usize);
        let (mut last, mut expected): (Option<u32>, &[u8]) = (None, &[]);
        let mut at_once = 0_usize; // the line that a row has when it needs no new run
        while !rest.is_empty() {
            let rows = self.stretch.series.len();
            if rows >= most {
                self.stretch.full = Some(line);
                break;
            }
            if rows == PROBE {
                self.reserve(text.len() - rest.len(), most);
            }
            let read = if let Some((value, after)) = fast(rest, expected) {
                rest = after;
                // `expected` is only set when a last series has a next one.
                Some((last.map_or(0, |id| self.next_of(id)), value, NO_TIME))
            } else {
                let end = memchr(b'\n', rest).unwrap_or(rest.len());
                let (found, after) = rest.split_at(end);
                rest = after.get(1..).unwrap_or_default();
                let found = found.strip_suffix(b"\r").unwrap_or(found);
                let Ok(read) = self.slow(found, grammar, line, expected, last) else {
                    self.stretch.full = Some(line);
                    break;
                };
                read
            };
            if let Some((id, value, ts)) = read {
                if line != at_once || rows == 0 {
                    self.stretch.lines.push((rows, line));
                }
                at_once = line + 1;
                self.push(id, value, ts);
                last = Some(id);
                expected = self.stretch.keys.get(self.next_of(id) as usize).copied().unwrap_or_default();
            }
            line += 1;
        }
        self.stretch.line_count = line;
    }

    fn next_of(&self, id: u32) -> u32 {
        self.next.get(id as usize).copied().unwrap_or(u32::MAX)
    }

    fn reserve(&mut self, bytes: usize, most: usize) {
        let rows = (self.text.len() / (bytes / PROBE).max(1)).min(most);
        let more = (rows + rows / 64).saturating_sub(PROBE);
        self.stretch.series.reserve(more);
        self.stretch.values.reserve(more);
    }

    fn push(&mut self, id: u32, value: f64, ts: i64) {
        let stretch = &mut self.stretch;
        if ts != NO_TIME || !stretch.times.is_empty() {
            stretch.times.resize(stretch.series.len(), NO_TIME); // none of those before had a time
            stretch.times.push(ts);
        }
        stretch.series.push(id);
        stretch.values.push(value);
    }

    fn slow(
        &mut self,
        found: &'a [u8],
        grammar: &impl Grammar,
        line: usize,
        expected: &[u8],
        last: Option<u32>,
    ) -> Result<Option<(u32, f64, i64)>, Full> {
        match grammar.line(found) {
            Line::Reading { key, value, ts, wrong } => {
                if wrong {
                    self.unread(line, found);
                }
                let known = match last {
                    Some(last) if key == expected && !expected.is_empty() => Some(self.next_of(last)),
                    _ => self.ids.get(key).copied(),
                };
                let id = match known {
                    Some(id) => id,
                    None if grammar.is_key(key) => self.add_key(key)?,
                    None => {
                        self.unread(line, found);
                        return Ok(None);
                    }
                };
                if let Some(next) = last.and_then(|last| self.next.get_mut(last as usize)) {
                    *next = id;
                }
                return Ok(Some((id, value, ts)));
            }
            Line::Between => {
                if self.stretch.between.len() >= MOST_BETWEEN {
                    return Err(Full);
                }
                self.stretch.between.push(Between { row: self.stretch.series.len(), line, text: found });
            }
            Line::Note => {
                if self.notes.len() < MOST_KEYS && self.notes.insert(found) {
                    self.stretch.notes.push(found);
                }
            }
            Line::Nothing => {}
            Line::Unread => self.unread(line, found),
        }
        Ok(None)
    }

    fn unread(&mut self, line: usize, found: &'a [u8]) {
        if self.stretch.unread.len() < MOST_UNREAD {
            self.stretch.unread.push((line, found));
        } else {
            self.stretch.more_unread += 1;
        }
    }

    fn add_key(&mut self, key: &'a [u8]) -> Result<u32, Full> {
        let id = self.stretch.keys.len();
        if id >= MOST_KEYS {
            return Err(Full);
        }
        self.stretch.keys.push(key);
        self.next.push(u32::MAX);
        self.ids.insert(key, id as u32);
        Ok(id as u32)
    }
}

/// A limit was hit.
struct Full;

/// The value of a line that is the expected key, a plain number and a line end, and what follows the line.
#[inline]
fn fast<'a>(rest: &'a [u8], expected: &[u8]) -> Option<(f64, &'a [u8])> {
    if expected.is_empty() {
        return None;
    }
    let after = rest.strip_prefix(expected)?;
    let (value, length) = number::float(after.first_chunk()?)?;
    after.get(length..)?.strip_prefix(b"\n").map(|next| (value, next))
}

#[cfg(test)]
mod tests {
    use super::{Grammar, Line, NO_TIME, read};

    struct Plain;
    impl Grammar for Plain {
        fn line<'a>(&self, line: &'a [u8]) -> Line<'a> {
            let Some(at) = line.iter().position(|&byte| byte == b' ') else { return Line::Between };
            let (key, value) = line.split_at(at + 1);
            match std::str::from_utf8(value).ok().and_then(|value| value.parse().ok()) {
                Some(value) => Line::Reading { key, value, ts: NO_TIME, wrong: false },
                None => Line::Unread,
            }
        }
    }

    #[test]
    fn keys_in_another_order_are_found_again() {
        let found = read(b"a 1\nb 2\nc 3\n-\nc 4\na 5\nb 6\nb 7\nd x\n", &Plain, 100);
        assert_eq!(found.keys, [b"a ", b"b ", b"c "]);
        assert_eq!(found.series, [0, 1, 2, 2, 0, 1, 1]);
        assert_eq!(found.values, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
        assert_eq!(found.lines, [(0, 0), (3, 4)]);
        assert_eq!(found.unread, [(8, b"d x".as_slice())]);
        assert_eq!(found.line_count, 9);
    }

    #[test]
    fn reading_stops_at_the_limit_and_says_where() {
        let found = read(b"a 1\na 2\na 3\n", &Plain, 2);
        assert_eq!((found.values.len(), found.full), (2, Some(2)));
    }
}
