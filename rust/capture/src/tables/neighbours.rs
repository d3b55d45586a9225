//! `neighbours`: who stands next to whom.

use std::borrow::Cow;

use super::{Column, Get, Row, Table};

/// A row.
#[derive(Debug, Clone)]
#[allow(missing_docs)] // the columns below say it
pub struct Neighbour {
    pub source: String,
}

impl Row for Neighbour {
    type Of<'a> = Self;
}

/// The table.
pub const NEIGHBOURS: Table<Neighbour> = Table {
    name: "neighbours",
    doc: "One row for each neighbour that announced itself (LLDP, CDP, LACP).",
    columns: &[Column {
        name: "source",
        unit: "",
        doc: "Which capture.",
        get: Get::Text(|r| Some(Cow::Borrowed(&r.source))),
    }],
};
