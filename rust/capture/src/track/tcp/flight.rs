//! The bytes of one direction: which are on their way, which were never seen, and which are acknowledged.

use std::collections::VecDeque;

use super::segment::Segment;
use super::sequence::{before, later, not_after};

/// Segments on their way that are remembered for each direction: the window of 100 Gb/s over 100 µs in full frames, and
/// more than any sender has under way on a path that works. Of further ones neither round trip nor first sending is known.
const MOST_OUTSTANDING: usize = 1024;
/// Holes remembered for each direction: more than this many separate losses in one window are not told apart.
const MOST_HOLES: usize = 64;

/// A segment of new bytes that passed.
#[derive(Debug, Clone, Copy)]
pub struct Sent {
    pub start: u32,
    pub end: u32,
    pub first_ts: i64,
    pub last_ts: i64,
    pub frame: u64,
    pub id: Option<u16>,
    /// How often it passed.
    pub times: u16,
}

/// Bytes that did not pass although later ones did.
#[derive(Debug, Clone, Copy)]
pub struct Hole {
    pub start: u32,
    pub end: u32,
    /// Of the segment that skipped them, or of the ACK that knew of them.
    pub ts: i64,
    pub frame: u64,
    pub id: Option<u16>,
    pub tsval: Option<u32>,
    /// They were acknowledged before they passed.
    pub acked: bool,
}

/// What an acknowledgement covered.
#[derive(Debug, Default)]
pub struct Covered {
    /// The last segment that it covered whole.
    pub latest: Option<Sent>,
    /// The largest of them, in bytes.
    pub largest: u32,
    /// How many.
    pub count: u64,
}

/// One direction.
#[derive(Debug, Default)]
pub struct Flight {
    sent: VecDeque<Sent>,
    holes: Vec<Hole>,
    /// After the highest byte that passed or was acknowledged.
    pub next: Option<u32>,
    /// Everything before it is acknowledged.
    pub acked: Option<u32>,
    /// The first byte that passed; later the first not acknowledged.
    floor: Option<u32>,
    /// Segments or holes were more than are remembered.
    pub overflowed: bool,
}

impl Flight {
    /// Something is on its way.
    pub fn outstanding(&self) -> bool {
        matches!((self.acked, self.next), (Some(acked), Some(next)) if before(acked, next))
            || self.acked.is_none() && !self.sent.is_empty()
    }

    /// Bytes on their way.
    pub fn bytes(&self) -> u32 {
        match (self.acked, self.next) {
            (Some(acked), Some(next)) if before(acked, next) => next.wrapping_sub(acked),
            _ => 0,
        }
    }

    /// New bytes from `next` on passed; those skipped are a hole. `remember` them, unless nobody answers here. True when
    /// one more is remembered than before.
    #[inline]
    pub fn advance(&mut self, s: &Segment<'_>, start: u32, end: u32, remember: bool) -> bool {
        match self.next {
            Some(next) if before(next, start) => self.skip(Hole {
                start: next,
                end: start,
                ts: s.ts,
                frame: s.frame,
                id: s.id,
                tsval: s.options.timestamps.map(|(value, _)| value),
                acked: false,
            }),
            Some(_) => {}
            None => self.floor = Some(start),
        }
        self.next = Some(end);
        if !remember {
            return false;
        }
        let full = self.sent.len() >= MOST_OUTSTANDING;
        if full {
            self.sent.pop_front();
            self.overflowed = true;
        }
        self.sent.push_back(Sent { start, end, first_ts: s.ts, last_ts: s.ts, frame: s.frame, id: s.id, times: 1 });
        !full
    }

    #[cold]
    fn skip(&mut self, hole: Hole) {
        if self.holes.len() >= MOST_HOLES {
            self.holes.remove(0);
            self.overflowed = true;
        }
        self.holes.push(hole);
    }

    /// The first hole in the range. What the range covers of any hole is a hole no more.
    pub fn fill(&mut self, start: u32, end: u32) -> Option<Hole> {
        let at = self.holes.iter().position(|hole| overlaps(hole, start, end))?;
        let found = self.holes[at];
        let mut kept = Vec::with_capacity(self.holes.len() + 1);
        for hole in &self.holes {
            if !overlaps(hole, start, end) {
                kept.push(*hole);
                continue;
            }
            if before(hole.start, start) {
                kept.push(Hole { end: start, ..*hole });
            }
            if before(end, hole.end) {
                kept.push(Hole { start: end, ..*hole });
            }
        }
        kept.truncate(MOST_HOLES);
        self.holes = kept;
        Some(found)
    }

    /// The segment with this byte, if it is remembered.
    pub fn sent(&mut self, start: u32) -> Option<&mut Sent> {
        let after = self.sent.partition_point(|sent| not_after(sent.start, start));
        self.sent.get_mut(after.checked_sub(1)?).filter(|sent| before(start, sent.end))
    }

    /// Bytes before `ack` arrived. Holes among them go to `gaps`.
    #[inline]
    pub fn acknowledge(&mut self, ack: u32, gaps: &mut Vec<Hole>) -> Covered {
        let mut covered = Covered::default();
        while let Some(sent) = self.sent.front().filter(|sent| not_after(sent.end, ack)) {
            covered.largest = covered.largest.max(sent.end.wrapping_sub(sent.start));
            covered.latest = Some(*sent);
            covered.count += 1;
            self.sent.pop_front();
        }
        self.acked = Some(ack);
        self.floor = self.floor.map(|floor| later(floor, ack));
        if !self.holes.is_empty() {
            self.close_holes(ack, gaps);
        }
        covered
    }

    #[cold]
    fn close_holes(&mut self, ack: u32, gaps: &mut Vec<Hole>) {
        self.holes.retain_mut(|hole| {
            if hole.acked || !before(hole.start, ack) {
                return true;
            }
            let rest = before(ack, hole.end);
            gaps.push(Hole { end: if rest { ack } else { hole.end }, ..*hole });
            hole.start = ack;
            rest
        });
    }

    /// Bytes up to `ack` are acknowledged that did not pass.
    #[cold]
    pub fn acknowledged_unseen(&mut self, hole: Hole) {
        self.next = Some(hole.end);
        self.skip(hole);
    }

    /// Nothing more will come of it. How many segments are forgotten.
    pub fn close(&mut self) -> u64 {
        self.holes = Vec::new();
        std::mem::take(&mut self.sent).len() as u64
    }

    /// Holes are remembered.
    pub fn has_holes(&self) -> bool {
        !self.holes.is_empty()
    }

    /// Bytes from before all that was seen.
    pub fn before_all(&self, start: u32) -> bool {
        self.floor.is_some_and(|floor| before(start, floor))
    }
}

fn overlaps(hole: &Hole, start: u32, end: u32) -> bool {
    before(hole.start, end) && before(start, hole.end)
}

#[cfg(test)]
mod tests;
