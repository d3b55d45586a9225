//! `capture_health`: one row for each capture: may it testify?

use std::borrow::Cow;

use super::{Column, Get, Row, Table};

/// A row.
#[derive(Debug, Clone)]
#[allow(missing_docs)] // the columns below say it
pub struct CaptureHealth {
    pub source: String,
    pub container: &'static str,
    pub packets: u64,
    pub roce_packets: u64,
    pub pause_frames: u64,
    pub first_ts: Option<i64>,
    pub last_ts: Option<i64>,
    pub snap_len: Option<u32>,
    pub cut_packets: u64,
    pub undecoded: u64,
    pub reliable_requests: u64,
    pub unreliable_requests: u64,
    pub unreliable_gaps: u64,
    pub answers: u64,
    pub followed: u64,
    pub one_way_qps: u32,
    pub unseen: u64,
    pub unseen_share: Option<f64>,
    pub reported_drops: Option<u64>,
    pub mirrored: u64,
    pub mirror_gaps: Option<u64>,
    pub duplicates: u64,
    pub longest_silence: Option<i64>,
    pub backward_steps: u64,
    pub resolution: Option<i64>,
    pub damaged: bool,
}

impl Row for CaptureHealth {
    type Of<'a> = Self;
}

/// The table.
pub const CAPTURE_HEALTH: Table<CaptureHealth> = Table {
    name: "capture_health",
    doc: "One row for each capture: what it holds, what it lost itself, and so what it may testify to.",
    columns: &[
        Column { name: "source", unit: "", doc: "Which capture.", get: Get::Text(|r| Some(Cow::Borrowed(&r.source))) },
        Column { name: "container", unit: "", doc: "pcap or pcapng.", get: Get::Word(|r| Some(r.container)) },
        Column { name: "packets", unit: "packets", doc: "All packets.", get: Get::U64(|r| Some(r.packets)) },
        Column { name: "roce_packets", unit: "packets", doc: "RDMA packets.", get: Get::U64(|r| Some(r.roce_packets)) },
        Column {
            name: "pause_frames",
            unit: "frames",
            doc: "PFC and 802.3x pause frames.",
            get: Get::U64(|r| Some(r.pause_frames)),
        },
        Column { name: "first_ts", unit: "UTC", doc: "First packet.", get: Get::Time(|r| r.first_ts) },
        Column { name: "last_ts", unit: "UTC", doc: "Last packet.", get: Get::Time(|r| r.last_ts) },
        Column {
            name: "snap_len",
            unit: "B",
            doc: "Longest stored packet that the file allows; null when it does not say.",
            get: Get::U32(|r| r.snap_len),
        },
        Column {
            name: "cut_packets",
            unit: "packets",
            doc: "Packets stored shorter than they were on the wire.",
            get: Get::U64(|r| Some(r.cut_packets)),
        },
        Column {
            name: "undecoded",
            unit: "packets",
            doc: "Packets whose decoding stopped early.",
            get: Get::U64(|r| Some(r.undecoded)),
        },
        Column {
            name: "reliable_requests",
            unit: "packets",
            doc: "Request packets of reliable queue pairs (RC, XRC).",
            get: Get::U64(|r| Some(r.reliable_requests)),
        },
        Column {
            name: "unreliable_requests",
            unit: "packets",
            doc: "Packets of unreliable ones (UC, UD): their loss is silent.",
            get: Get::U64(|r| Some(r.unreliable_requests)),
        },
        Column {
            name: "unreliable_gaps",
            unit: "packets",
            doc: "PSNs of unreliable connections that never came by: lost before this tap, or by the capture.",
            get: Get::U64(|r| Some(r.unreliable_gaps)),
        },
        Column {
            name: "answers",
            unit: "packets",
            doc: "Responses, ACKs and NAKs of reliable queue pairs.",
            get: Get::U64(|r| Some(r.answers)),
        },
        Column {
            name: "followed",
            unit: "packets",
            doc: "Requests and answers of reliable queue pairs whose two directions were found: the packets that a verdict can rest on.",
            get: Get::U64(|r| Some(r.followed)),
        },
        Column {
            name: "one_way_qps",
            unit: "",
            doc: "Reliable queue pair directions of which only requests or only answers were captured.",
            get: Get::U32(|r| Some(r.one_way_qps)),
        },
        Column {
            name: "unseen",
            unit: "packets",
            doc: "Requests acknowledged, and READ responses accepted, although this tap never saw them and nobody sent them again: lost by the capture.",
            get: Get::U64(|r| Some(r.unseen)),
        },
        Column {
            name: "unseen_share",
            unit: "0 to 1",
            doc: "`unseen` over all requests and READ responses that must have passed: the estimated drop rate of the capture; null when none was acknowledged.",
            get: Get::F64(|r| r.unseen_share),
        },
        Column {
            name: "reported_drops",
            unit: "packets",
            doc: "Drops that the file itself reports (pcapng statistics and packet blocks); null when it does not: pcap cannot.",
            get: Get::U64(|r| r.reported_drops),
        },
        Column {
            name: "mirrored",
            unit: "packets",
            doc: "Packets that a switch mirrored by ERSPAN; see `mirrors`.",
            get: Get::U64(|r| Some(r.mirrored)),
        },
        Column {
            name: "mirror_gaps",
            unit: "packets",
            doc: "Mirrored packets that never came, by the numbers that the mirrors gave them: exactly what the capture lost of them; null when no mirror numbers its packets.",
            get: Get::U64(|r| r.mirror_gaps),
        },
        Column {
            name: "duplicates",
            unit: "packets",
            doc: "Copies of one transmission.",
            get: Get::U64(|r| Some(r.duplicates)),
        },
        Column {
            name: "longest_silence",
            unit: "ns",
            doc: "Longest time between two packets of one reliable queue pair: it was idle, or all that was sent was lost before this tap; null without one.",
            get: Get::Duration(|r| r.longest_silence),
        },
        Column {
            name: "backward_steps",
            unit: "",
            doc: "Times that the clock of the capture went back between two packets of one interface.",
            get: Get::U64(|r| Some(r.backward_steps)),
        },
        Column {
            name: "resolution",
            unit: "ns",
            doc: "Finest step of its time stamps: 1000 for microseconds.",
            get: Get::Duration(|r| r.resolution),
        },
        Column {
            name: "damaged",
            unit: "",
            doc: "The file ends early or is broken; see `problems`.",
            get: Get::Bool(|r| Some(r.damaged)),
        },
    ],
};
