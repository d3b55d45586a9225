//! `tap_clocks`: how far apart the clocks of captures are.

use std::borrow::Cow;

use super::{Column, Get, Row, Table};

/// A row.
#[derive(Debug, Clone, Default)]
#[allow(missing_docs)] // the columns below say it
pub struct TapClock {
    pub tap_a: String,
    pub tap_b: String,
    pub lower: Option<i64>,
    pub upper: Option<i64>,
    pub offset: Option<i64>,
    pub at: i64,
    pub drift_low: Option<f64>,
    pub drift_high: Option<f64>,
    pub packets: u64,
    pub reason: Option<String>,
}

impl Row for TapClock {
    type Of<'a> = Self;
}

/// The table.
pub const TAP_CLOCKS: Table<TapClock> = Table {
    name: "tap_clocks",
    doc: "One row for two captures that saw the same packets one after the other: how far the clock of `tap_b` is ahead of that of `tap_a`.",
    columns: &[
        Column {
            name: "tap_a",
            unit: "",
            doc: "The first capture.",
            get: Get::Text(|r| Some(Cow::Borrowed(&r.tap_a))),
        },
        Column { name: "tap_b", unit: "", doc: "The second.", get: Get::Text(|r| Some(Cow::Borrowed(&r.tap_b))) },
        Column {
            name: "lower",
            unit: "ns",
            doc: "tap_b is ahead by at least so much: no packet from tap_b to tap_a arrives before it was sent.",
            get: Get::Duration(|r| r.lower),
        },
        Column {
            name: "upper",
            unit: "ns",
            doc: "And by at most so much, from packets the other way.",
            get: Get::Duration(|r| r.upper),
        },
        Column {
            name: "offset",
            unit: "ns",
            doc: "The middle, which is right if both ways take the same time; null when one way was not seen, or the bounds contradict.",
            get: Get::Duration(|r| r.offset),
        },
        Column { name: "at", unit: "UTC", doc: "Time of tap_a for which they hold.", get: Get::Time(|r| Some(r.at)) },
        Column { name: "drift_low", unit: "ppm", doc: "tap_b gains at least so much.", get: Get::F64(|r| r.drift_low) },
        Column { name: "drift_high", unit: "ppm", doc: "And at most so much.", get: Get::F64(|r| r.drift_high) },
        Column {
            name: "packets",
            unit: "packets",
            doc: "Packets that were compared for it.",
            get: Get::U64(|r| Some(r.packets)),
        },
        Column {
            name: "reason",
            unit: "",
            doc: "Why the offset is not known; null when it is.",
            get: Get::Text(|r| r.reason.as_deref().map(Cow::Borrowed)),
        },
    ],
};
