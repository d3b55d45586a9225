//! `rnr_waits`: where a receiver was not ready.

use std::borrow::Cow;

use super::{Column, Get, Row, Table};

/// A row.
#[derive(Debug, Clone)]
#[allow(missing_docs)] // the columns below say it
pub struct RnrWait {
    pub source: String,
}

impl Row for RnrWait {
    type Of<'a> = Self;
}

/// The table.
pub const RNR_WAITS: Table<RnrWait> = Table {
    name: "rnr_waits",
    doc: "One row for each wait that an RNR NAK imposed.",
    columns: &[Column {
        name: "source",
        unit: "",
        doc: "Which capture.",
        get: Get::Text(|r| Some(Cow::Borrowed(&r.source))),
    }],
};
