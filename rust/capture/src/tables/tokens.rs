//! `tokens`: streamed answers, chunk by chunk.

use std::borrow::Cow;
use std::sync::Arc;

use super::{Column, Get, Row, Table};

/// A row.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)] // the columns below say it
pub struct Token {
    pub source: Arc<str>,
    pub request: u32,
    pub frame: u64,
    pub ts: Option<i64>,
    pub bytes: u32,
    pub gap: Option<i64>,
    pub kind: &'static str,
    pub events: u32,
    pub tokens: u32,
}

impl Row for Token {
    type Of<'a> = Self;
}

/// The table.
pub const TOKENS: Table<Token> = Table {
    name: "tokens",
    doc: "One row for each chunk of a streamed response: what its server wrote at once, as far as it could be delivered at one time.",
    columns: &[
        Column { name: "source", unit: "", doc: "Which capture.", get: Get::Text(|r| Some(Cow::Borrowed(&r.source))) },
        Column {
            name: "request",
            unit: "",
            doc: "`requests.request` of its request.",
            get: Get::U32(|r| Some(r.request)),
        },
        Column {
            name: "frame",
            unit: "",
            doc: "Frame that completed it: of what waited behind a lost segment, the one that filled the hole.",
            get: Get::U64(|r| Some(r.frame)),
        },
        Column { name: "ts", unit: "UTC", doc: "Time of that frame.", get: Get::Time(|r| r.ts) },
        Column { name: "bytes", unit: "B", doc: "Bytes of the response body in it.", get: Get::U32(|r| Some(r.bytes)) },
        Column {
            name: "gap",
            unit: "ns",
            doc: "Time since the chunk before it; null for the first, and where something in between was not captured.",
            get: Get::Duration(|r| r.gap),
        },
        Column {
            name: "kind",
            unit: "",
            doc: "token; role-only (an event without content: role, usage, finish reason); comment (keep-alive); done (the end mark); error (an error inside the stream).",
            get: Get::Word(|r| Some(r.kind)),
        },
        Column {
            name: "events",
            unit: "",
            doc: "Events that end in it, of whatever kind.",
            get: Get::U32(|r| Some(r.events)),
        },
        Column {
            name: "tokens",
            unit: "",
            doc: "Events with content among them. An event may hold several tokens of the model (speculative decoding).",
            get: Get::U32(|r| Some(r.tokens)),
        },
    ],
};
