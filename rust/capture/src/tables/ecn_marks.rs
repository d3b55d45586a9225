//! `ecn_marks`: ECN marks.

use std::borrow::Cow;

use super::{Column, Get, Row, Table};

/// A row.
#[derive(Debug, Clone)]
#[allow(missing_docs)] // the columns below say it
pub struct EcnMark {
    pub source: String,
}

impl Row for EcnMark {
    type Of<'a> = Self;
}

/// The table.
pub const ECN_MARKS: Table<EcnMark> = Table {
    name: "ecn_marks",
    doc: "One row for each direction and priority with packets marked CE.",
    columns: &[Column {
        name: "source",
        unit: "",
        doc: "Which capture.",
        get: Get::Text(|r| Some(Cow::Borrowed(&r.source))),
    }],
};
