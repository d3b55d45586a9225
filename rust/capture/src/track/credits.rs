//! Clear-to-send of receiver-driven traffic, as NCCL has it: the receiver WRITEs a small record for each message that it is
//! ready for, and only then the sender WRITEs the data and ends it with an immediate. Who kept whom waiting?
//!
//! Credits from before the capture are not known, but nobody sends without one. So the lowest count of records less messages
//! ever seen stands for none, or for more: what is counted above it is certain, what looks like none is certain only where
//! the beginning was seen or the count came back to its lowest several times.

use std::collections::VecDeque;

/// Longest record: eight receives of 64 bytes (NCCL's `ncclIbSendFifo`, 32 bytes each in older releases).
const LONGEST_RECORD: u32 = 512;
/// Records are multiples of this.
const RECORD: u32 = 32;
/// Last records kept: a receiver has no more of them under way (NCCL's `MAX_REQUESTS`).
const MOST_RECENT: usize = 32;
/// Times at the lowest count after which it is taken for none.
const OFTEN: u32 = 3;

/// Frame and time since the capture began.
pub type Seen = (u64, i64);

/// What a pair waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum State {
    /// All data was acknowledged, and the receiver gave no further credit.
    ReceiverLate,
    /// The sender had credit and sent nothing.
    SenderLate,
    /// Data was sent and not acknowledged.
    InFlightUnacked,
    /// Credit was sent and not acknowledged, or had to be sent again.
    CtsUnacked,
    /// The capture does not tell.
    Unknown,
}

impl State {
    /// The word in the columns.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ReceiverLate => "receiver-late",
            Self::SenderLate => "sender-late",
            Self::InFlightUnacked => "in-flight-unacked",
            Self::CtsUnacked => "cts-unacked",
            Self::Unknown => "unknown",
        }
    }
}

/// One direction of a queue pair, as a sender of data and as a sender of records; it is one of them.
#[derive(Debug, Default)]
pub struct Credits {
    /// Messages that ended with an immediate.
    pub messages: u64,
    /// Records.
    pub cts: u64,
    /// Receives that they stand for, in units of the shortest record.
    units: u64,
    unit: u32,
    recent: VecDeque<(Seen, u64)>,
    /// Lowest count of the peer's units less messages, and how often it was reached.
    lowest: Option<(i64, u32)>,
    /// The longest time without data.
    pub stall: Option<Stall>,
}

/// A time without data, and who is to blame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stall {
    /// The last data before it.
    pub since: Seen,
    /// How long.
    pub length: i64,
    /// What was waited for.
    pub state: State,
    /// The two frames that prove it.
    pub proof: (Option<u64>, Option<u64>),
}

/// What is known of the data's direction during a stall.
#[derive(Debug, Clone, Copy)]
pub struct Data {
    /// The last data before it.
    pub last: Seen,
    /// The first data after it; none when the capture ended.
    pub resumed: Option<u64>,
    /// When it, or the capture, ended.
    pub until: i64,
    /// When the last of the data before it was acknowledged.
    pub acknowledged: Option<i64>,
    /// The capture has the first packets of both directions.
    pub from_start: bool,
}

/// What is known of the records' direction.
#[derive(Debug, Clone, Copy)]
pub struct Peer<'p> {
    /// Its records.
    pub credits: &'p Credits,
    /// Some of them are not acknowledged.
    pub unacknowledged: bool,
    /// When it last had to send again.
    pub went_back: Option<i64>,
}

impl Credits {
    /// A WRITE in one packet without immediate that was not sent before: a record, if it is like one.
    pub fn on_write_only(&mut self, seen: Seen, len: Option<u32>) {
        let Some(len) = len.filter(|len| (RECORD..=LONGEST_RECORD).contains(len) && len % RECORD == 0) else { return };
        self.cts += 1;
        if self.unit == 0 || len < self.unit {
            self.unit = len;
        }
        self.units += u64::from(len / self.unit);
        if self.recent.len() >= MOST_RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back((seen, self.units));
    }

    /// A message ended with an immediate; `peer` is the direction that gives credit for it.
    pub fn on_message(&mut self, peer: Option<&Self>) {
        self.messages += 1;
        let Some(count) = peer.map(|peer| peer.units as i64 - self.messages as i64) else { return };
        self.lowest = match self.lowest {
            Some((lowest, times)) if lowest == count => Some((lowest, times.saturating_add(1))),
            Some((lowest, _)) if lowest < count => self.lowest,
            _ => Some((count, 1)),
        };
    }

    /// Only records were sent, of the `packets` that were.
    pub fn is_cts(&self, packets: u64) -> bool {
        self.cts > 0 && self.cts == packets
    }

    /// The last record.
    pub fn last_cts(&self) -> Option<Seen> {
        self.recent.back().map(|(seen, _)| *seen)
    }

    /// Credits that the sender of these messages has at least, of `units` given.
    fn at_least(&self, units: u64, from_start: bool) -> i64 {
        let count = units as i64 - self.messages as i64;
        let lowest = self.lowest.map_or(count, |(lowest, _)| lowest);
        count - if from_start { lowest.min(0) } else { lowest.min(count) }
    }

    /// Credits that it has at least in the end.
    pub fn left(&self, peer: &Self, from_start: bool) -> u64 {
        self.at_least(peer.units, from_start).max(0) as u64
    }

    /// Who was late, from the last data until it went on?
    pub fn judge(&self, data: &Data, peer: Option<&Peer<'_>>) -> Stall {
        let (state, proof) = self.blame(data, peer);
        Stall { since: data.last, length: data.until - data.last.1, state, proof }
    }

    fn blame(&self, data: &Data, peer: Option<&Peer<'_>>) -> (State, (Option<u64>, Option<u64>)) {
        let last = Some(data.last.0);
        let Some(acknowledged) = data.acknowledged else { return (State::InFlightUnacked, (last, data.resumed)) };
        let Some(peer) = peer else { return (State::Unknown, (last, data.resumed)) };
        let recent = &peer.credits.recent;
        let meanwhile = recent.iter().position(|((frame, _), _)| *frame > data.last.0);
        let before = match meanwhile {
            Some(0) => None, // more records than are kept: they are no credit that was there before
            Some(place) => recent.get(place - 1),
            None => recent.back(),
        };
        let given = before.map_or(0, |(_, units)| *units);
        let waiting_since = acknowledged.max(data.last.1);
        let sure = data.from_start || self.lowest.is_some_and(|(_, times)| times >= OFTEN);
        if before.is_some() && self.at_least(given, data.from_start) > 0 {
            return (State::SenderLate, (before.map(|((frame, _), _)| *frame), data.resumed.or(last)));
        }
        let Some(((frame, came), _)) = meanwhile.and_then(|place| recent.get(place)) else {
            // Data that goes on without credit had some, or the capture lacks it.
            let late = data.resumed.is_none() && sure;
            let state = if late { State::ReceiverLate } else { State::Unknown };
            return (state, (last, before.map(|((frame, _), _)| *frame)));
        };
        let repeated = peer.went_back.is_some_and(|at| at > data.last.1);
        if repeated || (data.resumed.is_none() && peer.unacknowledged) {
            return (State::CtsUnacked, (Some(*frame), data.resumed));
        }
        let (receiver, sender) = (came - waiting_since, data.until - came);
        // Where there may have been older credit, only data that follows the record at once shows that it waited for it.
        if receiver >= if sure { sender } else { sender.saturating_mul(4) } {
            (State::ReceiverLate, (last, Some(*frame)))
        } else if sender > receiver {
            (State::SenderLate, (Some(*frame), data.resumed.or(last)))
        } else {
            (State::Unknown, (last, Some(*frame)))
        }
    }
}
