//! `cnp_rates`: congestion notifications, per queue pair that must slow down.

use std::borrow::Cow;

use super::{Column, Get, Row, Table};
use crate::address::Address;

/// A row.
#[derive(Debug, Clone)]
#[allow(missing_docs)] // the columns below say it
pub struct CnpRate {
    pub source: String,
    pub src: Address,
    pub dst: Address,
    pub dest_qp: u32,
    pub qp: Option<u32>,
    pub dscp: Option<u8>,
    pub cnps: u64,
    pub first_ts: Option<i64>,
    pub last_ts: Option<i64>,
    pub first_frame: u64,
    pub last_frame: u64,
    pub rate: Option<f64>,
    pub most_in_1ms: u64,
    pub most_in_10ms: u64,
    pub least_gap: Option<i64>,
    pub marks: Option<(f64, bool)>,
}

impl Row for CnpRate {
    type Of<'a> = Self;
}

/// The table.
pub const CNP_RATES: Table<CnpRate> = Table {
    name: "cnp_rates",
    doc: "One row for each queue pair that was told to slow down: the CNPs that `src`, a receiver of marked data, sent to `dest_qp` of `dst`, its sender.",
    columns: &[
        Column { name: "source", unit: "", doc: "Which capture.", get: Get::Text(|r| Some(Cow::Borrowed(&r.source))) },
        Column {
            name: "src",
            unit: "",
            doc: "Who received marked data and sends the CNPs.",
            get: Get::Address(|r| Some(r.src)),
        },
        Column {
            name: "dst",
            unit: "",
            doc: "Who sends that data and must slow down.",
            get: Get::Address(|r| Some(r.dst)),
        },
        Column { name: "dest_qp", unit: "", doc: "Queue pair of `dst`.", get: Get::U32(|r| Some(r.dest_qp)) },
        Column {
            name: "qp",
            unit: "",
            doc: "The direction of that data; joins `roce_qps.qp` of the same source; null when it could not be paired.",
            get: Get::U32(|r| r.qp),
        },
        Column {
            name: "dscp",
            unit: "",
            doc: "DSCP of the first CNP: it decides which queue it waits in on its way back.",
            get: Get::U8(|r| r.dscp),
        },
        Column { name: "cnps", unit: "packets", doc: "CNPs.", get: Get::U64(|r| Some(r.cnps)) },
        Column { name: "first_ts", unit: "UTC", doc: "The first.", get: Get::Time(|r| r.first_ts) },
        Column { name: "last_ts", unit: "UTC", doc: "The last.", get: Get::Time(|r| r.last_ts) },
        Column { name: "first_frame", unit: "", doc: "Frame of the first.", get: Get::U64(|r| Some(r.first_frame)) },
        Column { name: "last_frame", unit: "", doc: "Frame of the last.", get: Get::U64(|r| Some(r.last_frame)) },
        Column {
            name: "rate",
            unit: "1/s",
            doc: "Mean rate between the first and the last; null for one alone.",
            get: Get::F64(|r| r.rate),
        },
        Column {
            name: "peak_rate_1ms",
            unit: "1/s",
            doc: "Largest rate in a millisecond of the capture's clock.",
            get: Get::F64(|r| Some(r.most_in_1ms as f64 * 1e3)),
        },
        Column {
            name: "peak_rate_10ms",
            unit: "1/s",
            doc: "Largest rate in ten of them.",
            get: Get::F64(|r| Some(r.most_in_10ms as f64 * 1e2)),
        },
        Column {
            name: "least_gap",
            unit: "ns",
            doc: "Shortest time between two: a receiver keeps a least one (4 us on ConnectX by default, 50 us in the DCQCN paper), and this is at least that.",
            get: Get::Duration(|r| r.least_gap),
        },
        Column {
            name: "marks_rate",
            unit: "1/s",
            doc: "Estimate of the rate of CE marks that the receiver saw, c/(1-cN) with c the mean rate and N the shortest gap; null for fewer than ten CNPs.",
            get: Get::F64(|r| r.marks.map(|(rate, _)| rate)),
        },
        Column {
            name: "marks_rate_is_least",
            unit: "",
            doc: "The CNPs come nearly as fast as the receiver may send them, so `marks_rate` is only a lower bound: there was a mark for each CNP at least.",
            get: Get::Bool(|r| r.marks.map(|(_, least)| least)),
        },
    ],
};
