//! `tokens`: streamed answers, chunk by chunk.

use std::borrow::Cow;
use std::sync::Arc;

use super::{Column, Get, Row, Table};
use crate::track::requests::Kind;

/// A row, as small as it can be: there are millions.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)] // the columns below say it
pub struct Token {
    pub source: Arc<String>,
    pub frame: u64,
    pub ts: Nanoseconds,
    pub gap: Nanoseconds,
    pub request: u32,
    pub bytes: u32,
    pub events: u16,
    pub tokens: u16,
    pub kind: Kind,
}

/// Nanoseconds, or not known: half as large as an `Option`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Nanoseconds(i64);

impl From<Option<i64>> for Nanoseconds {
    fn from(known: Option<i64>) -> Self {
        Self(known.unwrap_or(i64::MIN))
    }
}

impl Nanoseconds {
    /// What is known.
    pub fn known(self) -> Option<i64> {
        (self.0 != i64::MIN).then_some(self.0)
    }
}

impl Row for Token {
    type Of<'a> = Self;
}

/// The table.
pub const TOKENS: Table<Token> = Table {
    name: "tokens",
    doc: "One row for each chunk of a streamed response: what its server wrote at once, as far as it could be delivered at one time.",
    columns: &[
        Column {
            name: "source",
            unit: "",
            doc: "Which capture.",
            get: Get::Text(|r| Some(Cow::Borrowed(r.source.as_str()))),
        },
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
        Column { name: "ts", unit: "UTC", doc: "Time of that frame.", get: Get::Time(|r| r.ts.known()) },
        Column { name: "bytes", unit: "B", doc: "Bytes of the response body in it.", get: Get::U32(|r| Some(r.bytes)) },
        Column {
            name: "gap",
            unit: "ns",
            doc: "Time since the chunk before it; null for the first, and where something in between was not captured.",
            get: Get::Duration(|r| r.gap.known()),
        },
        Column {
            name: "kind",
            unit: "",
            doc: "token; role-only (an event without content: role, usage, finish reason); comment (keep-alive); done (the end mark); error (an error inside the stream).",
            get: Get::Word(|r| Some(r.kind.name())),
        },
        Column {
            name: "events",
            unit: "",
            doc: "Events that end in it, of whatever kind.",
            get: Get::U32(|r| Some(r.events.into())),
        },
        Column {
            name: "tokens",
            unit: "",
            doc: "Events with content among them. An event may hold several tokens of the model (speculative decoding).",
            get: Get::U32(|r| Some(r.tokens.into())),
        },
    ],
};
