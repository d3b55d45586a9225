//! `credits`: NCCL clear-to-send credits.

use std::borrow::Cow;

use super::{Column, Get, Row, Table};

/// A row.
#[derive(Debug, Clone)]
#[allow(missing_docs)] // the columns below say it
pub struct Credit {
    pub source: String,
}

impl Row for Credit {
    type Of<'a> = Self;
}

/// The table.
pub const CREDITS: Table<Credit> = Table {
    name: "credits",
    doc: "One row for each pair of queue pairs that looks like an NCCL connection.",
    columns: &[Column {
        name: "source",
        unit: "",
        doc: "Which capture.",
        get: Get::Text(|r| Some(Cow::Borrowed(&r.source))),
    }],
};
