//! `neighbours`: who stands next to whom, and what their ports are set to.

pub mod announced;

use std::borrow::Cow;

use super::{Column, Get, Row, Table};
use crate::address::Mac;
use announced::{Announced, LacpEnd};

/// A row.
#[derive(Debug, Clone)]
#[allow(missing_docs)] // the columns below say it
pub struct Neighbour {
    pub source: String,
    pub protocol: &'static str,
    pub interface: u32,
    pub sender: Option<Mac>,
    pub first_ts: Option<i64>,
    pub last_ts: Option<i64>,
    pub first_frame: u64,
    pub last_frame: u64,
    pub announcements: u64,
    pub said: Announced,
}

impl Row for Neighbour {
    type Of<'a> = Self;
}

/// The longest text in a column of this table, in bytes: 255 are what IEEE 802.1AB allows an identifier, the others are
/// lists of bounded length.
pub const LONGEST_TEXT: usize = 640;

fn actor(r: &Neighbour) -> Option<LacpEnd> {
    r.said.actor
}

fn partner(r: &Neighbour) -> Option<LacpEnd> {
    r.said.partner
}

fn text(text: Option<&String>) -> Option<Cow<'_, str>> {
    text.map(|text| Cow::Borrowed(text.as_str()))
}

/// The table.
pub const NEIGHBOURS: Table<Neighbour> = Table {
    name: "neighbours",
    doc: "One row for each port that announced itself by LLDP, CDP or LACP: on whose link the tap is. The values are those of its last announcement; what it did not say is null.",
    columns: &[
        Column { name: "source", unit: "", doc: "Which capture.", get: Get::Text(|r| Some(Cow::Borrowed(&r.source))) },
        Column {
            name: "line",
            unit: "",
            doc: "Line of a text file that tells it; null for a capture.",
            get: Get::U64(|_| None),
        },
        Column {
            name: "host",
            unit: "",
            doc: "Which machine or switch heard it, where a tool's output tells; null for a capture.",
            get: Get::Text(|_| None),
        },
        Column {
            name: "device",
            unit: "",
            doc: "On which of its ports, where a tool's output tells; null for a capture.",
            get: Get::Text(|_| None),
        },
        Column {
            name: "protocol",
            unit: "",
            doc: "lldp, cdp or lacp; in tools' outputs also arp, ndp, and configured for a neighbour that is only expected.",
            get: Get::Word(|r| Some(r.protocol)),
        },
        Column {
            name: "address",
            unit: "",
            doc: "ARP and NDP: IP address whose MAC `sender` is; null for a capture.",
            get: Get::Text(|_| None),
        },
        Column {
            name: "reachability",
            unit: "",
            doc: "ARP and NDP: reachable, stale, delay, probe, failed, incomplete, permanent or noarp; null where a tool does not tell.",
            get: Get::Text(|_| None),
        },
        Column {
            name: "interface",
            unit: "",
            doc: "Interface of the capture that heard it, as in `packets`.",
            get: Get::U32(|r| Some(r.interface)),
        },
        Column { name: "sender", unit: "", doc: "MAC that sent the announcements.", get: Get::Mac(|r| r.sender) },
        Column { name: "first_ts", unit: "UTC", doc: "First announcement.", get: Get::Time(|r| r.first_ts) },
        Column { name: "last_ts", unit: "UTC", doc: "Last announcement.", get: Get::Time(|r| r.last_ts) },
        Column { name: "first_frame", unit: "", doc: "Frame of the first.", get: Get::U64(|r| Some(r.first_frame)) },
        Column { name: "last_frame", unit: "", doc: "Frame of the last.", get: Get::U64(|r| Some(r.last_frame)) },
        Column {
            name: "announcements",
            unit: "frames",
            doc: "How many there were.",
            get: Get::U64(|r| Some(r.announcements)),
        },
        Column {
            name: "incomplete",
            unit: "",
            doc: "Why the last announcement could not be read to its end: what is null may then only be missing here; null when it was read whole.",
            get: Get::Word(|r| r.said.incomplete),
        },
        Column {
            name: "system_name",
            unit: "",
            doc: "Name of the device.",
            get: Get::Text(|r| text(r.said.system_name.as_ref())),
        },
        Column {
            name: "port_id",
            unit: "",
            doc: "Name of the port; of LACP the port number. Bytes that are no text are written in hexadecimal, 0x first.",
            get: Get::Text(|r| text(r.said.port_id.as_ref())),
        },
        Column {
            name: "port_id_kind",
            unit: "",
            doc: "What the port id is: alias, component, mac, address, name, circuit or local.",
            get: Get::Word(|r| r.said.port_id_kind),
        },
        Column {
            name: "port_description",
            unit: "",
            doc: "What the device says the port is.",
            get: Get::Text(|r| text(r.said.port_description.as_ref())),
        },
        Column {
            name: "chassis_id",
            unit: "",
            doc: "Identifier of the device; of LACP its system id.",
            get: Get::Text(|r| text(r.said.chassis_id.as_ref())),
        },
        Column {
            name: "chassis_id_kind",
            unit: "",
            doc: "What the chassis id is: component, alias, port, mac, address, name or local.",
            get: Get::Word(|r| r.said.chassis_id_kind),
        },
        Column {
            name: "system_description",
            unit: "",
            doc: "Hardware and software, in the words of the device; the first 255 bytes.",
            get: Get::Text(|r| text(r.said.system_description.as_ref())),
        },
        Column {
            name: "management_address",
            unit: "",
            doc: "First address for management.",
            get: Get::Text(|r| Some(Cow::Owned(r.said.management_address?.to_string()))),
        },
        Column {
            name: "ttl",
            unit: "s",
            doc: "How long the announcement holds; 0 when the port says good-bye. LACP has none.",
            get: Get::U16(|r| r.said.ttl),
        },
        Column { name: "port_vlan", unit: "", doc: "VLAN of untagged frames.", get: Get::U16(|r| r.said.port_vlan) },
        Column {
            name: "max_frame",
            unit: "B",
            doc: "LLDP: largest frame that the port takes, with header and FCS (IEEE 802.3, 79.3.4).",
            get: Get::U16(|r| r.said.max_frame),
        },
        Column {
            name: "mtu",
            unit: "B",
            doc: "CDP: MTU of the port, without the Ethernet header.",
            get: Get::U32(|r| r.said.mtu),
        },
        Column {
            name: "aggregated",
            unit: "",
            doc: "Whether the port says that it is in an aggregation now.",
            get: Get::Bool(|r| r.said.aggregated),
        },
        Column {
            name: "aggregation_id",
            unit: "",
            doc: "Number of that aggregation on the device; 0 when there is none.",
            get: Get::U32(|r| r.said.aggregation_id),
        },
        Column {
            name: "auto_negotiation",
            unit: "",
            doc: "Whether speed and duplex are negotiated.",
            get: Get::Bool(|r| r.said.auto_negotiation),
        },
        Column {
            name: "mau_type",
            unit: "",
            doc: "Operational MAU type (IANA-MAU-MIB dot3MauType).",
            get: Get::U16(|r| r.said.mau_type),
        },
        Column {
            name: "speed",
            unit: "Mbit/s",
            doc: "Speed that this MAU type stands for; null when it stands for none.",
            get: Get::U32(|r| r.said.speed),
        },
        Column {
            name: "duplex",
            unit: "",
            doc: "full or half; null when not said.",
            get: Get::Word(|r| r.said.duplex),
        },
        Column {
            name: "lacp_system_priority",
            unit: "",
            doc: "LACP: system priority of the sender.",
            get: Get::U16(|r| actor(r).map(|end| end.system_priority)),
        },
        Column {
            name: "lacp_key",
            unit: "",
            doc: "LACP: key of the sender; ports of one aggregation share it.",
            get: Get::U16(|r| actor(r).map(|end| end.key)),
        },
        Column {
            name: "lacp_port",
            unit: "",
            doc: "LACP: port number of the sender.",
            get: Get::U16(|r| actor(r).map(|end| end.port)),
        },
        Column {
            name: "lacp_state",
            unit: "",
            doc: "LACP: state bits of the sender.",
            get: Get::U8(|r| actor(r).map(|end| end.state)),
        },
        Column {
            name: "lacp_state_words",
            unit: "",
            doc: "LACP: the set ones by name: active, fast, aggregatable, sync, collecting, distributing, defaulted, expired.",
            get: Get::Text(|r| Some(Cow::Owned(actor(r)?.words()))),
        },
        Column {
            name: "partner_system",
            unit: "",
            doc: "LACP: system of the other side, as the sender knows it.",
            get: Get::Mac(|r| partner(r).map(|end| end.system)),
        },
        Column {
            name: "partner_key",
            unit: "",
            doc: "LACP: key of the other side.",
            get: Get::U16(|r| partner(r).map(|end| end.key)),
        },
        Column {
            name: "partner_port",
            unit: "",
            doc: "LACP: port number of the other side.",
            get: Get::U16(|r| partner(r).map(|end| end.port)),
        },
        Column {
            name: "partner_state",
            unit: "",
            doc: "LACP: state bits of the other side.",
            get: Get::U8(|r| partner(r).map(|end| end.state)),
        },
        Column {
            name: "partner_state_words",
            unit: "",
            doc: "LACP: the set ones of the other side by name.",
            get: Get::Text(|r| Some(Cow::Owned(partner(r)?.words()))),
        },
        Column {
            name: "aggregating",
            unit: "",
            doc: "LACP: whether the sender is in sync, collects and distributes, hears its partner and knows it in sync; false: no traffic through this member.",
            get: Get::Bool(|r| r.said.aggregating()),
        },
        Column {
            name: "dcbx",
            unit: "",
            doc: "Which DCBX was spoken: ieee, cee or both; null when none was, which is no proof of PFC being off.",
            get: Get::Word(|r| r.said.dcbx()),
        },
        Column {
            name: "pfc_enabled",
            unit: "",
            doc: "PFC: bit n is priority n. With both variants, as the IEEE one says; so for all that follows.",
            get: Get::U8(|r| r.said.pfc.map(|pfc| pfc.enabled)),
        },
        Column {
            name: "pfc",
            unit: "",
            doc: "The same as a list of priorities: `3` or `3,4`; empty when it is on for none.",
            get: Get::Text(|r| r.said.pfc_text().map(Cow::Owned)),
        },
        Column {
            name: "pfc_capability",
            unit: "",
            doc: "How many priorities can have PFC at once; IEEE writes 0 for all 8.",
            get: Get::U8(|r| r.said.pfc.map(|pfc| pfc.most_classes)),
        },
        Column {
            name: "pfc_willing",
            unit: "",
            doc: "Whether the port would take its PFC setting from the other side. Both willing: nobody decides.",
            get: Get::Bool(|r| r.said.pfc.map(|pfc| pfc.willing)),
        },
        Column {
            name: "pfc_operating",
            unit: "",
            doc: "CEE: whether the port says that the feature is enabled and without error; IEEE does not say.",
            get: Get::Bool(|r| r.said.pfc?.operating),
        },
        Column {
            name: "ets_willing",
            unit: "",
            doc: "Whether the port would take its ETS setting from the other side.",
            get: Get::Bool(|r| r.said.ets?.willing),
        },
        Column {
            name: "ets_capability",
            unit: "",
            doc: "How many traffic classes there can be; IEEE writes 0 for 8.",
            get: Get::U8(|r| r.said.ets?.most_classes),
        },
        Column {
            name: "ets_classes",
            unit: "",
            doc: "Traffic class (CEE: priority group, 15 without limit) of each priority: `0:0,1:0,2:0,3:1,…`, priority first.",
            get: Get::Text(|r| Some(Cow::Owned(r.said.ets?.classes_text()))),
        },
        Column {
            name: "ets_bandwidth",
            unit: "",
            doc: "Percent of each class: `0:50,1:50`; classes of 0 % are left out.",
            get: Get::Text(|r| Some(Cow::Owned(r.said.ets?.bandwidth_text()))),
        },
        Column {
            name: "ets_algorithms",
            unit: "",
            doc: "How each class is chosen for sending: `0:ets,1:ets,2:strict,…`; strict, cbs, ets, vendor or a number. CEE does not say.",
            get: Get::Text(|r| r.said.ets?.algorithms_text().map(Cow::Owned)),
        },
        Column {
            name: "ets_recommended_classes",
            unit: "",
            doc: "As `ets_classes`, as the port recommends it to the other side.",
            get: Get::Text(|r| Some(Cow::Owned(r.said.ets_recommended?.classes_text()))),
        },
        Column {
            name: "ets_recommended_bandwidth",
            unit: "",
            doc: "As `ets_bandwidth`, likewise.",
            get: Get::Text(|r| Some(Cow::Owned(r.said.ets_recommended?.bandwidth_text()))),
        },
        Column {
            name: "apps",
            unit: "",
            doc: "Priority of applications: `ethertype 0x8915:3,udp 4791:3`; selectors are ethertype, tcp, udp, port (any transport), dscp, default. After 24 entries, how many more there are.",
            get: Get::Text(|r| r.said.apps_text().map(Cow::Owned)),
        },
        Column {
            name: "roce_v1_priority",
            unit: "",
            doc: "Priority of ethertype 0x8915 among those.",
            get: Get::U8(|r| r.said.roce_v1_priority),
        },
        Column {
            name: "roce_v2_priority",
            unit: "",
            doc: "Priority of UDP port 4791 among those.",
            get: Get::U8(|r| r.said.roce_v2_priority),
        },
    ],
};
