//! `credits`: who kept whom waiting where a receiver gives credit for each message, as in NCCL.

use std::borrow::Cow;

use super::{Column, Get, Row, Table};
use crate::address::Address;
use crate::track::Stall;

/// A row.
#[derive(Debug, Clone)]
#[allow(missing_docs)] // the columns below say it
pub struct Credit {
    pub source: String,
    pub qp: u32,
    pub src: Address,
    pub dst: Address,
    pub dest_qp: u32,
    pub cts_qp: u32,
    pub cts_elsewhere: bool,
    pub bytes: u64,
    pub messages: u64,
    pub cts: u64,
    pub left: Option<u64>,
    pub data_unacked: u64,
    pub cts_unacked: Option<u64>,
    pub last_data_ts: Option<i64>,
    pub last_data_frame: u64,
    pub last_cts_ts: Option<i64>,
    pub last_cts_frame: Option<u64>,
    pub end: Option<Stall>,
    pub stall: Option<Stall>,
    pub stall_ts: Option<i64>,
}

impl Row for Credit {
    type Of<'a> = Self;
}

/// The table.
pub const CREDITS: Table<Credit> = Table {
    name: "credits",
    doc: "One row for each queue pair on which data with immediates flows one way, and small WRITEs of whole records flow back and clear it to be sent, as in NCCL.",
    columns: &[
        Column { name: "source", unit: "", doc: "Which capture.", get: Get::Text(|r| Some(Cow::Borrowed(&r.source))) },
        Column {
            name: "qp",
            unit: "",
            doc: "The direction of the data; joins `roce_qps.qp` of the same source.",
            get: Get::U32(|r| Some(r.qp)),
        },
        Column { name: "src", unit: "", doc: "Who sends the data.", get: Get::Address(|r| Some(r.src)) },
        Column { name: "dst", unit: "", doc: "Who receives it, and gives credit.", get: Get::Address(|r| Some(r.dst)) },
        Column {
            name: "dest_qp",
            unit: "",
            doc: "Queue pair of `dst` that the data goes to.",
            get: Get::U32(|r| Some(r.dest_qp)),
        },
        Column {
            name: "cts_qp",
            unit: "",
            doc: "The direction of the credit; joins `roce_qps.qp` likewise.",
            get: Get::U32(|r| Some(r.cts_qp)),
        },
        Column {
            name: "cts_elsewhere",
            unit: "",
            doc: "The credit comes on another queue pair of the two hosts, which may give it for several: it cannot be counted for this one.",
            get: Get::Bool(|r| Some(r.cts_elsewhere)),
        },
        Column { name: "bytes", unit: "B", doc: "Data, repeats left out.", get: Get::U64(|r| Some(r.bytes)) },
        Column {
            name: "messages",
            unit: "messages",
            doc: "Messages that ended with an immediate.",
            get: Get::U64(|r| Some(r.messages)),
        },
        Column {
            name: "cts",
            unit: "packets",
            doc: "Clear-to-send WRITEs, repeats left out.",
            get: Get::U64(|r| Some(r.cts)),
        },
        Column {
            name: "credits_left",
            unit: "messages",
            doc: "Credits that the sender still had in the end, at least: those from before the capture are not known. Null where they cannot be counted.",
            get: Get::U64(|r| r.left),
        },
        Column {
            name: "data_unacked",
            unit: "packets",
            doc: "Data without acknowledgement in the end.",
            get: Get::U64(|r| Some(r.data_unacked)),
        },
        Column {
            name: "cts_unacked",
            unit: "packets",
            doc: "Credit without acknowledgement in the end; null when its answers could not be paired.",
            get: Get::U64(|r| r.cts_unacked),
        },
        Column { name: "last_data_ts", unit: "UTC", doc: "Last data.", get: Get::Time(|r| r.last_data_ts) },
        Column { name: "last_data_frame", unit: "", doc: "Its frame.", get: Get::U64(|r| Some(r.last_data_frame)) },
        Column { name: "last_cts_ts", unit: "UTC", doc: "Last credit.", get: Get::Time(|r| r.last_cts_ts) },
        Column { name: "last_cts_frame", unit: "", doc: "Its frame.", get: Get::U64(|r| r.last_cts_frame) },
        Column {
            name: "state",
            unit: "",
            doc: "What was waited for when the capture ended. `receiver-late`: all data was acknowledged and no credit came; `sender-late`: there was credit and no data came; `in-flight-unacked`: data was not acknowledged; `cts-unacked`: credit was not acknowledged, or had to be sent again; `unknown`: the capture does not tell. Null while data flows: the last is less than four median round trips, or 100 us, old.",
            get: Get::Word(|r| r.end.map(|end| end.state.name())),
        },
        Column {
            name: "state_for",
            unit: "ns",
            doc: "Time from the last data to the end of the capture; null likewise.",
            get: Get::Duration(|r| r.end.map(|end| end.length)),
        },
        Column {
            name: "state_frame",
            unit: "",
            doc: "First of the two frames that prove it: the data or credit that was waited on.",
            get: Get::U64(|r| r.end.and_then(|end| end.proof.0)),
        },
        Column {
            name: "state_other_frame",
            unit: "",
            doc: "Second: what there was last of the other; null when there is none.",
            get: Get::U64(|r| r.end.and_then(|end| end.proof.1)),
        },
        Column {
            name: "stall",
            unit: "ns",
            doc: "Longest time without data before that; null when none was longer than four median round trips and 100 us.",
            get: Get::Duration(|r| r.stall.map(|stall| stall.length)),
        },
        Column { name: "stall_ts", unit: "UTC", doc: "The last data before it.", get: Get::Time(|r| r.stall_ts) },
        Column {
            name: "stall_state",
            unit: "",
            doc: "What was waited for, in the same words. When one waited for the other in turn, the longer wait counts.",
            get: Get::Word(|r| r.stall.map(|stall| stall.state.name())),
        },
        Column {
            name: "stall_frame",
            unit: "",
            doc: "First of the two frames that prove it.",
            get: Get::U64(|r| r.stall.and_then(|stall| stall.proof.0)),
        },
        Column {
            name: "stall_other_frame",
            unit: "",
            doc: "Second: the credit that ended a wait for the receiver, else the data that went on; null when there is none.",
            get: Get::U64(|r| r.stall.and_then(|stall| stall.proof.1)),
        },
    ],
};
