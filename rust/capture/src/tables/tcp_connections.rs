//! `tcp_connections`: TCP connections.

use std::borrow::Cow;

use super::{Column, Get, Row, Table};

/// A row.
#[derive(Debug, Clone)]
#[allow(missing_docs)] // the columns below say it
pub struct TcpConnection {
    pub source: String,
}

impl Row for TcpConnection {
    type Of<'a> = Self;
}

/// The table.
pub const TCP_CONNECTIONS: Table<TcpConnection> = Table {
    name: "tcp_connections",
    doc: "One row for each TCP connection.",
    columns: &[Column {
        name: "source",
        unit: "",
        doc: "Which capture.",
        get: Get::Text(|r| Some(Cow::Borrowed(&r.source))),
    }],
};
