//! `ack_timeouts`: resends that nobody asked for: the sender's timer had expired.

use std::borrow::Cow;

use super::loss_episodes::{Kind, Side};
use super::{Column, Get, Row, Table};
use crate::address::Address;
use crate::rdma::timers;

/// A row.
#[derive(Debug, Clone)]
#[allow(missing_docs)] // the columns below say it
pub struct AckTimeout {
    pub source: String,
    pub qp: u32,
    pub src: Address,
    pub dst: Address,
    pub dest_qp: u32,
    pub psn: u32,
    pub ts: Option<i64>,
    pub frame: u64,
    pub sent_frame: Option<u64>,
    pub wait: Option<i64>,
    pub restarted: bool,
    pub silence: Option<i64>,
    pub round: u32,
    pub agreed: Option<i64>,
    pub kind: Kind,
    pub side: Option<Side>,
    pub hurt: &'static str,
}

impl Row for AckTimeout {
    type Of<'a> = Self;
}

impl AckTimeout {
    /// The sender's path to this tap is not always equally long: a wait may come out a little short.
    fn code(&self) -> Option<u8> {
        self.wait.filter(|_| !self.restarted).and_then(|wait| timers::longest_within(wait.saturating_add(wait / 100)))
    }
}

/// The table.
pub const ACK_TIMEOUTS: Table<AckTimeout> = Table {
    name: "ack_timeouts",
    doc: "One row for each time a sender went back by its own timer, without a NAK.",
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
        Column { name: "psn", unit: "", doc: "Where it went back to.", get: Get::U32(|r| Some(r.psn)) },
        Column { name: "ts", unit: "UTC", doc: "When the resend passed this tap.", get: Get::Time(|r| r.ts) },
        Column { name: "frame", unit: "", doc: "First packet of the resend.", get: Get::U64(|r| Some(r.frame)) },
        Column {
            name: "sent_frame",
            unit: "",
            doc: "Last sighting of that PSN before; null when this tap never saw it.",
            get: Get::U64(|r| r.sent_frame),
        },
        Column {
            name: "wait",
            unit: "ns",
            doc: "Time since that sighting; null when the PSN had not been seen.",
            get: Get::Duration(|r| r.wait),
        },
        Column {
            name: "silence",
            unit: "ns",
            doc: "Time since the last packet of the queue pair direction, either way.",
            get: Get::Duration(|r| r.silence),
        },
        Column {
            name: "round",
            unit: "",
            doc: "Which time in a row for this PSN, from 1.",
            get: Get::U32(|r| Some(r.round)),
        },
        Column {
            name: "timeout_code",
            unit: "",
            doc: "Largest code of a local ACK timeout (4.096 us times two to it) that fits `wait`, to one part in a hundred. A device may wait up to four times its timeout, so the code that was set may be smaller by up to two; null when nothing fits, or an acknowledgement of something before this PSN came by meanwhile, so that the timer began anew.",
            get: Get::U8(|r| r.code()),
        },
        Column {
            name: "timeout",
            unit: "ns",
            doc: "The time of that code.",
            get: Get::Duration(|r| r.code().map(timers::doubling)),
        },
        Column {
            name: "agreed_timeout",
            unit: "ns",
            doc: "Local ACK timeout that the connection manager agreed on; null when it was not heard.",
            get: Get::Duration(|r| r.agreed),
        },
        Column {
            name: "kind",
            unit: "",
            doc: "What was seen, as in `loss_episodes`.",
            get: Get::Word(|r| Some(r.kind.name())),
        },
        Column { name: "side", unit: "", doc: "As in `loss_episodes`.", get: Get::Word(|r| r.side.map(Side::name)) },
        Column {
            name: "hurt",
            unit: "",
            doc: "`request` or `response`, as in `loss_episodes`.",
            get: Get::Word(|r| Some(r.hurt)),
        },
    ],
};
