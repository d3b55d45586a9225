//! `mirrors`: the mirror sessions whose copies were captured, and what of them was lost.

use std::borrow::Cow;

use super::{Column, Get, Row, Table};
use crate::address::Address;

/// A row.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)] // the columns below say it
pub struct MirrorRow {
    pub source: String,
    pub switch: Option<Address>,
    pub collector: Option<Address>,
    pub session: Option<u16>,
    pub packets: u64,
    pub first_frame: u64,
    pub last_frame: u64,
    pub missing: Option<u64>,
    pub gap_frame: Option<u64>,
    pub late: u64,
    pub copies: Option<u64>,
    pub restarts: u64,
}

impl Row for MirrorRow {
    type Of<'a> = Self;
}

/// The table.
pub const MIRRORS: Table<MirrorRow> = Table {
    name: "mirrors",
    doc: "One row for each ERSPAN session: the copies that a switch made of packets, and how many of them never came.",
    columns: &[
        Column { name: "source", unit: "", doc: "Which capture.", get: Get::Text(|r| Some(Cow::Borrowed(&r.source))) },
        Column {
            name: "switch",
            unit: "",
            doc: "Who mirrors: source of the outermost packet.",
            get: Get::Address(|r| r.switch),
        },
        Column { name: "collector", unit: "", doc: "Whereto.", get: Get::Address(|r| r.collector) },
        Column {
            name: "session",
            unit: "",
            doc: "ERSPAN session; null for type I, which has none.",
            get: Get::U16(|r| r.session),
        },
        Column {
            name: "packets",
            unit: "packets",
            doc: "Copies that were captured.",
            get: Get::U64(|r| Some(r.packets)),
        },
        Column { name: "first_frame", unit: "", doc: "First of them.", get: Get::U64(|r| Some(r.first_frame)) },
        Column { name: "last_frame", unit: "", doc: "Last of them.", get: Get::U64(|r| Some(r.last_frame)) },
        Column {
            name: "missing",
            unit: "packets",
            doc: "Copies that the switch sent and numbered and that are not in the capture: lost on the way here, or by the capture; null when it does not number them. What the mirror port itself dropped before it was numbered is not in it.",
            get: Get::U64(|r| r.missing),
        },
        Column {
            name: "gap_frame",
            unit: "",
            doc: "First packet after a missing one; null when none is missing.",
            get: Get::U64(|r| r.gap_frame),
        },
        Column {
            name: "late",
            unit: "packets",
            doc: "Copies that came after one with a higher number.",
            get: Get::U64(|r| Some(r.late)),
        },
        Column {
            name: "copies",
            unit: "packets",
            doc: "Numbers that came again; null when the switch does not number.",
            get: Get::U64(|r| r.copies),
        },
        Column {
            name: "restarts",
            unit: "",
            doc: "Times that the count began anew, or jumped by more than 65536: no loss is claimed for these.",
            get: Get::U64(|r| Some(r.restarts)),
        },
    ],
};
