//! One direction of a TCP connection, put in order: what arrives ahead of a hole waits, what comes again is dropped.
//!
//! The first copy of a byte wins, as in a receiver that already handed it on.

use std::collections::VecDeque;

use super::mark::Mark;

/// Bytes of one direction that wait for a hole to be filled: a window that a slow path may have under way.
pub const MOST_AHEAD: usize = 256 << 10;

/// Bytes that wait in all connections together.
pub const MOST_AHEAD_IN_ALL: usize = 32 << 20;

/// Segments that wait in one direction: small ones would cost more than their bytes.
const MOST_PIECES: usize = 4096;

/// How far ahead a segment can be and still belong to the stream: the largest window there is (RFC 7323).
const FARTHEST: i32 = 1 << 30;

/// Segments whose first passage is remembered until they are acknowledged; of older ones it is not known how long they
/// were on their way.
const MOST_SENT: usize = 64;

/// An acknowledgement that overtakes its data on the way to the tap is not so late.
const GRACE: i64 = 2_000_000;

/// A segment that waits.
#[derive(Debug)]
pub struct Piece {
    seq: u32,
    /// Its length on the wire.
    len: u32,
    /// What was captured of it.
    pub bytes: Vec<u8>,
    /// When it passed.
    at: Mark,
}

/// What to do with a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Everything from this offset on is next.
    Now(u32),
    /// All of it was delivered before.
    Again,
    /// It stands beyond a hole.
    Ahead,
    /// It belongs to no stream that could be this one.
    Stray,
}

/// What comes out of the waiting pieces.
#[derive(Debug)]
pub struct Next {
    /// Bytes before it that were never captured.
    pub gap: u32,
    /// Its captured bytes begin here.
    pub from: usize,
    /// Its bytes on the wire from there on.
    pub len: u32,
    /// The piece.
    pub piece: Piece,
    /// When it could be delivered: when the hole was filled, or without that, when it passed.
    pub at: Mark,
}

/// One direction.
#[derive(Debug, Default)]
pub struct Half {
    /// Sequence number that is due.
    pub next: Option<u32>,
    /// What the other side has acknowledged, and when it did so.
    pub acked: Option<(u32, Mark)>,
    /// When a hole first held something back.
    pub blocked: Option<Mark>,
    /// Sequence number of the FIN.
    pub fin: Option<u32>,
    /// The FIN was reached.
    pub ended: bool,
    ahead: VecDeque<Piece>,
    waiting: usize,
    sent: VecDeque<(u32, i64)>,
    /// Up to here it was counted how long loss held things up.
    counted: Option<i64>,
}

/// The signed distance from one sequence number to another (RFC 9293 section 3.4).
pub fn distance(from: u32, to: u32) -> i32 {
    to.wrapping_sub(from) as i32
}

impl Half {
    /// Where a segment with so many bytes on the wire belongs.
    pub fn place(&mut self, seq: u32, len: u32) -> Place {
        let next = *self.next.get_or_insert(seq);
        let ahead = distance(next, seq);
        if !(-FARTHEST..=FARTHEST).contains(&ahead) {
            Place::Stray
        } else if ahead > 0 {
            Place::Ahead
        } else {
            let known = ahead.unsigned_abs();
            if known >= len { Place::Again } else { Place::Now(known) }
        }
    }

    /// So many bytes were delivered, at this time.
    pub fn advance(&mut self, len: u32, at: Mark) {
        let Some(next) = &mut self.next else { return };
        *next = next.wrapping_add(len);
        if self.sent.len() == MOST_SENT {
            self.sent.pop_front();
        }
        if let Some(ts) = at.ts {
            self.sent.push_back((*next, ts));
        }
    }

    /// A segment ahead of a hole waits. False when there is no more room: the hole must be given up.
    pub fn keep(&mut self, seq: u32, len: u32, bytes: &[u8], at: Mark, mut spare: Vec<u8>, total: &mut usize) -> bool {
        if self.waiting + bytes.len() > MOST_AHEAD
            || *total + bytes.len() > MOST_AHEAD_IN_ALL
            || self.ahead.len() >= MOST_PIECES
        {
            return false;
        }
        self.blocked.get_or_insert(at);
        let place = self.ahead.partition_point(|piece| distance(piece.seq, seq) >= 0);
        if place > 0 && self.ahead.get(place - 1).is_some_and(|piece| piece.seq == seq && piece.len >= len) {
            return true; // it is there already
        }
        spare.clear();
        spare.extend_from_slice(bytes);
        self.waiting += bytes.len();
        *total += bytes.len();
        self.ahead.insert(place, Piece { seq, len, bytes: spare, at });
        true
    }

    /// The next waiting piece, when the hole before it is filled, or given up (`give_up`). It is delivered at `filled`, or
    /// without that when it passed.
    pub fn take(&mut self, filled: Option<Mark>, give_up: bool, total: &mut usize) -> Option<Next> {
        loop {
            let first = self.ahead.front()?;
            let next = self.next?;
            let ahead = distance(next, first.seq);
            if ahead > 0 && !give_up {
                return None;
            }
            let piece = self.ahead.pop_front()?;
            self.waiting -= piece.bytes.len();
            *total = total.saturating_sub(piece.bytes.len());
            let known = if ahead < 0 { ahead.unsigned_abs() } else { 0 };
            if known >= piece.len {
                continue;
            }
            let gap = ahead.max(0).unsigned_abs();
            let from = (known as usize).min(piece.bytes.len());
            let len = piece.len - known;
            let at = filled.unwrap_or(piece.at);
            self.next = Some(next.wrapping_add(gap));
            return Some(Next { gap, from, len, piece, at });
        }
    }

    /// Something waits behind a hole.
    pub fn is_waiting(&self) -> bool {
        !self.ahead.is_empty()
    }

    /// The receiver has what is missing here: this capture lost it.
    pub fn lost_by_capture(&self, now: Mark) -> bool {
        let (Some(first), Some((acked, at))) = (self.ahead.front(), self.acked) else { return false };
        distance(first.seq, acked) >= 0 && now.since(at).is_some_and(|since| since >= GRACE)
    }

    /// The other side acknowledges.
    pub fn on_ack(&mut self, ack: u32, at: Mark) {
        if self.acked.is_none_or(|(acked, _)| distance(acked, ack) > 0) {
            self.acked = Some((ack, at));
            while self.sent.front().is_some_and(|(end, _)| distance(*end, ack) >= 0) {
                self.sent.pop_front();
            }
        }
    }

    /// Of a time for which loss held things up, and which ends now, what was not counted yet: segments that were lost
    /// together are sent again together, and held things up once.
    pub fn held_up(&mut self, span: i64, now: Mark) -> i64 {
        let Some(ts) = now.ts else { return span };
        let uncounted = self.counted.map_or(span, |counted| span.min(ts.saturating_sub(counted))).max(0);
        self.counted = Some(self.counted.map_or(ts, |counted| counted.max(ts)));
        uncounted
    }

    /// A segment came again that is not acknowledged: how long since it first passed, or since it last came again.
    pub fn resent_after(&mut self, seq: u32, at: Mark) -> Option<i64> {
        if self.acked.is_some_and(|(acked, _)| distance(acked, seq) < 0) {
            return None;
        }
        let place = self.sent.partition_point(|(end, _)| distance(*end, seq) >= 0);
        let (_, first) = self.sent.get_mut(place)?;
        let since = at.ts?.checked_sub(*first).filter(|since| *since > 0)?;
        *first = at.ts?;
        Some(since)
    }
}
