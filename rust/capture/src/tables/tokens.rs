//! `tokens`: streamed answers, chunk by chunk.

use std::borrow::Cow;

use super::{Column, Get, Row, Table};

/// A row.
#[derive(Debug, Clone)]
#[allow(missing_docs)] // the columns below say it
pub struct Token {
    pub source: String,
}

impl Row for Token {
    type Of<'a> = Self;
}

/// The table.
pub const TOKENS: Table<Token> = Table {
    name: "tokens",
    doc: "One row for each chunk of a streamed response.",
    columns: &[Column {
        name: "source",
        unit: "",
        doc: "Which capture.",
        get: Get::Text(|r| Some(Cow::Borrowed(&r.source))),
    }],
};
