//! `comments`: what people and tools wrote beside the packets of a pcapng file.

use std::borrow::Cow;

use super::{Column, Get, Row, Table};

/// A row.
#[derive(Debug, Clone)]
#[allow(missing_docs)] // the columns below say it
pub struct Comment {
    pub source: String,
    pub kind: &'static str,
    pub frame: Option<u64>,
    pub interface: Option<u32>,
    pub text: String,
}

impl Row for Comment {
    type Of<'a> = Self;
}

/// The table.
pub const COMMENTS: Table<Comment> = Table {
    name: "comments",
    doc: "One row for each comment in a pcapng file, in file order.",
    columns: &[
        Column { name: "source", unit: "", doc: "Which capture.", get: Get::Text(|r| Some(Cow::Borrowed(&r.source))) },
        Column {
            name: "kind",
            unit: "",
            doc: "What it is beside: section (the file, or a part of it that one tool wrote), interface, packet, or the statistics of an interface.",
            get: Get::Word(|r| Some(r.kind)),
        },
        Column { name: "frame", unit: "", doc: "The packet; null for the other kinds.", get: Get::U64(|r| r.frame) },
        Column {
            name: "interface",
            unit: "",
            doc: "The interface, as in `packets` and `interfaces`; null for a section.",
            get: Get::U32(|r| r.interface),
        },
        Column {
            name: "text",
            unit: "",
            doc: "What it says, as it was written, up to 16 KiB.",
            get: Get::Text(|r| Some(Cow::Borrowed(&r.text))),
        },
    ],
};
