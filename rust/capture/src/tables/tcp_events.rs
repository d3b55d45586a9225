//! `tcp_events`: what happened to TCP connections.

use std::borrow::Cow;

use super::{Column, Get, Row, Table};

/// A row.
#[derive(Debug, Clone)]
#[allow(missing_docs)] // the columns below say it
pub struct TcpEvent {
    pub source: String,
}

impl Row for TcpEvent {
    type Of<'a> = Self;
}

/// The table.
pub const TCP_EVENTS: Table<TcpEvent> = Table {
    name: "tcp_events",
    doc: "One row for each retransmission, stall, reset or other event of a TCP connection.",
    columns: &[Column {
        name: "source",
        unit: "",
        doc: "Which capture.",
        get: Get::Text(|r| Some(Cow::Borrowed(&r.source))),
    }],
};
