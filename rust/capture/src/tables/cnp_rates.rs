//! `cnp_rates`: congestion notifications.

use std::borrow::Cow;

use super::{Column, Get, Row, Table};

/// A row.
#[derive(Debug, Clone)]
#[allow(missing_docs)] // the columns below say it
pub struct CnpRate {
    pub source: String,
}

impl Row for CnpRate {
    type Of<'a> = Self;
}

/// The table.
pub const CNP_RATES: Table<CnpRate> = Table {
    name: "cnp_rates",
    doc: "One row for each queue pair that received CNPs.",
    columns: &[Column {
        name: "source",
        unit: "",
        doc: "Which capture.",
        get: Get::Text(|r| Some(Cow::Borrowed(&r.source))),
    }],
};
