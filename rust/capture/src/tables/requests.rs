//! `requests`: requests and their phases.

use std::borrow::Cow;

use super::{Column, Get, Row, Table};

/// A row.
#[derive(Debug, Clone)]
#[allow(missing_docs)] // the columns below say it
pub struct Request {
    pub source: String,
}

impl Row for Request {
    type Of<'a> = Self;
}

/// The table.
pub const REQUESTS: Table<Request> = Table {
    name: "requests",
    doc: "One row for each DNS query or HTTP request.",
    columns: &[Column {
        name: "source",
        unit: "",
        doc: "Which capture.",
        get: Get::Text(|r| Some(Cow::Borrowed(&r.source))),
    }],
};
