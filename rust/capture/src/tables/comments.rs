//! `comments`: comments in pcapng files.

use std::borrow::Cow;

use super::{Column, Get, Row, Table};

/// A row.
#[derive(Debug, Clone)]
#[allow(missing_docs)] // the columns below say it
pub struct Comment {
    pub source: String,
}

impl Row for Comment {
    type Of<'a> = Self;
}

/// The table.
pub const COMMENTS: Table<Comment> = Table {
    name: "comments",
    doc: "One row for each comment in a pcapng file.",
    columns: &[Column {
        name: "source",
        unit: "",
        doc: "Which capture.",
        get: Get::Text(|r| Some(Cow::Borrowed(&r.source))),
    }],
};
