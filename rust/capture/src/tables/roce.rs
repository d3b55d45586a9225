//! `roce`: one row for each RDMA packet.

use super::captured::{
    Captured, FRAME, OUTER_DST, OUTER_SRC, PCP, SOURCE, STOPPED, TUNNEL, TUNNEL_ID, TUNNEL_SEQ, VLAN, WIRE_LEN,
};
use super::{Column, Get, Table};
use crate::rdma::{self, Rare, Roce, opcode};

/// The table; rows are the [`Captured`] packets that have RDMA headers.
pub const ROCE: Table<Captured<'static>> = Table {
    name: "roce",
    doc: "One row for each RDMA packet: RoCEv2 (UDP destination port 4791), RoCEv1, native InfiniBand.",
    columns: &[
        SOURCE,
        FRAME,
        Column { name: "ts", unit: "UTC", doc: "When it was captured.", get: Get::Time(|r| r.ts) },
        Column {
            name: "src",
            unit: "",
            doc: "Source IP address (RoCEv1: GID; InfiniBand: GID or LID).",
            get: Get::Address(|r| r.packet.src),
        },
        Column { name: "dst", unit: "", doc: "Destination IP address, likewise.", get: Get::Address(|r| r.packet.dst) },
        Column {
            name: "sport",
            unit: "",
            doc: "UDP source port: the path entropy. Low ports are legal.",
            get: Get::U16(|r| r.packet.sport),
        },
        Column {
            name: "opcode",
            unit: "",
            doc: "BTH opcode, the raw byte.",
            get: Get::U8(|r| roce(r).map(|x| x.bth.opcode)),
        },
        Column {
            name: "opcode_name",
            unit: "",
            doc: "Transport and operation, as `RC WRITE_FIRST`, `UD SEND_ONLY`, `CNP`; null when reserved or of a manufacturer.",
            get: Get::Word(|r| roce(r).and_then(|x| opcode::name(x.bth.opcode))),
        },
        Column {
            name: "transport",
            unit: "",
            doc: "RC, UC, RD, UD, XRC, CNP or unknown.",
            get: Get::Word(|r| roce(r).map(|x| opcode::Transport::of(x.bth.opcode).name())),
        },
        Column {
            name: "dest_qp",
            unit: "",
            doc: "Destination queue pair, 24 bits.",
            get: Get::U32(|r| roce(r).map(|x| x.bth.dest_qp)),
        },
        Column {
            name: "psn",
            unit: "",
            doc: "Packet sequence number, 24 bits; it wraps.",
            get: Get::U32(|r| roce(r).map(|x| x.bth.psn)),
        },
        Column {
            name: "ack_req",
            unit: "",
            doc: "The sender asks for an acknowledgement.",
            get: Get::Bool(|r| roce(r).map(|x| x.bth.ack_req)),
        },
        Column {
            name: "syndrome",
            unit: "",
            doc: "AETH syndrome, the raw byte: 0x00 to 0x1f ACK, 0x20 to 0x3f RNR NAK, 0x60 PSN sequence error, 0x61 invalid request, 0x62 remote access, 0x63 remote operational.",
            get: Get::U8(|r| roce(r)?.aeth.map(|x| x.syndrome)),
        },
        Column {
            name: "msn",
            unit: "",
            doc: "AETH message sequence number, 24 bits.",
            get: Get::U32(|r| roce(r)?.aeth.map(|x| x.msn)),
        },
        Column {
            name: "payload_len",
            unit: "B",
            doc: "Message bytes in this packet on the wire, without headers, padding and ICRC; null when its lengths contradict.",
            get: Get::U32(|r| roce(r)?.payload_len),
        },
        Column {
            name: "dscp",
            unit: "",
            doc: "DSCP of the IP header, or the high 6 bits of the GRH's traffic class.",
            get: Get::U8(|r| r.packet.ip.map(|x| x.dscp)),
        },
        Column {
            name: "ecn",
            unit: "",
            doc: "ECN field: 0 Not-ECT, 1 ECT(1), 2 ECT(0), 3 CE (a switch was congested).",
            get: Get::U8(|r| r.packet.ip.map(|x| x.ecn)),
        },
        Column {
            name: "fecn",
            unit: "",
            doc: "BTH forward congestion bit.",
            get: Get::Bool(|r| roce(r).map(|x| x.bth.fecn)),
        },
        Column {
            name: "becn",
            unit: "",
            doc: "BTH backward congestion bit: set in a CNP.",
            get: Get::Bool(|r| roce(r).map(|x| x.bth.becn)),
        },
        Column {
            name: "dma_len",
            unit: "B",
            doc: "RETH length of the whole message; null when the packet has none or was cut before it.",
            get: Get::U32(|r| roce(r)?.reth.map(|x| x.dma_len)),
        },
        Column { name: "va", unit: "", doc: "RETH virtual address.", get: Get::U64(|r| roce(r)?.reth.map(|x| x.va)) },
        Column { name: "r_key", unit: "", doc: "RETH remote key.", get: Get::U32(|r| roce(r)?.reth.map(|x| x.r_key)) },
        Column { name: "immediate", unit: "", doc: "Immediate data.", get: Get::U32(|r| roce(r)?.immediate) },
        Column {
            name: "src_qp",
            unit: "",
            doc: "DETH source queue pair, of UD and RD only.",
            get: Get::U32(|r| roce(r)?.deth.map(|x| x.src_qp)),
        },
        Column {
            name: "q_key",
            unit: "",
            doc: "DETH queue key; that of management datagrams is 0x80010000.",
            get: Get::U32(|r| roce(r)?.deth.map(|x| x.q_key)),
        },
        Column {
            name: "xrc_srq",
            unit: "",
            doc: "XRCETH shared receive queue, 24 bits, of XRC requests. This and the next seven are null when the packet was cut.",
            get: Get::U32(|r| rare(r)?.srq),
        },
        Column {
            name: "ee_context",
            unit: "",
            doc: "RDETH end-to-end context, 24 bits, of RD.",
            get: Get::U32(|r| rare(r)?.ee_context),
        },
        Column {
            name: "atomic_va",
            unit: "",
            doc: "AtomicETH virtual address.",
            get: Get::U64(|r| rare(r)?.atomic.map(|x| x.va)),
        },
        Column {
            name: "atomic_r_key",
            unit: "",
            doc: "AtomicETH remote key.",
            get: Get::U32(|r| rare(r)?.atomic.map(|x| x.r_key)),
        },
        Column {
            name: "atomic_swap_add",
            unit: "",
            doc: "AtomicETH: what to swap in, or to add.",
            get: Get::U64(|r| rare(r)?.atomic.map(|x| x.swap_or_add)),
        },
        Column {
            name: "atomic_compare",
            unit: "",
            doc: "AtomicETH: what to compare with.",
            get: Get::U64(|r| rare(r)?.atomic.map(|x| x.compare)),
        },
        Column {
            name: "atomic_original",
            unit: "",
            doc: "AtomicAckETH: what stood there before.",
            get: Get::U64(|r| rare(r)?.original),
        },
        Column {
            name: "invalidated_key",
            unit: "",
            doc: "IETH: the remote key that a SEND makes invalid.",
            get: Get::U32(|r| rare(r)?.invalidated),
        },
        Column {
            name: "solicited",
            unit: "",
            doc: "Solicited event bit.",
            get: Get::Bool(|r| roce(r).map(|x| x.bth.solicited)),
        },
        Column {
            name: "mig_req",
            unit: "",
            doc: "Migration request bit.",
            get: Get::Bool(|r| roce(r).map(|x| x.bth.mig_req)),
        },
        Column {
            name: "pad_count",
            unit: "B",
            doc: "Padding before the ICRC.",
            get: Get::U8(|r| roce(r).map(|x| x.bth.pad_count)),
        },
        Column { name: "p_key", unit: "", doc: "Partition key.", get: Get::U16(|r| roce(r).map(|x| x.bth.p_key)) },
        Column {
            name: "icrc_ok",
            unit: "",
            doc: "The invariant CRC fits; false means the packet was changed after it was sent; null when the packet was cut.",
            get: Get::Bool(|r| roce(r).and_then(rdma::icrc_ok)),
        },
        Column {
            name: "ttl",
            unit: "",
            doc: "TTL or hop limit: 255 (NCCL) or 64 less the routers crossed.",
            get: Get::U8(|r| r.packet.ip.map(|x| x.ttl)),
        },
        Column {
            name: "ip_id",
            unit: "",
            doc: "IPv4 identification: tells copies apart where the sender counts it.",
            get: Get::U16(|r| r.packet.ip?.id),
        },
        VLAN,
        PCP,
        WIRE_LEN,
        Column {
            name: "encapsulation",
            unit: "",
            doc: "RoCEv1, RoCEv2 or InfiniBand.",
            get: Get::Word(|r| roce(r).map(|x| x.encapsulation.name())),
        },
        TUNNEL,
        TUNNEL_ID,
        TUNNEL_SEQ,
        OUTER_SRC,
        OUTER_DST,
        STOPPED,
    ],
};

fn roce<'r>(row: &'r Captured<'_>) -> Option<&'r Roce<'r>> {
    row.packet.roce.as_ref()
}

fn rare(row: &Captured<'_>) -> Option<Rare> {
    roce(row).map(|roce| rdma::rare(roce, row.packet.payload))
}
