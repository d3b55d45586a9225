//! `problems`: what of a capture could not be read.

use std::borrow::Cow;

use super::{Column, Get, Row, Table};

/// A row.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)] // the columns below say it
pub struct ProblemRow {
    pub source: String,
    pub offset: u64,
    pub frame: u64,
    pub what: String,
    pub next: String,
}

impl Row for ProblemRow {
    type Of<'a> = Self;
}

/// The table.
pub const PROBLEMS: Table<ProblemRow> = Table {
    name: "problems",
    doc: "One row for each place where a file is damaged, each limit of the reader that was hit, and what else one should know before handing a capture on; what stands before damage was read.",
    columns: &[
        Column { name: "source", unit: "", doc: "Which file.", get: Get::Text(|r| Some(Cow::Borrowed(&r.source))) },
        Column {
            name: "offset",
            unit: "B",
            doc: "Where, from the start of the (uncompressed) capture.",
            get: Get::U64(|r| Some(r.offset)),
        },
        Column {
            name: "line",
            unit: "",
            doc: "Line of a text file; null for a capture, which has none.",
            get: Get::U64(|_| None),
        },
        Column {
            name: "frame",
            unit: "",
            doc: "The last packet before it; 0 when there is none.",
            get: Get::U64(|r| Some(r.frame)),
        },
        Column { name: "what", unit: "", doc: "What is wrong.", get: Get::Text(|r| Some(Cow::Borrowed(&r.what))) },
        Column {
            name: "next",
            unit: "",
            doc: "What was done about it, or can be.",
            get: Get::Text(|r| Some(Cow::Borrowed(&r.next))),
        },
    ],
};
