//! One recovery of a sender: a draft with what was seen while it happened. [`super::settle`] judges it in the end.

use super::outstanding::Slot;
use crate::tables::loss_episodes::{Kind, Side};

/// What made the sender go back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// A NAK or RNR NAK.
    Nak,
    /// Nobody asked: its timer.
    Timeout,
}

/// Was the resend needed?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// Nothing speaks against it.
    Unknown,
    /// No: the first acknowledgement after it answered the originals, and was only late.
    AnswerWasLate,
    /// No: all originals were answered, one after the other, and then what was sent again as well.
    AllWereAnswered,
    /// No: the receiver had everything already, and takes what is sent again for duplicates.
    DataHadArrived,
}

/// An episode while the capture is read.
#[derive(Debug, Clone)]
#[allow(missing_docs)] // as the columns of `loss_episodes`
pub struct Draft {
    pub cause: Cause,
    pub kind: Kind,
    pub side: Option<Side>,
    pub hurt_response: bool,
    pub psn: u32,
    /// Where the sender went back to; differs from `psn` when the hole lies later.
    pub went_back_to: u32,
    pub ts: i64,
    pub sent_frame: Option<u64>,
    pub sent_ts: Option<i64>,
    pub nak_frame: Option<u64>,
    pub resend_frame: Option<u64>,
    pub resend_ts: Option<i64>,
    pub wait: Option<i64>,
    pub replayed: u32,
    /// Packets that had been sent and were not acknowledged when the sender went back, over all rounds.
    pub outstanding: u32,
    /// RNR timer code of the NAK.
    pub timer: Option<u8>,
    /// Times that the sender went back for it.
    pub rounds: u32,
    /// A timeout that was put before the tap because the run had a hole, or no end.
    pub by_hole: bool,
    /// ACKs, after the resend, for a PSN that had not asked for one: the receiver took it for a duplicate.
    pub unrequested_acks: u32,
    /// What the acknowledgements after the resend tell of its need.
    pub need: Need,
}

impl Draft {
    /// An episode that begins now, not yet judged.
    pub fn new(cause: Cause, psn: u32, ts: i64) -> Self {
        Self {
            cause,
            kind: Kind::NoAnswer,
            side: None,
            hurt_response: false,
            psn,
            went_back_to: psn,
            ts,
            sent_frame: None,
            sent_ts: None,
            nak_frame: None,
            resend_frame: None,
            resend_ts: None,
            wait: None,
            replayed: 0,
            outstanding: 0,
            timer: None,
            rounds: 1,
            by_hole: false,
            unrequested_acks: 0,
            need: Need::Unknown,
        }
    }

    /// Judges it.
    pub fn is(&mut self, kind: Kind, side: Option<Side>) {
        (self.kind, self.side) = (kind, side);
    }

    /// Judges it as something in which no packet was lost: it is about the requests that were sent again.
    pub fn nothing_lost(&mut self, kind: Kind, side: Option<Side>) {
        self.hurt_response = false;
        self.is(kind, side);
    }

    /// It is reordering: before this tap (`Source`) when the tap saw packets out of order, else unknown for now.
    pub fn reordered_at(&mut self, side: Option<Side>) {
        if self.kind != Kind::Reorder || side.is_some() {
            self.is(Kind::Reorder, side);
        }
    }

    /// Remembers the sighting that the episode is about.
    pub fn sent(&mut self, slot: &Slot) {
        if slot.seen() {
            (self.sent_frame, self.sent_ts) = (Some(slot.frame), Some(slot.ts));
        }
    }

    /// The sender went back.
    pub fn resent(&mut self, frame: u64, ts: i64) {
        (self.resend_frame, self.resend_ts) = (Some(frame), Some(ts));
        if self.wait.is_none() {
            let since = if self.cause == Cause::Nak { Some(self.ts) } else { self.sent_ts };
            self.wait = since.map(|since| ts - since);
        }
    }

    /// `request` or `response`.
    pub const fn hurt(&self) -> &'static str {
        if self.hurt_response { "response" } else { "request" }
    }

    /// `nak`, `timeout` or `none`.
    pub const fn recovered_by(&self) -> &'static str {
        match (self.resend_frame, self.cause) {
            (None, _) => "none",
            (Some(_), Cause::Nak) => "nak",
            (Some(_), Cause::Timeout) => "timeout",
        }
    }
}
