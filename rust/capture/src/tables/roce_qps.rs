//! `roce_qps`: one row for each direction of a queue pair.

use std::borrow::Cow;

use super::{Column, Get, Row, Table};
use crate::address::Address;
use crate::rdma::opcode::Transport;

/// A row.
#[derive(Debug, Clone)]
#[allow(missing_docs)] // the columns below say it
pub struct RoceQp {
    pub source: String,
    pub qp: u32,
    pub src: Address,
    pub dst: Address,
    pub dest_qp: u32,
    pub src_qp: Option<u32>,
    pub paired_by: Option<&'static str>,
    pub sport: Option<u16>,
    pub transport: Transport,
    pub first_ts: Option<i64>,
    pub last_ts: Option<i64>,
    pub first_frame: u64,
    pub last_frame: u64,
    pub longest_silence: Option<i64>,
    pub requests: u64,
    pub payload_bytes: u64,
    pub distinct_psns: u64,
    pub replayed: u64,
    pub go_backs: u32,
    pub reads: u64,
    pub read_responses: u64,
    pub acks: u64,
    pub naks_sequence: u64,
    pub naks_rnr: u64,
    pub naks_fatal: u64,
    pub fatal_syndrome: Option<u8>,
    pub fatal_frame: Option<u64>,
    pub unrequested_acks: u64,
    pub gaps: u64,
    pub unseen: u64,
    pub answers_missing: u64,
    pub unanswered: u64,
    pub duplicates: u64,
    pub duplicate_frame: Option<u64>,
    pub bad_icrc: u64,
    pub bad_icrc_frame: Option<u64>,
    pub ect: u64,
    pub ce: u64,
    pub ce_frame: Option<u64>,
    pub cnps: u64,
    pub cnp_frame: Option<u64>,
    pub round_trip_min: Option<i64>,
    pub dscp: Option<u8>,
    pub vlan_pcp: Option<u8>,
}

impl Row for RoceQp {
    type Of<'a> = Self;
}

/// The table.
pub const ROCE_QPS: Table<RoceQp> = Table {
    name: "roce_qps",
    doc: "One row for each direction of a queue pair: the requests that `src` sent to `dest_qp` at `dst`, and what came back for them.",
    columns: &[
        Column { name: "source", unit: "", doc: "Which capture.", get: Get::Text(|r| Some(Cow::Borrowed(&r.source))) },
        Column {
            name: "qp",
            unit: "",
            doc: "Number of this row in its capture; joins `loss_episodes.qp`.",
            get: Get::U32(|r| Some(r.qp)),
        },
        Column { name: "src", unit: "", doc: "Who sends the requests.", get: Get::Address(|r| Some(r.src)) },
        Column { name: "dst", unit: "", doc: "Who answers them.", get: Get::Address(|r| Some(r.dst)) },
        Column { name: "dest_qp", unit: "", doc: "Queue pair of `dst`.", get: Get::U32(|r| Some(r.dest_qp)) },
        Column {
            name: "src_qp",
            unit: "",
            doc: "Queue pair of `src`, to which answers go; null when the two directions could not be paired.",
            get: Get::U32(|r| r.src_qp),
        },
        Column {
            name: "paired_by",
            unit: "",
            doc: "How `src_qp` is known: `cm` (REQ and REP of the connection manager), `source port` (the kernel's symmetric rule), `ack` (PSNs of answers fall into the requests); null when not.",
            get: Get::Word(|r| r.paired_by),
        },
        Column { name: "sport", unit: "", doc: "UDP source port of the requests.", get: Get::U16(|r| r.sport) },
        Column {
            name: "transport",
            unit: "",
            doc: "RC, XRC, UC, UD or RD.",
            get: Get::Word(|r| Some(r.transport.name())),
        },
        Column { name: "first_ts", unit: "UTC", doc: "First packet, either way.", get: Get::Time(|r| r.first_ts) },
        Column { name: "last_ts", unit: "UTC", doc: "Last packet, either way.", get: Get::Time(|r| r.last_ts) },
        Column {
            name: "first_frame",
            unit: "",
            doc: "Frame of the first packet.",
            get: Get::U64(|r| Some(r.first_frame)),
        },
        Column {
            name: "last_frame",
            unit: "",
            doc: "Frame of the last packet.",
            get: Get::U64(|r| Some(r.last_frame)),
        },
        Column {
            name: "longest_silence",
            unit: "ns",
            doc: "Longest time between two of its packets, either way: it was idle, or all that was sent was lost before this tap.",
            get: Get::Duration(|r| r.longest_silence),
        },
        Column {
            name: "requests",
            unit: "packets",
            doc: "Request packets seen, repeats included.",
            get: Get::U64(|r| Some(r.requests)),
        },
        Column {
            name: "payload_bytes",
            unit: "B",
            doc: "Message bytes in those packets, repeats included.",
            get: Get::U64(|r| Some(r.payload_bytes)),
        },
        Column {
            name: "distinct_psns",
            unit: "packets",
            doc: "Request packets without repeats.",
            get: Get::U64(|r| Some(r.distinct_psns)),
        },
        Column {
            name: "replayed",
            unit: "packets",
            doc: "Request packets that were sent again.",
            get: Get::U64(|r| Some(r.replayed)),
        },
        Column {
            name: "go_backs",
            unit: "",
            doc: "Times that the sender went back to an earlier PSN.",
            get: Get::U32(|r| Some(r.go_backs)),
        },
        Column {
            name: "reads",
            unit: "packets",
            doc: "READ requests, repeats included.",
            get: Get::U64(|r| Some(r.reads)),
        },
        Column {
            name: "read_responses",
            unit: "packets",
            doc: "READ response packets.",
            get: Get::U64(|r| Some(r.read_responses)),
        },
        Column {
            name: "acks",
            unit: "packets",
            doc: "Positive acknowledgements, READ responses left out.",
            get: Get::U64(|r| Some(r.acks)),
        },
        Column {
            name: "naks_sequence",
            unit: "packets",
            doc: "NAKs for a PSN sequence error (0x60).",
            get: Get::U64(|r| Some(r.naks_sequence)),
        },
        Column {
            name: "naks_rnr",
            unit: "packets",
            doc: "RNR NAKs: the receiver had no buffer posted.",
            get: Get::U64(|r| Some(r.naks_rnr)),
        },
        Column {
            name: "naks_fatal",
            unit: "packets",
            doc: "NAKs that end the queue pair: invalid request, remote access, remote operational error.",
            get: Get::U64(|r| Some(r.naks_fatal)),
        },
        Column {
            name: "fatal_syndrome",
            unit: "",
            doc: "AETH syndrome of the first of those; null when there is none.",
            get: Get::U8(|r| r.fatal_syndrome),
        },
        Column { name: "fatal_frame", unit: "", doc: "Frame of the first of those.", get: Get::U64(|r| r.fatal_frame) },
        Column {
            name: "unrequested_acks",
            unit: "packets",
            doc: "ACKs for a PSN that did not ask for one, after a go-back: the receiver already had what was sent again.",
            get: Get::U64(|r| Some(r.unrequested_acks)),
        },
        Column {
            name: "gaps",
            unit: "packets",
            doc: "PSNs skipped at this tap when a later one was first seen, whether or not they came afterwards.",
            get: Get::U64(|r| Some(r.gaps)),
        },
        Column {
            name: "unseen",
            unit: "packets",
            doc: "PSNs acknowledged (of a READ: answered) although this tap never saw them and nobody sent them again: the capture lost them.",
            get: Get::U64(|r| Some(r.unseen)),
        },
        Column {
            name: "answers_missing",
            unit: "packets",
            doc: "Acknowledgements that were sent (the responder's IP identification skips exactly those that were due) and never came by: lost before this tap, or by the capture. 0 when nothing proves any.",
            get: Get::U64(|r| Some(r.answers_missing)),
        },
        Column {
            name: "unanswered",
            unit: "packets",
            doc: "Distinct request packets without acknowledgement when the capture ended.",
            get: Get::U64(|r| Some(r.unanswered)),
        },
        Column {
            name: "duplicates",
            unit: "packets",
            doc: "Copies of one transmission: same PSN and same IP identification. A mirror, or the network, doubled it.",
            get: Get::U64(|r| Some(r.duplicates)),
        },
        Column {
            name: "duplicate_frame",
            unit: "",
            doc: "Frame of the first of those.",
            get: Get::U64(|r| r.duplicate_frame),
        },
        Column {
            name: "bad_icrc",
            unit: "packets",
            doc: "Whole packets, either way, whose ICRC is wrong: changed on the way to this tap. Not counted while most of the capture's are wrong: it was taken before the NIC wrote them, or something rewrites addresses.",
            get: Get::U64(|r| Some(r.bad_icrc)),
        },
        Column {
            name: "bad_icrc_frame",
            unit: "",
            doc: "Frame of the first of those.",
            get: Get::U64(|r| r.bad_icrc_frame),
        },
        Column {
            name: "ect",
            unit: "packets",
            doc: "Requests marked ECN capable and not CE.",
            get: Get::U64(|r| Some(r.ect)),
        },
        Column {
            name: "ce",
            unit: "packets",
            doc: "Requests marked CE: a switch before this tap was congested.",
            get: Get::U64(|r| Some(r.ce)),
        },
        Column { name: "ce_frame", unit: "", doc: "Frame of the first of those.", get: Get::U64(|r| r.ce_frame) },
        Column {
            name: "cnps",
            unit: "packets",
            doc: "CNPs on their way to `src` for this queue pair: the receiver saw CE marks.",
            get: Get::U64(|r| Some(r.cnps)),
        },
        Column { name: "cnp_frame", unit: "", doc: "Frame of the first of those.", get: Get::U64(|r| r.cnp_frame) },
        Column {
            name: "round_trip_min",
            unit: "ns",
            doc: "Shortest time from a request that asks for an acknowledgement to that acknowledgement, at this tap; null when none was seen.",
            get: Get::Duration(|r| r.round_trip_min),
        },
        Column { name: "dscp", unit: "", doc: "DSCP of the first request.", get: Get::U8(|r| r.dscp) },
        Column { name: "pcp", unit: "", doc: "VLAN priority of the first request.", get: Get::U8(|r| r.vlan_pcp) },
    ],
};
