//! `segment_losses`: the packets that were lost between two taps.

use std::borrow::Cow;

use super::{Column, Get, Row, Table};
use crate::address::Address;

/// A row.
#[derive(Debug, Clone)]
#[allow(missing_docs)] // the columns below say it
pub struct SegmentLoss {
    pub tap_a: String,
    pub frame_a: u64,
    pub ts: i64,
    pub tap_b: String,
    pub src: Address,
    pub dst: Address,
    pub traffic: &'static str,
    pub dest_qp: Option<u32>,
    pub psn: Option<u32>,
    pub opcode: Option<String>,
    pub resent_frame: Option<u64>,
}

impl Row for SegmentLoss {
    type Of<'a> = Self;
}

/// The table.
pub const SEGMENT_LOSSES: Table<SegmentLoss> = Table {
    name: "segment_losses",
    doc: "One row for each packet that was seen at `tap_a` and neither at `tap_b` nor later on: the first ten thousand of each segment.",
    columns: &[
        Column {
            name: "tap_a",
            unit: "",
            doc: "The last capture that has it.",
            get: Get::Text(|r| Some(Cow::Borrowed(&r.tap_a))),
        },
        Column { name: "frame_a", unit: "", doc: "Its frame there.", get: Get::U64(|r| Some(r.frame_a)) },
        Column { name: "ts", unit: "UTC", doc: "When it passed there.", get: Get::Time(|r| Some(r.ts)) },
        Column {
            name: "tap_b",
            unit: "",
            doc: "The next capture, which does not have it.",
            get: Get::Text(|r| Some(Cow::Borrowed(&r.tap_b))),
        },
        Column { name: "src", unit: "", doc: "Its sender.", get: Get::Address(|r| Some(r.src)) },
        Column { name: "dst", unit: "", doc: "Its destination.", get: Get::Address(|r| Some(r.dst)) },
        Column { name: "traffic", unit: "", doc: "rdma, tcp or other.", get: Get::Word(|r| Some(r.traffic)) },
        Column {
            name: "dest_qp",
            unit: "",
            doc: "Destination queue pair of an RDMA packet.",
            get: Get::U32(|r| r.dest_qp),
        },
        Column { name: "psn", unit: "", doc: "Its PSN.", get: Get::U32(|r| r.psn) },
        Column {
            name: "opcode",
            unit: "",
            doc: "Its opcode.",
            get: Get::Text(|r| r.opcode.as_deref().map(Cow::Borrowed)),
        },
        Column {
            name: "resent_frame",
            unit: "",
            doc: "Frame at tap_a in which the same PSN was sent again; null when it was not, as answers never are.",
            get: Get::U64(|r| r.resent_frame),
        },
    ],
};
