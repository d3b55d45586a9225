//! The labels that Wireshark would put on each segment, by the rules that its user guide gives ("TCP Analysis").
//!
//! They are kept beside the own analysis so that who knows Wireshark finds its words and numbers again. The state is
//! Wireshark's too: what each direction last said, not what is true of the connection.

use super::options::Offered;
use super::segment::Segment;
use super::sequence::{before, not_after};
use crate::track::conversations::{ACK, RST, SYN};

/// A set of labels.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Labels(pub u16);

impl Labels {
    pub const RETRANSMISSION: Self = Self(1);
    pub const FAST_RETRANSMISSION: Self = Self(1 << 1);
    pub const SPURIOUS_RETRANSMISSION: Self = Self(1 << 2);
    pub const OUT_OF_ORDER: Self = Self(1 << 3);
    pub const DUPLICATE_ACK: Self = Self(1 << 4);
    pub const ZERO_WINDOW: Self = Self(1 << 5);
    pub const ZERO_WINDOW_PROBE: Self = Self(1 << 6);
    pub const ZERO_WINDOW_PROBE_ACK: Self = Self(1 << 7);
    pub const KEEP_ALIVE: Self = Self(1 << 8);
    pub const KEEP_ALIVE_ACK: Self = Self(1 << 9);
    pub const LOST_SEGMENT: Self = Self(1 << 10);
    pub const ACK_LOST_SEGMENT: Self = Self(1 << 11);
    pub const WINDOW_FULL: Self = Self(1 << 12);
    pub const WINDOW_UPDATE: Self = Self(1 << 13);

    /// All, each with the words of Wireshark's packet list, the most telling first.
    pub const ALL: [(Self, &'static str); 14] = [
        (Self::SPURIOUS_RETRANSMISSION, "TCP Spurious Retransmission"),
        (Self::FAST_RETRANSMISSION, "TCP Fast Retransmission"),
        (Self::RETRANSMISSION, "TCP Retransmission"),
        (Self::OUT_OF_ORDER, "TCP Out-Of-Order"),
        (Self::ACK_LOST_SEGMENT, "TCP ACKed unseen segment"),
        (Self::LOST_SEGMENT, "TCP Previous segment not captured"),
        (Self::KEEP_ALIVE, "TCP Keep-Alive"),
        (Self::KEEP_ALIVE_ACK, "TCP Keep-Alive ACK"),
        (Self::DUPLICATE_ACK, "TCP Dup ACK"),
        (Self::ZERO_WINDOW_PROBE, "TCP ZeroWindowProbe"),
        (Self::ZERO_WINDOW_PROBE_ACK, "TCP ZeroWindowProbeAck"),
        (Self::ZERO_WINDOW, "TCP ZeroWindow"),
        (Self::WINDOW_FULL, "TCP Window Full"),
        (Self::WINDOW_UPDATE, "TCP Window Update"),
    ];

    pub const fn has(self, label: Self) -> bool {
        self.0 & label.0 != 0
    }

    /// The most telling of them, in Wireshark's words.
    pub fn word(self) -> Option<&'static str> {
        Self::ALL.iter().find(|(label, _)| self.has(*label)).map(|(_, word)| *word)
    }

    fn add(&mut self, label: Self) {
        self.0 |= label.0;
    }
}

/// How many segments have each label, in the order of the bits.
pub type Counts = [u32; 14];

/// After two duplicate ACKs a resend that comes this soon counts as fast.
const FAST_WITHIN: i64 = 20_000_000;
/// How soon a segment must follow to count as out of order while the handshake's round trip is not known.
const REORDERED_WITHIN: i64 = 3_000_000;

/// What one direction last said.
#[derive(Debug, Clone, Copy, Default)]
pub struct Said {
    /// The highest sequence number seen, plus one.
    pub next: Option<u32>,
    /// The same up to the first hole.
    pub contiguous: Option<u32>,
    pub ack: Option<u32>,
    pub window: Option<u16>,
    /// Times of the last segment, and of that which moved `next`.
    pub ts: i64,
    pub next_ts: i64,
    /// In a row.
    pub duplicate_acks: u32,
    last: Labels,
    heard: bool,
    /// The number before its first.
    pub base: Option<u32>,
    pub scale: Scale,
}

impl Said {
    /// The first byte that its window does not allow; `None` when the scale of the window is not known.
    pub fn edge(&self) -> Option<u32> {
        let (Scale::Shift(shift), Some(ack), Some(window)) = (self.scale, self.ack, self.window) else { return None };
        Some(ack.wrapping_add(u32::from(window) << shift))
    }
}

/// By how much the window of a direction is to be shifted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Scale {
    /// Its SYN was not seen.
    #[default]
    Unknown,
    /// By this much; 0 when its SYN did not offer it.
    Shift(u8),
}

/// Labels a segment of direction `fwd` and takes note of it. `first_round_trip` is that of the handshake, if seen.
#[inline]
pub fn label(fwd: &mut Said, rev: &mut Said, s: &Segment<'_>, first_round_trip: Option<i64>) -> Labels {
    let mut labels = Labels::default();
    let probe = s.len == 1 && Some(s.seq) == fwd.next && rev.window == Some(0);
    if probe {
        labels.add(Labels::ZERO_WINDOW_PROBE);
    } else {
        of_window_and_ack(fwd, rev, s, &mut labels);
    }
    if fwd.ack != Some(s.ack) {
        fwd.duplicate_acks = 0;
    }
    // Said once, until the other direction sends again.
    fwd.heard = true;
    if s.has(ACK) && rev.heard && rev.contiguous.is_some_and(|contiguous| before(contiguous, s.ack)) {
        labels.add(Labels::ACK_LOST_SEGMENT);
        rev.contiguous = rev.next;
        rev.heard = false;
    }
    if s.takes_space() && !labels.has(Labels::KEEP_ALIVE) {
        of_old_bytes(fwd, rev, s, first_round_trip, &mut labels);
    }
    note(fwd, s, labels);
    labels
}

fn of_window_and_ack(fwd: &mut Said, rev: &mut Said, s: &Segment<'_>, labels: &mut Labels) {
    let plain = !s.opens_or_ends();
    let at_next = Some(s.seq) == fwd.next;
    if s.window == 0 && plain {
        labels.add(Labels::ZERO_WINDOW);
    }
    if !s.has(RST) && fwd.next.is_some_and(|next| before(next, s.seq)) {
        labels.add(Labels::LOST_SEGMENT);
    }
    if !plain {
        return;
    }
    if s.len <= 1 && fwd.next.is_some_and(|next| next.wrapping_sub(1) == s.seq) {
        labels.add(Labels::KEEP_ALIVE);
    }
    if s.len > 0 {
        if rev.edge() == Some(s.seq.wrapping_add(s.len)) {
            labels.add(Labels::WINDOW_FULL);
        }
        return;
    }
    let repeats_ack = at_next && Some(s.ack) == fwd.ack;
    let repeats_window = Some(s.window) == fwd.window;
    if repeats_ack && s.window != 0 && !repeats_window {
        labels.add(Labels::WINDOW_UPDATE);
    }
    if at_next && s.window == 0 && repeats_window && rev.last.has(Labels::ZERO_WINDOW_PROBE) {
        let took = fwd.ack.is_some_and(|ack| ack.wrapping_add(1) == s.ack);
        if repeats_ack || took {
            labels.add(Labels::ZERO_WINDOW_PROBE_ACK);
            if took {
                // The receiver took the byte of the probe after all.
                rev.next = Some(s.ack);
                rev.contiguous = Some(s.ack);
            }
        }
        return;
    }
    if repeats_ack && s.window != 0 && repeats_window {
        if rev.last.has(Labels::KEEP_ALIVE) {
            labels.add(Labels::KEEP_ALIVE_ACK);
        } else {
            fwd.duplicate_acks = fwd.duplicate_acks.saturating_add(1);
            labels.add(Labels::DUPLICATE_ACK);
        }
    }
}

fn of_old_bytes(fwd: &Said, rev: &Said, s: &Segment<'_>, first_round_trip: Option<i64>, labels: &mut Labels) {
    let end = s.seq.wrapping_add(s.len);
    if s.len > 0 && rev.ack.is_some_and(|ack| not_after(end, ack)) {
        labels.add(Labels::SPURIOUS_RETRANSMISSION);
        return;
    }
    let Some(next) = fwd.next else { return };
    // One old byte before new ones was the byte of a probe into a closed window.
    if !before(s.seq, next) || s.len > 1 && next.wrapping_sub(1) == s.seq {
        return;
    }
    let fast = rev.duplicate_acks >= 2 && rev.ack == Some(s.seq) && s.ts.saturating_sub(rev.ts) < FAST_WITHIN;
    if fast {
        labels.add(Labels::FAST_RETRANSMISSION);
    } else if s.ts.saturating_sub(fwd.next_ts) < first_round_trip.unwrap_or(REORDERED_WITHIN) && s.end() != next {
        labels.add(Labels::OUT_OF_ORDER);
    } else {
        labels.add(Labels::RETRANSMISSION);
    }
}

#[inline]
fn note(fwd: &mut Said, s: &Segment<'_>, labels: Labels) {
    let end = s.end();
    let probe = labels.has(Labels::ZERO_WINDOW_PROBE);
    if !probe && fwd.next.is_none_or(|next| before(next, end)) {
        fwd.next = Some(end);
        fwd.next_ts = s.ts;
    }
    if !probe && fwd.contiguous.is_none_or(|contiguous| contiguous == s.seq) {
        fwd.contiguous = fwd.next;
    }
    fwd.window = Some(s.window);
    fwd.ack = s.has(ACK).then_some(s.ack);
    fwd.ts = s.ts;
    fwd.last = labels;
    if s.has(SYN) {
        fwd.scale = Scale::Shift(Offered::read(s.raw_options).window_scale.unwrap_or(0));
    }
}
