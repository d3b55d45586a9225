//! `packets`: one row for each captured packet, whatever it is.

use super::captured::{
    Captured, FRAME, OUTER_DST, OUTER_SRC, PCP, SOURCE, STOPPED, TUNNEL, TUNNEL_ID, TUNNEL_SEQ, VLAN, WIRE_LEN,
};
use super::{Column, Get, Table};

/// The table.
pub const PACKETS: Table<Captured<'static>> = Table {
    name: "packets",
    doc: "One row for each captured packet, in file order.",
    columns: &[
        SOURCE,
        FRAME,
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
            doc: "roce, pfc, pause, tcp, udp, icmp, arp, lldp, cdp, lacp, stp (RSTP, MSTP and PVST too) or other.",
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
        WIRE_LEN,
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
        VLAN,
        PCP,
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
        TUNNEL,
        TUNNEL_ID,
        TUNNEL_SEQ,
        OUTER_SRC,
        OUTER_DST,
        Column {
            name: "link_type",
            unit: "",
            doc: "Link type number of the interface.",
            get: Get::U16(|r| Some(r.link_type)),
        },
        STOPPED,
    ],
};
