//! `ecn_marks`: ECN marks by flow and traffic class.

use std::borrow::Cow;

use super::{Column, Get, Row, Table};
use crate::address::Address;

/// A row.
#[derive(Debug, Clone)]
#[allow(missing_docs)] // the columns below say it
pub struct EcnMark {
    pub source: String,
    pub src: Address,
    pub dst: Address,
    pub dest_qp: u32,
    pub qp: Option<u32>,
    pub dscp: Option<u8>,
    pub pcp: Option<u8>,
    pub counts: [u64; 4],
    pub first_ce: Option<(u64, Option<i64>)>,
    pub last_ce: Option<(u64, Option<i64>)>,
    pub cnps_back: Option<u64>,
    pub congested: Option<&'static str>,
}

impl Row for EcnMark {
    type Of<'a> = Self;
}

impl EcnMark {
    fn packets(&self) -> u64 {
        self.counts.iter().sum()
    }

    fn share(&self) -> Option<f64> {
        let [_, ect1, ect0, ce] = self.counts;
        let capable = ect0 + ect1 + ce;
        (capable > 0).then(|| ce as f64 / capable as f64)
    }
}

/// The table.
pub const ECN_MARKS: Table<EcnMark> = Table {
    name: "ecn_marks",
    doc: "One row for each flow of RDMA packets (who, to which queue pair) and traffic class, with its ECN marks. Packets without an IP header or GRH have none.",
    columns: &[
        Column { name: "source", unit: "", doc: "Which capture.", get: Get::Text(|r| Some(Cow::Borrowed(&r.source))) },
        Column { name: "src", unit: "", doc: "Who sends.", get: Get::Address(|r| Some(r.src)) },
        Column { name: "dst", unit: "", doc: "Who receives.", get: Get::Address(|r| Some(r.dst)) },
        Column { name: "dest_qp", unit: "", doc: "Queue pair of `dst`.", get: Get::U32(|r| Some(r.dest_qp)) },
        Column {
            name: "qp",
            unit: "",
            doc: "The direction whose requests go this way; joins `roce_qps.qp` of the same source; null when only answers, notifications or datagrams do.",
            get: Get::U32(|r| r.qp),
        },
        Column {
            name: "dscp",
            unit: "",
            doc: "DSCP at this tap; null in a row that adds up the classes beyond the sixteenth of one flow.",
            get: Get::U8(|r| r.dscp),
        },
        Column { name: "pcp", unit: "", doc: "VLAN priority at this tap.", get: Get::U8(|r| r.pcp) },
        Column { name: "packets", unit: "packets", doc: "All of them.", get: Get::U64(|r| Some(r.packets())) },
        Column {
            name: "not_ect",
            unit: "packets",
            doc: "Not ECN capable: a congested switch drops these instead of marking them.",
            get: Get::U64(|r| Some(r.counts[0])),
        },
        Column {
            name: "ect0",
            unit: "packets",
            doc: "ECT(0), capable and not marked.",
            get: Get::U64(|r| Some(r.counts[2])),
        },
        Column { name: "ect1", unit: "packets", doc: "ECT(1), likewise.", get: Get::U64(|r| Some(r.counts[1])) },
        Column {
            name: "ce",
            unit: "packets",
            doc: "Marked CE: a switch before this tap was congested.",
            get: Get::U64(|r| Some(r.counts[3])),
        },
        Column {
            name: "ce_share",
            unit: "0 to 1",
            doc: "Marked of those that are capable; null when none is.",
            get: Get::F64(|r| r.share()),
        },
        Column {
            name: "first_ce_frame",
            unit: "",
            doc: "Frame of the first mark.",
            get: Get::U64(|r| r.first_ce.map(|(frame, _)| frame)),
        },
        Column {
            name: "last_ce_frame",
            unit: "",
            doc: "Frame of the last mark.",
            get: Get::U64(|r| r.last_ce.map(|(frame, _)| frame)),
        },
        Column { name: "first_ce_ts", unit: "UTC", doc: "Time of the first mark.", get: Get::Time(|r| r.first_ce?.1) },
        Column { name: "last_ce_ts", unit: "UTC", doc: "Time of the last mark.", get: Get::Time(|r| r.last_ce?.1) },
        Column {
            name: "cnps_back",
            unit: "packets",
            doc: "CNPs that the receiver sent back for this direction; null when its sender's queue pair is not known.",
            get: Get::U64(|r| r.cnps_back),
        },
        Column {
            name: "congested",
            unit: "",
            doc: "`before this tap` where marks were seen here; `after this tap` where none was, and the receiver sent CNPs all the same; null where neither tells.",
            get: Get::Word(|r| r.congested),
        },
    ],
};
