//! A point in a capture: when, and in which frame.

use crate::tables::captured::Captured;

/// When something was seen, and the frame that showed it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    /// Nanoseconds since 1970; `None` where the capture has no times.
    pub ts: Option<i64>,
    /// Number of the packet.
    pub frame: u64,
}

impl Mark {
    /// Of this packet.
    pub fn of(row: &Captured<'_>) -> Self {
        Self { ts: row.ts, frame: row.frame }
    }

    /// Time from `earlier` to here; `None` when a time is not known, or the clock went back in between.
    pub fn since(self, earlier: Self) -> Option<i64> {
        self.ts?.checked_sub(earlier.ts?).filter(|span| *span >= 0)
    }
}

/// From one mark to another, when both are there.
pub fn span(from: Option<Mark>, to: Option<Mark>) -> Option<i64> {
    to?.since(from?)
}
