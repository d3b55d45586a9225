//! `cm_events`: connections opened, refused and closed, and what else management datagrams say.

use std::borrow::Cow;
use std::sync::Arc;

use super::{Column, Get, Row, Table};
use crate::address::Address;
use crate::rdma::cm::{self, Cm};
use crate::rdma::mad;
use crate::rdma::timers;

/// A row.
#[derive(Debug, Clone)]
#[allow(missing_docs)] // the columns below say it
pub struct CmEvent {
    pub source: Arc<str>,
    pub frame: u64,
    pub ts: Option<i64>,
    pub src: Address,
    pub dst: Address,
    pub src_qp: Option<u32>,
    pub dest_qp: u32,
    pub class: u8,
    pub method: u8,
    pub attribute: u16,
    pub status: u16,
    pub transaction: u64,
    pub cm: Option<Box<Cm>>,
    pub retry: u32,
    pub copy: bool,
    pub first_frame: u64,
    pub since_last: Option<i64>,
    pub answer_frame: Option<u64>,
    pub answered_after: Option<i64>,
}

impl Row for CmEvent {
    type Of<'a> = Self;
}

impl CmEvent {
    fn cm<T>(&self, get: impl FnOnce(&Cm) -> Option<T>) -> Option<T> {
        self.cm.as_deref().and_then(get)
    }

    fn reason(&self) -> Option<Cow<'_, str>> {
        let reason = self.cm(|cm| cm.reason)?;
        let known = if self.attribute == cm::SIDR_REP { cm::datagram_status(reason) } else { cm::refusal(reason) };
        let named = self.attribute == cm::REJ || self.attribute == cm::SIDR_REP;
        Some(known.filter(|_| named).map_or_else(|| Cow::Owned(format!("code {reason}")), Cow::Borrowed))
    }
}

/// The table.
pub const CM_EVENTS: Table<CmEvent> = Table {
    name: "cm_events",
    doc: "One row for each message of the connection manager or other management datagram. Local is what belongs to the sender of the message.",
    columns: &[
        Column { name: "source", unit: "", doc: "Which capture.", get: Get::Text(|r| Some(Cow::Borrowed(&r.source))) },
        Column { name: "frame", unit: "", doc: "Its frame.", get: Get::U64(|r| Some(r.frame)) },
        Column { name: "ts", unit: "UTC", doc: "When it was captured.", get: Get::Time(|r| r.ts) },
        Column { name: "src", unit: "", doc: "Who sent it.", get: Get::Address(|r| Some(r.src)) },
        Column { name: "dst", unit: "", doc: "To whom.", get: Get::Address(|r| Some(r.dst)) },
        Column {
            name: "src_qp",
            unit: "",
            doc: "Queue pair that the datagram came from.",
            get: Get::U32(|r| r.src_qp),
        },
        Column {
            name: "dest_qp",
            unit: "",
            doc: "Queue pair that it went to: 0 for subnet management, 1 for the rest.",
            get: Get::U32(|r| Some(r.dest_qp)),
        },
        Column {
            name: "class",
            unit: "",
            doc: "Management class: `CM`, `SMP`, `SMP directed`, `SA`, `PerfMgt`, `CC` (congestion control), `BM`, `DevMgt`, `SNMP`, `vendor`, `application`.",
            get: Get::Word(|r| Some(mad::class_name(r.class))),
        },
        Column {
            name: "message",
            unit: "",
            doc: "Of CM the message: `REQ`, `REP`, `RTU`, `REJ`, `MRA`, `DREQ`, `DREP`, `SIDR_REQ`, `SIDR_REP`, `LAP`, `APR`; else the attribute, as `PathRecord` or `PortCounters`; null when it has no name.",
            get: Get::Word(|r| mad::attribute_name(r.class, r.attribute)),
        },
        Column {
            name: "method",
            unit: "",
            doc: "`Send`, `Get`, `Set`, `GetResp` and so on.",
            get: Get::Word(|r| mad::method_name(r.method)),
        },
        Column {
            name: "attribute",
            unit: "",
            doc: "Attribute identifier, the raw number.",
            get: Get::U16(|r| Some(r.attribute)),
        },
        Column {
            name: "status",
            unit: "",
            doc: "Status of the datagram, the raw number; 0 is success.",
            get: Get::U16(|r| Some(r.status)),
        },
        Column {
            name: "transaction",
            unit: "",
            doc: "Transaction identifier; joins a request and its response.",
            get: Get::U64(|r| Some(r.transaction)),
        },
        Column {
            name: "retry",
            unit: "",
            doc: "Times that the same message had been sent before: above 0 the first, or its answer, was lost or is late.",
            get: Get::U32(|r| Some(r.retry)),
        },
        Column {
            name: "copy",
            unit: "",
            doc: "The same transmission once more: a mirror doubled it. It counts as no retry.",
            get: Get::Bool(|r| Some(r.copy)),
        },
        Column {
            name: "first_frame",
            unit: "",
            doc: "Frame in which this message was first sent.",
            get: Get::U64(|r| Some(r.first_frame)),
        },
        Column {
            name: "since_last",
            unit: "ns",
            doc: "Time since it was last sent; null when it was not.",
            get: Get::Duration(|r| r.since_last),
        },
        Column {
            name: "answer_frame",
            unit: "",
            doc: "Frame of the first answer that passed afterwards (to REQ: REP, REJ or MRA; to REP: RTU, REJ or MRA; to DREQ: DREP; to Get or Set: the response); null when none did, or none is due.",
            get: Get::U64(|r| r.answer_frame),
        },
        Column {
            name: "answered_after",
            unit: "ns",
            doc: "Time from this message to that answer.",
            get: Get::Duration(|r| r.answered_after),
        },
        Column {
            name: "local_id",
            unit: "",
            doc: "Communication identifier of the sender; of SIDR the request identifier.",
            get: Get::U32(|r| r.cm(|cm| cm.local_id)),
        },
        Column {
            name: "remote_id",
            unit: "",
            doc: "Communication identifier of the receiver; null where the message has none.",
            get: Get::U32(|r| r.cm(|cm| cm.remote_id)),
        },
        Column {
            name: "qp",
            unit: "",
            doc: "Queue pair that the sender offers (REQ, REP, SIDR_REP).",
            get: Get::U32(|r| r.cm(|cm| cm.qpn)),
        },
        Column {
            name: "remote_qp",
            unit: "",
            doc: "Queue pair of the receiver that is closed (DREQ).",
            get: Get::U32(|r| r.cm(|cm| cm.remote_qpn)),
        },
        Column {
            name: "starting_psn",
            unit: "",
            doc: "First PSN that the receiver of this message shall send (REQ, REP).",
            get: Get::U32(|r| r.cm(|cm| cm.starting_psn)),
        },
        Column {
            name: "transport",
            unit: "",
            doc: "RC, UC, RD or XRC (REQ).",
            get: Get::Word(|r| r.cm(|cm| cm.transport)),
        },
        Column { name: "path_mtu", unit: "B", doc: "Path MTU (REQ).", get: Get::U16(|r| r.cm(|cm| cm.path_mtu)) },
        Column {
            name: "ack_timeout",
            unit: "ns",
            doc: "Local ACK timeout, 4.096 us times two to the code (REQ). A device may wait up to four times as long.",
            get: Get::Duration(|r| r.cm(|cm| cm.ack_timeout).filter(|code| *code > 0).map(timers::doubling)),
        },
        Column {
            name: "retry_count",
            unit: "",
            doc: "Times that a request is sent again before an error (REQ).",
            get: Get::U8(|r| r.cm(|cm| cm.retry_count)),
        },
        Column {
            name: "rnr_retry",
            unit: "",
            doc: "Times that the receiver of this message waits for a receive buffer before an error; 7 is for ever (REQ, REP).",
            get: Get::U8(|r| r.cm(|cm| cm.rnr_retry)),
        },
        Column {
            name: "target_ack_delay",
            unit: "ns",
            doc: "Longest time that the sender takes to acknowledge (REP).",
            get: Get::Duration(|r| r.cm(|cm| cm.target_ack_delay).map(timers::doubling)),
        },
        Column {
            name: "response_timeout",
            unit: "ns",
            doc: "Time in which the receiver shall answer this message (REQ), or time that the sender needs (MRA).",
            get: Get::Duration(|r| r.cm(|cm| cm.response_timeout).map(timers::doubling)),
        },
        Column {
            name: "max_cm_retries",
            unit: "",
            doc: "Times that messages of this connection are sent again (REQ).",
            get: Get::U8(|r| r.cm(|cm| cm.max_cm_retries)),
        },
        Column {
            name: "responder_resources",
            unit: "",
            doc: "READs and atomics that the sender can answer at once (REQ, REP).",
            get: Get::U8(|r| r.cm(|cm| cm.responder_resources)),
        },
        Column {
            name: "initiator_depth",
            unit: "",
            doc: "READs and atomics that the sender wants to have under way (REQ, REP).",
            get: Get::U8(|r| r.cm(|cm| cm.initiator_depth)),
        },
        Column {
            name: "srq",
            unit: "",
            doc: "The sender takes its receive buffers from a shared queue (REQ, REP).",
            get: Get::Bool(|r| r.cm(|cm| cm.srq)),
        },
        Column {
            name: "service_id",
            unit: "",
            doc: "What the requester wants to reach (REQ, SIDR).",
            get: Get::U64(|r| r.cm(|cm| cm.service_id)),
        },
        Column {
            name: "port_space",
            unit: "",
            doc: "`tcp`, `udp`, `ipoib` or `ib` of librdmacm, from the service id; null for any other.",
            get: Get::Word(|r| r.cm(Cm::port).map(|(space, _)| space)),
        },
        Column {
            name: "port",
            unit: "",
            doc: "Port in that space.",
            get: Get::U16(|r| r.cm(Cm::port).map(|(_, port)| port)),
        },
        Column {
            name: "local_gid",
            unit: "",
            doc: "GID of the sender's port, as an IPv4 address where it maps one (REQ).",
            get: Get::Address(|r| r.cm(|cm| cm.local_gid)),
        },
        Column {
            name: "remote_gid",
            unit: "",
            doc: "GID of the receiver's port, likewise.",
            get: Get::Address(|r| r.cm(|cm| cm.remote_gid)),
        },
        Column {
            name: "src_ip",
            unit: "",
            doc: "IP address of the requester, as librdmacm tells it in the private data (REQ, SIDR_REQ).",
            get: Get::Address(|r| r.cm(|cm| cm.ip).map(|(src, _, _)| src)),
        },
        Column {
            name: "dst_ip",
            unit: "",
            doc: "IP address that the requester wants to reach, likewise.",
            get: Get::Address(|r| r.cm(|cm| cm.ip).map(|(_, dst, _)| dst)),
        },
        Column {
            name: "p_key",
            unit: "",
            doc: "Partition key (REQ, SIDR_REQ).",
            get: Get::U16(|r| r.cm(|cm| cm.p_key)),
        },
        Column {
            name: "traffic_class",
            unit: "",
            doc: "Traffic class for the data: DSCP times four, and ECN (REQ).",
            get: Get::U8(|r| r.cm(|cm| cm.traffic_class)),
        },
        Column {
            name: "about",
            unit: "",
            doc: "Which message is refused or delayed: `REQ`, `REP` or `other` (REJ, MRA).",
            get: Get::Word(|r| r.cm(|cm| cm.about)),
        },
        Column {
            name: "reason_code",
            unit: "",
            doc: "Why it is refused, the raw number (REJ); status of a SIDR_REP or APR.",
            get: Get::U16(|r| r.cm(|cm| cm.reason)),
        },
        Column { name: "reason", unit: "", doc: "The same in words.", get: Get::Text(|r| r.reason()) },
    ],
};
