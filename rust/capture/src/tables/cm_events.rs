//! `cm_events`: connection management.

use std::borrow::Cow;

use super::{Column, Get, Row, Table};

/// A row.
#[derive(Debug, Clone)]
#[allow(missing_docs)] // the columns below say it
pub struct CmEvent {
    pub source: String,
}

impl Row for CmEvent {
    type Of<'a> = Self;
}

/// The table.
pub const CM_EVENTS: Table<CmEvent> = Table {
    name: "cm_events",
    doc: "One row for each CM message or other MAD.",
    columns: &[Column {
        name: "source",
        unit: "",
        doc: "Which capture.",
        get: Get::Text(|r| Some(Cow::Borrowed(&r.source))),
    }],
};
