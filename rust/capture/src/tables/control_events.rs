//! `control_events`: what control protocols say about links, routes and addresses.

use std::borrow::Cow;

use super::{Column, Get, Row, Table};
use crate::address::{Address, Mac};

/// What makes an event the same as one seen before: such events are counted in one row.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // the columns below say it
pub struct Fact {
    pub protocol: &'static str,
    pub kind: &'static str,
    pub src_mac: Option<Mac>,
    pub src: Option<Address>,
    pub dst: Option<Address>,
    pub vlan: Option<u16>,
    pub subject: Option<Box<str>>,
    pub before: Option<Box<str>>,
    pub after: Option<Box<str>>,
    pub code: Option<u8>,
    pub mtu: Option<u32>,
    pub flow: Option<Flow>,
}

/// The packet that an ICMP error is about, as far as it was quoted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // the columns below say it
pub struct Flow {
    pub src: Address,
    pub dst: Address,
    pub protocol: Option<u8>,
    pub sport: Option<u16>,
    pub dport: Option<u16>,
}

/// A row.
#[derive(Debug, Clone)]
#[allow(missing_docs)] // the columns below say it
pub struct ControlEvent {
    pub source: String,
    pub fact: Fact,
    pub count: u64,
    pub ts: Option<i64>,
    pub last_ts: Option<i64>,
    pub frame: u64,
    pub last_frame: u64,
    pub detail: String,
}

impl Row for ControlEvent {
    type Of<'a> = Self;
}

/// The longest text in a column of this table, in bytes.
pub const LONGEST_TEXT: usize = 640;

const fn flow(r: &ControlEvent) -> Option<Flow> {
    r.fact.flow
}

/// The table.
pub const CONTROL_EVENTS: Table<ControlEvent> = Table {
    name: "control_events",
    doc: "One row for each thing that a control protocol said of a link, a route or an address; what was said again is counted. What it means is not judged: a gratuitous ARP, for one, is often in order.",
    columns: &[
        Column { name: "source", unit: "", doc: "Which capture.", get: Get::Text(|r| Some(Cow::Borrowed(&r.source))) },
        Column {
            name: "protocol",
            unit: "",
            doc: "lldp, cdp, lacp, stp, arp, nd, icmp, icmpv6, bgp, bfd, vrrp or hsrp.",
            get: Get::Word(|r| Some(r.fact.protocol)),
        },
        Column {
            name: "kind",
            unit: "",
            doc: "What happened, in a few words; an ICMP error is named by its code.",
            get: Get::Word(|r| Some(r.fact.kind)),
        },
        Column { name: "ts", unit: "UTC", doc: "First time.", get: Get::Time(|r| r.ts) },
        Column { name: "last_ts", unit: "UTC", doc: "Last time.", get: Get::Time(|r| r.last_ts) },
        Column { name: "frame", unit: "", doc: "Frame of the first time.", get: Get::U64(|r| Some(r.frame)) },
        Column { name: "last_frame", unit: "", doc: "Frame of the last time.", get: Get::U64(|r| Some(r.last_frame)) },
        Column { name: "count", unit: "", doc: "How often it was seen.", get: Get::U64(|r| Some(r.count)) },
        Column {
            name: "src_mac",
            unit: "",
            doc: "MAC that said it, where the protocol is one of the link: LLDP, CDP, LACP, STP, ARP, ND.",
            get: Get::Mac(|r| r.fact.src_mac),
        },
        Column { name: "src", unit: "", doc: "Address that said it.", get: Get::Address(|r| r.fact.src) },
        Column { name: "dst", unit: "", doc: "Address that it was said to.", get: Get::Address(|r| r.fact.dst) },
        Column {
            name: "vlan",
            unit: "",
            doc: "VLAN: of the spanning tree (PVST), else of the tag; null without one.",
            get: Get::U16(|r| r.fact.vlan),
        },
        Column {
            name: "subject",
            unit: "",
            doc: "What it is about: an address (ARP, ND, redirects), a port (LLDP, CDP, LACP), an instance or bridge port (STP), a session (BFD), a group (VRRP, HSRP).",
            get: Get::Text(|r| r.fact.subject.as_deref().map(Cow::Borrowed)),
        },
        Column {
            name: "before",
            unit: "",
            doc: "Of a change: what was said before; null when nothing was.",
            get: Get::Text(|r| r.fact.before.as_deref().map(Cow::Borrowed)),
        },
        Column {
            name: "after",
            unit: "",
            doc: "Of a change: what is said now.",
            get: Get::Text(|r| r.fact.after.as_deref().map(Cow::Borrowed)),
        },
        Column {
            name: "code",
            unit: "",
            doc: "The protocol's own number: ICMP code, BGP error code, BFD diagnostic.",
            get: Get::U8(|r| r.fact.code),
        },
        Column {
            name: "mtu",
            unit: "B",
            doc: "Next-hop MTU that an ICMP error tells; null when it tells none (routers before RFC 1191 write 0).",
            get: Get::U32(|r| r.fact.mtu),
        },
        Column {
            name: "flow_src",
            unit: "",
            doc: "Source of the packet that an ICMP error quotes: who sent what could not be delivered.",
            get: Get::Address(|r| flow(r).map(|f| f.src)),
        },
        Column {
            name: "flow_dst",
            unit: "",
            doc: "Destination of that packet.",
            get: Get::Address(|r| flow(r).map(|f| f.dst)),
        },
        Column {
            name: "flow_protocol",
            unit: "",
            doc: "IP protocol of that packet: 6 TCP, 17 UDP.",
            get: Get::U8(|r| flow(r)?.protocol),
        },
        Column {
            name: "flow_sport",
            unit: "",
            doc: "TCP or UDP source port of that packet; null when the quote ends before it.",
            get: Get::U16(|r| flow(r)?.sport),
        },
        Column {
            name: "flow_dport",
            unit: "",
            doc: "TCP or UDP destination port of that packet, likewise.",
            get: Get::U16(|r| flow(r)?.dport),
        },
        Column {
            name: "detail",
            unit: "",
            doc: "The same in a sentence, with the numbers of the first time.",
            get: Get::Text(|r| Some(Cow::Borrowed(&r.detail))),
        },
    ],
};
