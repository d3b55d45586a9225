//! `pause_time`: one row for each port that asked its neighbour to pause, and priority.

use std::borrow::Cow;

use super::{Column, Get, Row, Table};
use crate::address::Mac;

/// Why the time of a pause is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unknown {
    /// Quanta are bit times.
    LinkSpeed,
    /// A pcapng simple packet block has none.
    Time,
}

impl Unknown {
    /// The words in the `reason` column.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::LinkSpeed => "link speed not known: give --link-speed",
            Self::Time => "some of the frames have no time",
        }
    }
}

/// A row.
#[derive(Debug, Clone)]
#[allow(missing_docs)] // the columns below say it
pub struct PauseTime {
    pub source: String,
    pub sender: Option<Mac>,
    pub priority: Option<u8>,
    pub xoff_frames: u64,
    pub xon_frames: u64,
    pub quanta: u64,
    pub link_speed: Option<u64>,
    pub paused: Option<i64>,
    pub share: Option<f64>,
    pub longest: Option<i64>,
    pub longest_frame: Option<u64>,
    pub beyond: Option<i64>,
    pub unknown: Option<Unknown>,
    pub first_ts: Option<i64>,
    pub last_ts: Option<i64>,
    pub first_frame: u64,
    pub last_frame: u64,
    pub capture_span: Option<i64>,
}

impl Row for PauseTime {
    type Of<'a> = Self;
}

/// The table.
pub const PAUSE_TIME: Table<PauseTime> = Table {
    name: "pause_time",
    doc: "One row for each port and priority that asked its neighbour to pause.",
    columns: &[
        Column { name: "source", unit: "", doc: "Which capture.", get: Get::Text(|r| Some(Cow::Borrowed(&r.source))) },
        Column { name: "sender", unit: "", doc: "MAC of the port that cannot take more.", get: Get::Mac(|r| r.sender) },
        Column {
            name: "priority",
            unit: "",
            doc: "PFC priority, 0 to 7; null for an 802.3x PAUSE, which stops the whole link.",
            get: Get::U8(|r| r.priority),
        },
        Column {
            name: "xoff_frames",
            unit: "frames",
            doc: "Frames that ask to stop (quanta above 0).",
            get: Get::U64(|r| Some(r.xoff_frames)),
        },
        Column {
            name: "xon_frames",
            unit: "frames",
            doc: "Frames that release (quanta 0).",
            get: Get::U64(|r| Some(r.xon_frames)),
        },
        Column {
            name: "quanta",
            unit: "512 bit times",
            doc: "Sum of the pause times asked for. Divided by the link speed it is an upper bound: a refresh replaces the rest of the pause before it.",
            get: Get::U64(|r| Some(r.quanta)),
        },
        Column {
            name: "link_speed",
            unit: "bit/s",
            doc: "Speed of the link, as it was given; null when it was not.",
            get: Get::U64(|r| r.link_speed),
        },
        Column {
            name: "paused",
            unit: "ns",
            doc: "Time for which the neighbour was stopped, up to the last packet of the capture: the union of the pauses asked for, where a later frame replaces the rest of the pause before it. Null when the link speed is not known.",
            get: Get::Duration(|r| r.paused),
        },
        Column {
            name: "paused_share",
            unit: "0 to 1",
            doc: "Of the capture's span; null when `paused` or the span is not known.",
            get: Get::F64(|r| r.share),
        },
        Column {
            name: "longest_pause",
            unit: "ns",
            doc: "Longest time without release, refreshes included.",
            get: Get::Duration(|r| r.longest),
        },
        Column {
            name: "longest_pause_frame",
            unit: "",
            doc: "Frame that began it; null when the neighbour was never stopped.",
            get: Get::U64(|r| r.longest_frame),
        },
        Column {
            name: "beyond_end",
            unit: "ns",
            doc: "What the last pause asked for beyond the last packet of the capture: nobody saw whether it was released. Not in `paused`.",
            get: Get::Duration(|r| r.beyond),
        },
        Column {
            name: "reason",
            unit: "",
            doc: "Why `paused` is null; null when it is not.",
            get: Get::Word(|r| r.unknown.map(Unknown::reason)),
        },
        Column { name: "first_ts", unit: "UTC", doc: "First frame.", get: Get::Time(|r| r.first_ts) },
        Column { name: "last_ts", unit: "UTC", doc: "Last frame.", get: Get::Time(|r| r.last_ts) },
        Column { name: "first_frame", unit: "", doc: "Frame of the first.", get: Get::U64(|r| Some(r.first_frame)) },
        Column { name: "last_frame", unit: "", doc: "Frame of the last.", get: Get::U64(|r| Some(r.last_frame)) },
        Column {
            name: "capture_span",
            unit: "ns",
            doc: "Time between the first and the last packet of the capture.",
            get: Get::Duration(|r| r.capture_span),
        },
    ],
};
