//! `interfaces`: the ports that a capture was taken at.

use std::borrow::Cow;

use super::{Column, Get, Row, Table};
use crate::address::Mac;
use crate::container::Described;

/// A row.
#[derive(Debug, Clone)]
#[allow(missing_docs)] // the columns below say it
pub struct Interface {
    pub source: String,
    pub interface: u32,
    pub described: Described,
}

impl Row for Interface {
    type Of<'a> = Self;
}

/// The table.
pub const INTERFACES: Table<Interface> = Table {
    name: "interfaces",
    doc: "One row for each interface that a capture describes: on which port its packets were seen.",
    columns: &[
        Column { name: "source", unit: "", doc: "Which capture.", get: Get::Text(|r| Some(Cow::Borrowed(&r.source))) },
        Column {
            name: "interface",
            unit: "",
            doc: "Its number, from 0, as in `packets`.",
            get: Get::U32(|r| Some(r.interface)),
        },
        Column {
            name: "name",
            unit: "",
            doc: "Name in the capturing system, as eth0 or mlx5_0; null, like all texts here, when the file does not say: pcap cannot.",
            get: Get::Text(|r| r.described.name.as_deref().map(Cow::Borrowed)),
        },
        Column {
            name: "description",
            unit: "",
            doc: "What its owner calls it.",
            get: Get::Text(|r| r.described.description.as_deref().map(Cow::Borrowed)),
        },
        Column {
            name: "hardware",
            unit: "",
            doc: "The device.",
            get: Get::Text(|r| r.described.hardware.as_deref().map(Cow::Borrowed)),
        },
        Column {
            name: "os",
            unit: "",
            doc: "The operating system that captured.",
            get: Get::Text(|r| r.described.os.as_deref().map(Cow::Borrowed)),
        },
        Column {
            name: "filter",
            unit: "",
            doc: "The capture filter: what it kept out is not in the capture.",
            get: Get::Text(|r| r.described.filter.as_deref().map(Cow::Borrowed)),
        },
        Column { name: "mac", unit: "", doc: "Its Ethernet address.", get: Get::Mac(|r| r.described.mac.map(Mac)) },
        Column { name: "speed", unit: "bit/s", doc: "Its speed.", get: Get::U64(|r| r.described.speed) },
        Column {
            name: "link_type",
            unit: "",
            doc: "Link type number.",
            get: Get::U16(|r| Some(r.described.link_type)),
        },
        Column {
            name: "snap_len",
            unit: "B",
            doc: "Longest stored packet; null when it sets no limit.",
            get: Get::U32(|r| r.described.snap_len),
        },
        Column {
            name: "resolution",
            unit: "ns",
            doc: "Step of its time stamps.",
            get: Get::Duration(|r| Some(r.described.resolution)),
        },
        Column {
            name: "received",
            unit: "packets",
            doc: "Packets received, as its statistics say; null when there are none.",
            get: Get::U64(|r| r.described.received),
        },
        Column {
            name: "dropped",
            unit: "packets",
            doc: "Packets dropped, as its statistics or its packets say; null when they do not.",
            get: Get::U64(|r| r.described.dropped),
        },
    ],
};
