//! `control_events`: what control protocols say.

use std::borrow::Cow;

use super::{Column, Get, Row, Table};

/// A row.
#[derive(Debug, Clone)]
#[allow(missing_docs)] // the columns below say it
pub struct ControlEvent {
    pub source: String,
}

impl Row for ControlEvent {
    type Of<'a> = Self;
}

/// The table.
pub const CONTROL_EVENTS: Table<ControlEvent> = Table {
    name: "control_events",
    doc: "One row for each event of a control protocol.",
    columns: &[Column {
        name: "source",
        unit: "",
        doc: "Which capture.",
        get: Get::Text(|r| Some(Cow::Borrowed(&r.source))),
    }],
};
