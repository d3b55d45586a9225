//! `rnr_waits`: receivers that had no buffer posted, and how long the sender waited.

use std::borrow::Cow;

use super::{Column, Get, Row, Table};
use crate::address::Address;
use crate::rdma::timers;

/// A row.
#[derive(Debug, Clone)]
#[allow(missing_docs)] // the columns below say it
pub struct RnrWait {
    pub source: String,
    pub qp: u32,
    pub src: Address,
    pub dst: Address,
    pub dest_qp: u32,
    pub psn: u32,
    pub ts: Option<i64>,
    pub sent_frame: Option<u64>,
    pub nak_frame: Option<u64>,
    pub timer_code: u8,
    pub resend_frame: Option<u64>,
    pub wait: Option<i64>,
    pub round: u32,
}

impl Row for RnrWait {
    type Of<'a> = Self;
}

/// The table.
pub const RNR_WAITS: Table<RnrWait> = Table {
    name: "rnr_waits",
    doc: "One row for each RNR NAK: the receiver had no buffer posted for a request, and asked the sender to wait.",
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
        Column { name: "psn", unit: "", doc: "The request that found no buffer.", get: Get::U32(|r| Some(r.psn)) },
        Column { name: "ts", unit: "UTC", doc: "When the NAK passed this tap.", get: Get::Time(|r| r.ts) },
        Column {
            name: "sent_frame",
            unit: "",
            doc: "Last sighting of the request before it; null when this tap never saw it.",
            get: Get::U64(|r| r.sent_frame),
        },
        Column { name: "nak_frame", unit: "", doc: "The NAK.", get: Get::U64(|r| r.nak_frame) },
        Column {
            name: "timer_code",
            unit: "",
            doc: "RNR timer code of the NAK, 0 to 31.",
            get: Get::U8(|r| Some(r.timer_code)),
        },
        Column {
            name: "timer",
            unit: "ns",
            doc: "Least time that the sender must wait for it.",
            get: Get::Duration(|r| Some(timers::receiver_not_ready(r.timer_code))),
        },
        Column {
            name: "resend_frame",
            unit: "",
            doc: "First packet of the resend; null when none was captured: the sender gave up, or the capture ended.",
            get: Get::U64(|r| r.resend_frame),
        },
        Column {
            name: "wait",
            unit: "ns",
            doc: "From the NAK to the resend at this tap.",
            get: Get::Duration(|r| r.wait),
        },
        Column {
            name: "round",
            unit: "",
            doc: "Which NAK in a row for this PSN, from 1. A sender with RNR retry 7 goes on for ever.",
            get: Get::U32(|r| Some(r.round)),
        },
    ],
};
