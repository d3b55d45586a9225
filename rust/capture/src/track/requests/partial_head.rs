//! A head that comes in several segments, collected until it is whole.

use super::head;
use super::mark::Mark;

/// Bytes of a head that are kept until it is whole.
const MOST_HEAD: usize = 64 << 10;

/// A head that is not whole yet.
#[derive(Debug, Default)]
pub struct Partial {
    /// What there is of it.
    pub bytes: Vec<u8>,
    /// When its first byte passed.
    pub begin: Option<Mark>,
}

/// A head, whole or as whole as it will be.
pub enum Collected {
    /// It is at the front of the bytes given, so long.
    Here(usize),
    /// It had begun before; so many of the bytes given belong to it.
    Kept(Vec<u8>, usize),
    /// It is longer than is kept.
    TooLong(Vec<u8>),
}

impl Partial {
    /// Adds bytes; gives the head when it is whole, or when no more of it is kept.
    pub fn collect(&mut self, bytes: &[u8]) -> Option<Collected> {
        if self.bytes.is_empty()
            && let Some(len) = head::end(bytes, 0)
        {
            return Some(Collected::Here(len));
        }
        let before = self.bytes.len();
        let room = MOST_HEAD - before.min(MOST_HEAD);
        self.bytes.extend_from_slice(bytes.get(..room).unwrap_or(bytes));
        match head::end(&self.bytes, before.saturating_sub(3)) {
            Some(len) => {
                self.bytes.truncate(len);
                Some(Collected::Kept(std::mem::take(&mut self.bytes), len - before.min(len)))
            }
            None if self.bytes.len() >= MOST_HEAD => Some(Collected::TooLong(std::mem::take(&mut self.bytes))),
            None => None,
        }
    }
}

impl Collected {
    /// The head, and how many of the bytes that were added last belong to it.
    pub fn of<'a>(&'a self, bytes: &'a [u8]) -> (&'a [u8], usize) {
        match self {
            Self::Here(len) => (bytes.get(..*len).unwrap_or(bytes), *len),
            Self::Kept(whole, used) => (whole, *used),
            Self::TooLong(whole) => (whole, bytes.len()),
        }
    }
}
