//! `packets`: one row for each captured packet, whatever it is.

use std::borrow::Cow;

use super::{Column, Get, Row, Table};
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

impl Row for Captured<'static> {
    type Of<'a> = Captured<'a>;
}

/// The table.
pub const PACKETS: Table<Captured<'static>> = Table {
    name: "packets",
    doc: "One row for each captured packet, in file order.",
    columns: &[
        Column { name: "source", unit: "", doc: "Which capture.", get: Get::Text(|r| Some(Cow::Borrowed(r.source))) },
        Column {
            name: "frame",
            unit: "",
            doc: "Number of the packet in the capture, from 1, as Wireshark counts.",
            get: Get::U64(|r| Some(r.frame)),
        },
        Column {
            name: "ts",
            unit: "UTC",
            doc: "When it was captured; null for a packet block without time.",
            get: Get::Time(|r| r.ts),
        },
        Column {
            name: "interface",
            unit: "",
            doc: "Capture interface, from 0; counts on through the sections of a pcapng file.",
            get: Get::U32(|r| Some(r.interface)),
        },
        Column {
            name: "kind",
            unit: "",
            doc: "roce, pfc, pause, tcp, udp, icmp, arp, lldp or other.",
            get: Get::Word(|r| Some(r.packet.kind.name())),
        },
        Column {
            name: "src",
            unit: "",
            doc: "Source address; in a tunnel, like all columns here but `outer_src` and `outer_dst`, of the innermost packet.",
            get: Get::Address(|r| r.packet.src),
        },
        Column { name: "dst", unit: "", doc: "Destination address.", get: Get::Address(|r| r.packet.dst) },
        Column { name: "sport", unit: "", doc: "UDP or TCP source port.", get: Get::U16(|r| r.packet.sport) },
        Column { name: "dport", unit: "", doc: "UDP or TCP destination port.", get: Get::U16(|r| r.packet.dport) },
        Column {
            name: "protocol",
            unit: "",
            doc: "IP protocol number, after IPv6 extension headers.",
            get: Get::U8(|r| r.packet.ip.map(|x| x.protocol)),
        },
        Column { name: "captured_len", unit: "B", doc: "Bytes stored.", get: Get::U32(|r| Some(r.captured_len)) },
        Column {
            name: "wire_len",
            unit: "B",
            doc: "Bytes on the wire, without FCS.",
            get: Get::U32(|r| Some(r.wire_len)),
        },
        Column {
            name: "payload_len",
            unit: "B",
            doc: "Bytes on the wire after the last decoded header; null when not known.",
            get: Get::U32(|r| r.packet.payload_len),
        },
        Column {
            name: "dscp",
            unit: "",
            doc: "Differentiated services code point.",
            get: Get::U8(|r| r.packet.ip.map(|x| x.dscp)),
        },
        Column {
            name: "ecn",
            unit: "",
            doc: "ECN field: 0 Not-ECT, 1 ECT(1), 2 ECT(0), 3 CE.",
            get: Get::U8(|r| r.packet.ip.map(|x| x.ecn)),
        },
        Column { name: "ttl", unit: "", doc: "TTL or hop limit.", get: Get::U8(|r| r.packet.ip.map(|x| x.ttl)) },
        Column { name: "ip_id", unit: "", doc: "IPv4 identification.", get: Get::U16(|r| r.packet.ip?.id) },
        Column {
            name: "vlan",
            unit: "",
            doc: "VLAN of the outermost tag of the innermost Ethernet header.",
            get: Get::U16(|r| r.packet.vlan.map(|x| x.id)),
        },
        Column {
            name: "pcp",
            unit: "",
            doc: "Priority code point of that tag.",
            get: Get::U8(|r| r.packet.vlan.map(|x| x.pcp)),
        },
        Column { name: "src_mac", unit: "", doc: "Ethernet source.", get: Get::Mac(|r| r.packet.src_mac) },
        Column { name: "dst_mac", unit: "", doc: "Ethernet destination.", get: Get::Mac(|r| r.packet.dst_mac) },
        Column {
            name: "ethertype",
            unit: "",
            doc: "Ethertype after VLAN tags.",
            get: Get::U16(|r| r.packet.ethertype),
        },
        Column {
            name: "tcp_seq",
            unit: "",
            doc: "TCP sequence number.",
            get: Get::U32(|r| r.packet.tcp.map(|x| x.seq)),
        },
        Column {
            name: "tcp_ack",
            unit: "",
            doc: "TCP acknowledgement number.",
            get: Get::U32(|r| r.packet.tcp.map(|x| x.ack)),
        },
        Column {
            name: "tcp_flags",
            unit: "",
            doc: "TCP flags: FIN 1, SYN 2, RST 4, PSH 8, ACK 16, URG 32, ECE 64, CWR 128.",
            get: Get::U8(|r| r.packet.tcp.map(|x| x.flags)),
        },
        Column {
            name: "tcp_window",
            unit: "",
            doc: "TCP window as sent, not scaled.",
            get: Get::U16(|r| r.packet.tcp.map(|x| x.window)),
        },
        Column {
            name: "encap_depth",
            unit: "",
            doc: "Tunnels around the packet that the other columns describe; 0 outside tunnels.",
            get: Get::U8(|r| Some(r.packet.outer.map_or(0, |x| x.depth))),
        },
        Column {
            name: "tunnel",
            unit: "",
            doc: "Innermost tunnel around the packet: vxlan, gre, nvgre, erspan, geneve, gtp, mpls, ipip or pppoe; null outside tunnels.",
            get: Get::Word(|r| r.packet.outer.map(|x| x.tunnel.name())),
        },
        Column {
            name: "tunnel_id",
            unit: "",
            doc: "What names that tunnel: VNI, VSID, GRE key, ERSPAN or PPPoE session, GTP tunnel endpoint, MPLS label at the bottom.",
            get: Get::U32(|r| r.packet.outer?.id),
        },
        Column {
            name: "tunnel_seq",
            unit: "",
            doc: "Sequence number of the innermost GRE or ERSPAN header that has one: gaps are what a mirror lost.",
            get: Get::U32(|r| r.packet.outer?.seq),
        },
        Column {
            name: "outer_src",
            unit: "",
            doc: "Outermost source address: the sending tunnel end or the mirroring switch; null outside IP tunnels.",
            get: Get::Address(|r| r.packet.outer?.src),
        },
        Column {
            name: "outer_dst",
            unit: "",
            doc: "Outermost destination address, likewise.",
            get: Get::Address(|r| r.packet.outer?.dst),
        },
        Column {
            name: "link_type",
            unit: "",
            doc: "Link type number of the interface.",
            get: Get::U16(|r| Some(r.link_type)),
        },
        Column {
            name: "stopped",
            unit: "",
            doc: "Why decoding stopped early; null when it did not.",
            get: Get::Text(|r| r.packet.stopped.map(|s| Cow::Owned(s.to_string()))),
        },
    ],
};
