//! `tcp_events`: what happened to TCP connections.

use std::borrow::Cow;
use std::sync::Arc;

use super::loss_episodes::Side;
use super::{Column, Get, Row, Table};

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Sent again because duplicate ACKs or SACK told of a hole.
    RetransmissionFast,
    /// Sent again because a timer expired.
    RetransmissionRto,
    /// The last segment was sent again soon, with nothing behind it that could tell of its loss.
    RetransmissionTail,
    /// Sent again although it had arrived.
    RetransmissionSpurious,
    /// Sent again, and what made the sender do so did not pass the tap.
    Retransmission,
    /// Passed later than segments that were sent after it.
    OutOfOrder,
    /// Duplicate ACKs in a row.
    DupAckRun,
    /// A receiver closed its window.
    ZeroWindow,
    /// It opened it again.
    ZeroWindowEnd,
    /// Segments filled the window that the receiver offers.
    WindowFull,
    /// An idle connection was probed.
    KeepAlive,
    /// RST.
    Reset,
    /// A SYN or SYN/ACK was sent again.
    SynRetry,
    /// Bytes never passed the tap, and the receiver has them.
    Gap,
    /// Nothing went on.
    Stall,
}

impl Kind {
    /// The word in the `kind` column.
    pub const fn name(self) -> &'static str {
        match self {
            Self::RetransmissionFast => "retransmission-fast",
            Self::RetransmissionRto => "retransmission-rto",
            Self::RetransmissionTail => "retransmission-tail",
            Self::RetransmissionSpurious => "retransmission-spurious",
            Self::Retransmission => "retransmission",
            Self::OutOfOrder => "out-of-order",
            Self::DupAckRun => "dup-ack-run",
            Self::ZeroWindow => "zero-window",
            Self::ZeroWindowEnd => "zero-window-end",
            Self::WindowFull => "window-full",
            Self::KeepAlive => "keep-alive",
            Self::Reset => "reset",
            Self::SynRetry => "syn-retry",
            Self::Gap => "gap",
            Self::Stall => "stall",
        }
    }
}

/// Why nothing went on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cause {
    /// The receiver had closed its window.
    ZeroWindow,
    /// The receiver's window was full.
    WindowFull,
    /// Nothing was on its way, the window was open: the sending application had nothing to send.
    Application,
    /// A segment had to be sent again.
    Loss,
    /// A small segment waited for an ACK that the receiver held back.
    DelayedAck,
    /// Large segments do not arrive, small ones do.
    Pmtu,
    /// Something was on its way, and no answer tells what held it up.
    Unknown,
}

impl Cause {
    /// The word in the `cause` column.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ZeroWindow => "zero-window",
            Self::WindowFull => "window-full",
            Self::Application => "application",
            Self::Loss => "loss",
            Self::DelayedAck => "delayed-ack",
            Self::Pmtu => "pmtu-black-hole",
            Self::Unknown => "unknown",
        }
    }
}

/// A row.
#[derive(Debug, Clone)]
#[allow(missing_docs)] // the columns below say it
pub struct TcpEvent {
    pub source: Arc<str>,
    pub connection: u32,
    pub frame: u64,
    pub ts: Option<i64>,
    pub from_client: bool,
    pub kind: Kind,
    pub cause: Option<Cause>,
    pub side: Option<Side>,
    pub times: Option<u32>,
    pub count: Option<u32>,
    pub duration: Option<i64>,
    pub bytes: Option<u32>,
    pub proves: Option<&'static str>,
    pub proof_frame: Option<u64>,
    pub wireshark: Option<&'static str>,
}

impl Row for TcpEvent {
    type Of<'a> = Self;
}

/// The word for a direction.
pub(crate) const fn direction(from_client: bool) -> &'static str {
    if from_client { "to server" } else { "to client" }
}

/// The table.
pub const TCP_EVENTS: Table<TcpEvent> = Table {
    name: "tcp_events",
    doc: "One row for each retransmission, stall, reset or other event of a TCP connection.",
    columns: &[
        Column { name: "source", unit: "", doc: "Which capture.", get: Get::Text(|r| Some(Cow::Borrowed(&r.source))) },
        Column {
            name: "connection",
            unit: "",
            doc: "Which connection; joins `tcp_connections.connection`.",
            get: Get::U32(|r| Some(r.connection)),
        },
        Column {
            name: "frame",
            unit: "",
            doc: "The packet that shows it; of a run, the first.",
            get: Get::U64(|r| Some(r.frame)),
        },
        Column { name: "ts", unit: "UTC", doc: "Its time at the tap.", get: Get::Time(|r| r.ts) },
        Column {
            name: "direction",
            unit: "",
            doc: "Which way that packet went: `to server` or `to client`. Of a stall: who ended it by sending.",
            get: Get::Word(|r| Some(direction(r.from_client))),
        },
        Column {
            name: "kind",
            unit: "",
            doc: "`retransmission-fast` (duplicate ACKs or SACK asked for it), `-rto` (timer), `-tail` (last segment, resent early), `-spurious` (had arrived), `retransmission` (reason not seen); `out-of-order`, `dup-ack-run`, `zero-window`, `zero-window-end`, `window-full`, `keep-alive`, `reset`, `syn-retry`, `gap` (never passed this tap, yet acknowledged), `stall`.",
            get: Get::Word(|r| Some(r.kind.name())),
        },
        Column {
            name: "cause",
            unit: "",
            doc: "Of a stall: `zero-window` and `window-full` (receiver), `application` (nothing to send, window open), `loss`, `delayed-ack`, `pmtu-black-hole`, `unknown`.",
            get: Get::Word(|r| r.cause.map(Cause::name)),
        },
        Column {
            name: "side",
            unit: "",
            doc: "Where a segment that was sent again was lost: `source` (between its sender and the tap) or `destination` (beyond the tap, or its ACK before it came to the tap); null when nothing was lost or it is not known.",
            get: Get::Word(|r| r.side.map(Side::name)),
        },
        Column {
            name: "times",
            unit: "",
            doc: "Of something sent again: how often it has passed the tap by now, this time included.",
            get: Get::U32(|r| r.times),
        },
        Column {
            name: "count",
            unit: "packets",
            doc: "Of a run: how many packets it has.",
            get: Get::U32(|r| r.count),
        },
        Column {
            name: "duration",
            unit: "ns",
            doc: "Of a stall or closed window: how long; of a retransmission or late segment: since it (or what overtook it) last passed.",
            get: Get::Duration(|r| r.duration),
        },
        Column { name: "bytes", unit: "B", doc: "Sequence space concerned.", get: Get::U32(|r| r.bytes) },
        Column {
            name: "proves",
            unit: "",
            doc: "What makes it so, or what speaks for it.",
            get: Get::Word(|r| r.proves),
        },
        Column {
            name: "proof_frame",
            unit: "",
            doc: "The other packet that shows it: the first sending, the ACK, the segment that overtook it.",
            get: Get::U64(|r| r.proof_frame),
        },
        Column {
            name: "wireshark",
            unit: "",
            doc: "What Wireshark would call that packet by the rules of its user guide; null when it would say nothing.",
            get: Get::Word(|r| r.wireshark),
        },
    ],
};
