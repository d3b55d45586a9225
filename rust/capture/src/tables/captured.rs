//! A packet as captured: the row of `packets`, `roce` and `pauses`, and the columns that they share.
#![allow(missing_docs)] // a column carries its own sentence

use std::borrow::Cow;

use super::{Column, Get, Row};
use crate::container::Record;
use crate::packet::Packet;

/// A packet as captured: the row of `packets`, `roce` and `pauses`.
#[derive(Debug, Clone, Copy)]
pub struct Captured<'a> {
    /// Name of the capture.
    pub source: &'a str,
    /// Number in the capture, from 1.
    pub frame: u64,
    /// Nanoseconds since 1970, UTC; `None` for a pcapng simple packet block.
    pub ts: Option<i64>,
    /// Interface of a pcapng file, from 0, counted through all its sections; 0 in a pcap file.
    pub interface: u32,
    /// Bytes stored.
    pub captured_len: u32,
    /// Bytes on the wire.
    pub wire_len: u32,
    /// Link type of the interface.
    pub link_type: u16,
    /// Its layers.
    pub packet: Packet<'a>,
}

impl<'a> Captured<'a> {
    /// A place for the rows of one capture, used for one after another: a row is large to copy.
    pub(crate) fn place(source: &'a str) -> Self {
        Self {
            source,
            frame: 0,
            ts: None,
            interface: 0,
            captured_len: 0,
            wire_len: 0,
            link_type: 0,
            packet: Packet::default(),
        }
    }

    /// What the container says of a packet; its layers are for [`crate::decode::decode`].
    #[inline]
    pub(crate) fn record(&mut self, record: &Record<'_>) {
        self.frame = record.frame;
        self.ts = record.ts;
        self.interface = record.interface;
        self.captured_len = record.data.len() as u32; // a record's length field has 32 bits
        self.wire_len = record.wire_len;
        self.link_type = record.link_type;
    }
}

impl Row for Captured<'static> {
    type Of<'a> = Captured<'a>;
}

pub const SOURCE: Column<Captured<'static>> =
    Column { name: "source", unit: "", doc: "Which capture.", get: Get::Text(|r| Some(Cow::Borrowed(r.source))) };

pub const FRAME: Column<Captured<'static>> = Column {
    name: "frame",
    unit: "",
    doc: "Number of the packet in the capture, from 1, as Wireshark counts.",
    get: Get::U64(|r| Some(r.frame)),
};

pub const WIRE_LEN: Column<Captured<'static>> =
    Column { name: "wire_len", unit: "B", doc: "Bytes on the wire, without FCS.", get: Get::U32(|r| Some(r.wire_len)) };

pub const VLAN: Column<Captured<'static>> = Column {
    name: "vlan",
    unit: "",
    doc: "VLAN of the outermost tag of the innermost Ethernet header.",
    get: Get::U16(|r| r.packet.vlan.map(|x| x.id)),
};

pub const PCP: Column<Captured<'static>> = Column {
    name: "pcp",
    unit: "",
    doc: "Priority code point of that tag.",
    get: Get::U8(|r| r.packet.vlan.map(|x| x.pcp)),
};

pub const TUNNEL: Column<Captured<'static>> = Column {
    name: "tunnel",
    unit: "",
    doc: "Innermost tunnel around the packet: vxlan, gre, nvgre, erspan, geneve, gtp, mpls, ipip or pppoe; null outside tunnels.",
    get: Get::Word(|r| r.packet.outer.map(|x| x.tunnel.name())),
};

pub const TUNNEL_ID: Column<Captured<'static>> = Column {
    name: "tunnel_id",
    unit: "",
    doc: "What names that tunnel: VNI, VSID, GRE key, ERSPAN or PPPoE session, GTP tunnel endpoint, MPLS label at the bottom.",
    get: Get::U32(|r| r.packet.outer?.id),
};

pub const TUNNEL_SEQ: Column<Captured<'static>> = Column {
    name: "tunnel_seq",
    unit: "",
    doc: "Sequence number of the innermost GRE or ERSPAN header that has one: gaps are what a mirror lost.",
    get: Get::U32(|r| r.packet.outer?.seq),
};

pub const MIRROR_SESSION: Column<Captured<'static>> = Column {
    name: "mirror_session",
    unit: "",
    doc: "ERSPAN session of the mirror that copied the packet, whatever tunnel it was in itself; null for ERSPAN I.",
    get: Get::U16(|r| r.packet.outer?.mirror?.session),
};

pub const MIRROR_DIRECTION: Column<Captured<'static>> = Column {
    name: "mirror_direction",
    unit: "",
    doc: "Whether a mirroring switch saw the packet come (ingress) or go (egress); null where it does not say: only ERSPAN III does.",
    get: Get::Word(|r| r.packet.outer?.mirror?.egress.map(|egress| if egress { "egress" } else { "ingress" })),
};

pub const MIRROR_TIME: Column<Captured<'static>> = Column {
    name: "mirror_time",
    unit: "ns",
    doc: "When that was, on the clock of the switch, from a zero of its own (ERSPAN III); its step may be 100 µs, and 32 bits of it may wrap.",
    get: Get::Duration(|r| r.packet.outer?.mirror?.time),
};

pub const MIRROR_HARDWARE: Column<Captured<'static>> = Column {
    name: "mirror_hardware",
    unit: "",
    doc: "Number of the hardware that mirrored it (ERSPAN III).",
    get: Get::U8(|r| r.packet.outer?.mirror?.hardware),
};

pub const MIRROR_INDEX: Column<Captured<'static>> = Column {
    name: "mirror_index",
    unit: "",
    doc: "Port and direction in one number, as the platform counts (ERSPAN II).",
    get: Get::U32(|r| r.packet.outer?.mirror?.index),
};

pub const OUTER_SRC: Column<Captured<'static>> = Column {
    name: "outer_src",
    unit: "",
    doc: "Outermost source address: the sending tunnel end or the mirroring switch; null outside IP tunnels.",
    get: Get::Address(|r| r.packet.outer?.src),
};

pub const OUTER_DST: Column<Captured<'static>> = Column {
    name: "outer_dst",
    unit: "",
    doc: "Outermost destination address, likewise.",
    get: Get::Address(|r| r.packet.outer?.dst),
};

pub const STOPPED: Column<Captured<'static>> = Column {
    name: "stopped",
    unit: "",
    doc: "Why decoding stopped early; null when it did not.",
    get: Get::Text(|r| r.packet.stopped.map(|s| Cow::Owned(s.to_string()))),
};
