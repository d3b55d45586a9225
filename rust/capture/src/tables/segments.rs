//! `segments`: what happened to packets between two taps on their way.

use std::borrow::Cow;

use super::{Column, Get, Row, Table};
use crate::address::Address;

/// A row.
#[derive(Debug, Clone)]
#[allow(missing_docs)] // the columns below say it
pub struct Segment {
    pub tap_a: String,
    pub tap_b: String,
    pub src: Address,
    pub dst: Address,
    pub traffic: &'static str,
    pub sent: u64,
    pub matched: u64,
    pub lost: u64,
    pub witnessed: u64,
    pub missing_a: u64,
    pub missing_b: u64,
    pub elsewhere: u64,
    pub doubled: u64,
    pub marked: u64,
    pub damaged: u64,
    pub overtaken: Option<u64>,
    pub loss_share: Option<f64>,
    pub loss_low: Option<f64>,
    pub loss_high: Option<f64>,
    pub delay_min: Option<i64>,
    pub delay_median: Option<i64>,
    pub delay_p99: Option<i64>,
    pub delay_max: Option<i64>,
    pub uncertain: Option<i64>,
    pub routers: Option<u8>,
    pub order_by: Option<&'static str>,
    pub first_lost_ts: Option<i64>,
    pub first_lost_frame: Option<u64>,
    pub one_of: u64,
    pub reason: Option<String>,
}

impl Row for Segment {
    type Of<'a> = Self;
}

/// The table.
pub const SEGMENTS: Table<Segment> = Table {
    name: "segments",
    doc: "One row for each piece of the way between two taps, in the direction of the packets: what was seen at `tap_a` and what of it at `tap_b`. Filled when several captures of the same traffic are read together, or one of a mirror of ingress and egress.",
    columns: &[
        Column {
            name: "tap_a",
            unit: "",
            doc: "Capture before the segment.",
            get: Get::Text(|r| Some(Cow::Borrowed(&r.tap_a))),
        },
        Column { name: "tap_b", unit: "", doc: "Capture after it.", get: Get::Text(|r| Some(Cow::Borrowed(&r.tap_b))) },
        Column { name: "src", unit: "", doc: "Sender of the packets.", get: Get::Address(|r| Some(r.src)) },
        Column { name: "dst", unit: "", doc: "Their destination.", get: Get::Address(|r| Some(r.dst)) },
        Column { name: "traffic", unit: "", doc: "rdma, tcp or other.", get: Get::Word(|r| Some(r.traffic)) },
        Column {
            name: "sent",
            unit: "packets",
            doc: "Packets that passed tap_a on their way to tap_b, those included that were seen only later on.",
            get: Get::U64(|r| Some(r.sent)),
        },
        Column {
            name: "matched",
            unit: "packets",
            doc: "Those of them that passed tap_b.",
            get: Get::U64(|r| Some(r.matched)),
        },
        Column {
            name: "lost",
            unit: "packets",
            doc: "Those of them that were seen at tap_b and later on no more. Only packets are judged for which both captures ran.",
            get: Get::U64(|r| Some(r.lost)),
        },
        Column {
            name: "witnessed",
            unit: "packets",
            doc: "Lost ones that were sent again: the receiver missed them, too.",
            get: Get::U64(|r| Some(r.witnessed)),
        },
        Column {
            name: "missing_a",
            unit: "packets",
            doc: "Seen later on and not at tap_a: the capture there lost them.",
            get: Get::U64(|r| Some(r.missing_a)),
        },
        Column {
            name: "missing_b",
            unit: "packets",
            doc: "Likewise at tap_b: seen after it, or acknowledged and never sent again.",
            get: Get::U64(|r| Some(r.missing_b)),
        },
        Column {
            name: "elsewhere",
            unit: "packets",
            doc: "Packets of queue pairs that never pass tap_b and are answered all the same, and answers and datagrams of a queue pair of which none passes tap_b: they take another path, and are not counted above.",
            get: Get::U64(|r| Some(r.elsewhere)),
        },
        Column {
            name: "doubled",
            unit: "packets",
            doc: "Seen more often at tap_b than at tap_a.",
            get: Get::U64(|r| Some(r.doubled)),
        },
        Column {
            name: "marked",
            unit: "packets",
            doc: "CE at tap_b and not at tap_a: the congested queue is in between.",
            get: Get::U64(|r| Some(r.marked)),
        },
        Column {
            name: "damaged",
            unit: "packets",
            doc: "ICRC right at tap_a and wrong at tap_b: changed in between.",
            get: Get::U64(|r| Some(r.damaged)),
        },
        Column {
            name: "overtaken",
            unit: "packets",
            doc: "Packets that others overtook in between; null when there are too many packets to tell.",
            get: Get::U64(|r| r.overtaken),
        },
        Column { name: "loss_share", unit: "", doc: "lost / sent.", get: Get::F64(|r| r.loss_share) },
        Column {
            name: "loss_low",
            unit: "",
            doc: "Lower end of its 95 % interval (Wilson).",
            get: Get::F64(|r| r.loss_low),
        },
        Column { name: "loss_high", unit: "", doc: "Upper end.", get: Get::F64(|r| r.loss_high) },
        Column {
            name: "delay_min",
            unit: "ns",
            doc: "Shortest time from tap_a to tap_b, with the clocks put right; null when their offset is not known. Exact to `uncertain`.",
            get: Get::Duration(|r| r.delay_min),
        },
        Column { name: "delay_median", unit: "ns", doc: "The median.", get: Get::Duration(|r| r.delay_median) },
        Column { name: "delay_p99", unit: "ns", doc: "The 99th percentile.", get: Get::Duration(|r| r.delay_p99) },
        Column { name: "delay_max", unit: "ns", doc: "The longest.", get: Get::Duration(|r| r.delay_max) },
        Column {
            name: "uncertain",
            unit: "ns",
            doc: "Half of the range in which the offset of the clocks lies; the delays are uncertain by as much, all by the same.",
            get: Get::Duration(|r| r.uncertain),
        },
        Column {
            name: "routers",
            unit: "",
            doc: "How far the time to live went down in between.",
            get: Get::U8(|r| r.routers),
        },
        Column {
            name: "order_by",
            unit: "",
            doc: "How it is known which tap comes first: times (of packets both ways) or ttl.",
            get: Get::Word(|r| r.order_by),
        },
        Column {
            name: "first_lost_ts",
            unit: "UTC",
            doc: "When the first lost packet passed tap_a.",
            get: Get::Time(|r| r.first_lost_ts),
        },
        Column { name: "first_lost_frame", unit: "", doc: "Its frame there.", get: Get::U64(|r| r.first_lost_frame) },
        Column {
            name: "one_of",
            unit: "",
            doc: "Of so many packets one was compared; 1 for all. All counts are of those that were.",
            get: Get::U64(|r| Some(r.one_of)),
        },
        Column {
            name: "reason",
            unit: "",
            doc: "Why something is not known; null when all is.",
            get: Get::Text(|r| r.reason.as_deref().map(Cow::Borrowed)),
        },
    ],
};
