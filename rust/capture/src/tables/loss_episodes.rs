//! `loss_episodes`: one row for each time a sender had to send again, with what the tap proves of the reason.

use std::borrow::Cow;

use super::{Column, Get, Row, Table};
use crate::address::Address;

/// What an episode was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A request (or, for READ, a response) was lost.
    Loss,
    /// An acknowledgement was lost; the data had arrived.
    AckLoss,
    /// The timer expired, the request had passed this tap, and no answer came by: lost request or lost answer.
    NoAnswer,
    /// A whole packet with a wrong ICRC passed this tap and had to be sent again.
    Corrupt,
    /// Nothing was lost: packets arrived out of order and the receiver asked again.
    Reorder,
    /// Nothing was lost: the receiver had no buffer posted.
    ReceiverNotReady,
    /// Nothing was lost: the sender's timer is shorter than the way there and back.
    ShortTimer,
    /// The timer expired once although request and answer had arrived: the answer was late, or was lost after this
    /// tap. One round does not tell.
    LateAnswer,
}

impl Kind {
    /// The word in the `kind` column.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Loss => "loss",
            Self::AckLoss => "ack-loss",
            Self::NoAnswer => "no-answer",
            Self::Corrupt => "corrupt",
            Self::Reorder => "reorder",
            Self::ReceiverNotReady => "receiver-not-ready",
            Self::ShortTimer => "short-timer",
            Self::LateAnswer => "late-answer",
        }
    }
}

/// Which side of the tap, as seen by the traffic that was hurt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// Between the sender of the hurt packet and the tap: the tap never saw it (or saw it damaged).
    Source,
    /// Between the tap and the receiver of the hurt packet: it passed the tap.
    Destination,
}

impl Side {
    /// The word in the `side` column.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Destination => "destination",
        }
    }
}

/// A row.
#[derive(Debug, Clone)]
#[allow(missing_docs)] // the columns below say it
pub struct LossEpisode {
    pub source: String,
    pub qp: u32,
    pub src: Address,
    pub dst: Address,
    pub dest_qp: u32,
    pub kind: Kind,
    pub side: Option<Side>,
    pub hurt: &'static str,
    pub recovered_by: &'static str,
    pub psn: u32,
    pub ts: Option<i64>,
    pub sent_frame: Option<u64>,
    pub nak_frame: Option<u64>,
    pub resend_frame: Option<u64>,
    pub wait: Option<i64>,
    pub replayed: u32,
    pub rounds: u32,
}

impl Row for LossEpisode {
    type Of<'a> = Self;
}

/// The table.
pub const LOSS_EPISODES: Table<LossEpisode> = Table {
    name: "loss_episodes",
    doc: "One row for each time a sender of a reliable queue pair had to send again, with what this tap proves of the reason. One lost packet is one row, however many packets were replayed for it.",
    columns: &[
        Column { name: "source", unit: "", doc: "Which capture.", get: Get::Text(|r| Some(Cow::Borrowed(&r.source))) },
        Column {
            name: "qp",
            unit: "",
            doc: "The queue pair direction; joins `roce_qps.qp` of the same source.",
            get: Get::U32(|r| Some(r.qp)),
        },
        Column {
            name: "src",
            unit: "",
            doc: "Who sends the requests of that queue pair.",
            get: Get::Address(|r| Some(r.src)),
        },
        Column { name: "dst", unit: "", doc: "Who answers them.", get: Get::Address(|r| Some(r.dst)) },
        Column { name: "dest_qp", unit: "", doc: "Queue pair of `dst`.", get: Get::U32(|r| Some(r.dest_qp)) },
        Column {
            name: "kind",
            unit: "",
            doc: "`loss`, `ack-loss`, `no-answer` (lost request or lost answer), `corrupt`; and what only looks like loss: `reorder`, `receiver-not-ready`, `short-timer`, `late-answer` (the timer expired once although request and answer had passed).",
            get: Get::Word(|r| Some(r.kind.name())),
        },
        Column {
            name: "side",
            unit: "",
            doc: "`source` or `destination`: the side of this tap on which it happened, as seen by the traffic that was hurt; null where nothing was lost or the tap cannot know.",
            get: Get::Word(|r| r.side.map(Side::name)),
        },
        Column {
            name: "hurt",
            unit: "",
            doc: "`request` or `response`: which packets the episode is about. Responses travel from `dst` to `src`.",
            get: Get::Word(|r| Some(r.hurt)),
        },
        Column {
            name: "recovered_by",
            unit: "",
            doc: "`nak`, `timeout`, or `none` when the sender never came back to it.",
            get: Get::Word(|r| Some(r.recovered_by)),
        },
        Column {
            name: "psn",
            unit: "",
            doc: "The PSN that was missing, or to which the sender went back.",
            get: Get::U32(|r| Some(r.psn)),
        },
        Column {
            name: "ts",
            unit: "UTC",
            doc: "When the NAK, else the resend, passed this tap.",
            get: Get::Time(|r| r.ts),
        },
        Column {
            name: "sent_frame",
            unit: "",
            doc: "First sighting of the PSN before that; null when this tap never saw it.",
            get: Get::U64(|r| r.sent_frame),
        },
        Column {
            name: "nak_frame",
            unit: "",
            doc: "The NAK; null when there was none.",
            get: Get::U64(|r| r.nak_frame),
        },
        Column {
            name: "resend_frame",
            unit: "",
            doc: "The first packet of the resend; null when none was captured.",
            get: Get::U64(|r| r.resend_frame),
        },
        Column {
            name: "wait",
            unit: "ns",
            doc: "From the first sighting (else the NAK) to the resend; null when one of them is missing.",
            get: Get::Duration(|r| r.wait),
        },
        Column {
            name: "replayed",
            unit: "packets",
            doc: "Packets sent again in this recovery.",
            get: Get::U32(|r| Some(r.replayed)),
        },
        Column {
            name: "rounds",
            unit: "",
            doc: "Times that the sender went back for it. A timeout of one round may also be a host that was slow once; several rounds are not.",
            get: Get::U32(|r| Some(r.rounds)),
        },
    ],
};
