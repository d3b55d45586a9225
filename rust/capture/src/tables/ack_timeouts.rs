//! `ack_timeouts`: ACK timeouts.

use std::borrow::Cow;

use super::{Column, Get, Row, Table};

/// A row.
#[derive(Debug, Clone)]
#[allow(missing_docs)] // the columns below say it
pub struct AckTimeout {
    pub source: String,
}

impl Row for AckTimeout {
    type Of<'a> = Self;
}

/// The table.
pub const ACK_TIMEOUTS: Table<AckTimeout> = Table {
    name: "ack_timeouts",
    doc: "One row for each time that a sender resent by its timer.",
    columns: &[Column {
        name: "source",
        unit: "",
        doc: "Which capture.",
        get: Get::Text(|r| Some(Cow::Borrowed(&r.source))),
    }],
};
