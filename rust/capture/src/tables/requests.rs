//! `requests`: requests and the phases of their time to the first token.

use std::borrow::Cow;
use std::sync::Arc;

use super::{Column, Get, Row, Table};
use crate::address::Address;
use crate::track::requests::{Gaps, Mark, Reasons, span};

/// A row: the marks as they were seen. The columns below make durations of them. What changes with each chunk stands
/// first and together, for a capture has many requests under way at a time.
#[derive(Debug, Clone)]
#[repr(C)]
#[allow(missing_docs)] // the columns below say it
pub struct Request {
    /// First and last byte of the response.
    pub response: Option<Mark>,
    pub last: Option<Mark>,
    pub first_token: Option<Mark>,
    pub last_token: Option<Mark>,
    pub response_bytes: u64,
    pub tokens: Option<u32>,
    pub chunks: u32,
    pub source: Arc<String>,
    pub request: u32,
    pub connection: Option<u32>,
    pub protocol: &'static str,
    pub client: (Address, u16),
    pub server: (Address, u16),
    pub stream: Option<u32>,
    pub method: Option<Box<str>>,
    pub host: Option<Box<str>>,
    pub path: Option<Box<str>>,
    pub status: Option<u16>,
    pub content_type: Option<Box<str>>,
    pub tls_version: Option<&'static str>,
    pub alpn: Option<Box<str>>,
    pub streamed: Option<&'static str>,
    pub counted: Option<&'static str>,
    /// First and last byte of the request, and the acknowledgement of the latter.
    pub begin: Option<Mark>,
    pub sent: Option<Mark>,
    pub acked: Option<Mark>,
    pub dns: Option<i64>,
    pub dns_retries: Option<u32>,
    pub connect: Option<i64>,
    pub syn_retries: Option<u32>,
    pub tls: Option<i64>,
    pub request_bytes: u64,
    pub gaps: Option<Gaps>,
    pub hol_before: i64,
    pub hol_after: i64,
    pub hol_beyond: i64,
    pub flow_control: i64,
    pub ended: &'static str,
    pub ttft_earliest: Option<i64>,
    pub ttft_latest: Option<i64>,
    pub reasons: Reasons,
}

impl Row for Request {
    type Of<'a> = Self;
}

/// The table.
pub const REQUESTS: Table<Request> = Table {
    name: "requests",
    doc: "One row for each DNS query, HTTP request, gRPC call, WebSocket, or exchange inside TLS, in the order in which they begin: the phases of the time to the first token, as this tap saw them.",
    columns: &[
        Column {
            name: "source",
            unit: "",
            doc: "Which capture.",
            get: Get::Text(|r| Some(Cow::Borrowed(r.source.as_str()))),
        },
        Column {
            name: "request",
            unit: "",
            doc: "Number of this row in its capture; joins `tokens.request`.",
            get: Get::U32(|r| Some(r.request)),
        },
        Column {
            name: "connection",
            unit: "",
            doc: "Number of the TCP connection, as in `tcp_connections`; null over UDP.",
            get: Get::U32(|r| r.connection),
        },
        Column {
            name: "protocol",
            unit: "",
            doc: "dns, http/1.1 (1.0 too), http/2, grpc, websocket or tls.",
            get: Get::Word(|r| Some(r.protocol)),
        },
        Column { name: "client", unit: "", doc: "Who asks.", get: Get::Address(|r| Some(r.client.0)) },
        Column { name: "client_port", unit: "", doc: "Its port.", get: Get::U16(|r| Some(r.client.1)) },
        Column { name: "server", unit: "", doc: "Who is asked.", get: Get::Address(|r| Some(r.server.0)) },
        Column { name: "server_port", unit: "", doc: "Its port.", get: Get::U16(|r| Some(r.server.1)) },
        Column { name: "stream", unit: "", doc: "HTTP/2 stream; null elsewhere.", get: Get::U32(|r| r.stream) },
        Column {
            name: "method",
            unit: "",
            doc: "Method, or the type of a DNS question.",
            get: Get::Text(|r| r.method.as_deref().map(Cow::Borrowed)),
        },
        Column {
            name: "host",
            unit: "",
            doc: "Host header, :authority, TLS server name, or the name that DNS was asked for.",
            get: Get::Text(|r| r.host.as_deref().map(Cow::Borrowed)),
        },
        Column {
            name: "path",
            unit: "",
            doc: "Request target: its first 512 bytes, what is no printable ASCII as \\xNN.",
            get: Get::Text(|r| r.path.as_deref().map(Cow::Borrowed)),
        },
        Column {
            name: "status",
            unit: "",
            doc: "HTTP status, or the response code of DNS.",
            get: Get::U16(|r| r.status),
        },
        Column {
            name: "content_type",
            unit: "",
            doc: "Content type of the response.",
            get: Get::Text(|r| r.content_type.as_deref().map(Cow::Borrowed)),
        },
        Column {
            name: "tls_version",
            unit: "",
            doc: "TLS version that the server chose; null without TLS.",
            get: Get::Word(|r| r.tls_version),
        },
        Column {
            name: "alpn",
            unit: "",
            doc: "Protocol that the TLS server chose; with TLS 1.3, where that is hidden, those that the client offered.",
            get: Get::Text(|r| r.alpn.as_deref().map(Cow::Borrowed)),
        },
        Column {
            name: "streamed",
            unit: "",
            doc: "How the response comes in parts: sse, ndjson, chunked, grpc, websocket; null when it does not.",
            get: Get::Word(|r| r.streamed),
        },
        Column {
            name: "counted",
            unit: "",
            doc: "How tokens were told from other events: openai, completions, responses, anthropic, tgi, ollama, gemini; `every event`, `every line`, `every chunk` or `every message` where the kind of stream is not known.",
            get: Get::Word(|r| r.counted),
        },
        Column { name: "ts", unit: "UTC", doc: "First byte of the request.", get: Get::Time(|r| r.begin?.ts) },
        Column {
            name: "dns",
            unit: "ns",
            doc: "DNS query to answer, retries included: of this row, or of the lookup just before its connection.",
            get: Get::Duration(|r| r.dns),
        },
        Column {
            name: "dns_retries",
            unit: "",
            doc: "How often that query was sent again.",
            get: Get::U32(|r| r.dns_retries),
        },
        Column {
            name: "connect",
            unit: "ns",
            doc: "First SYN to SYN/ACK; only for the first request of a connection, like `dns` and `tls`.",
            get: Get::Duration(|r| r.connect),
        },
        Column {
            name: "syn_retries",
            unit: "",
            doc: "How often the SYN was sent again.",
            get: Get::U32(|r| r.syn_retries),
        },
        Column {
            name: "tls",
            unit: "ns",
            doc: "ClientHello to the end of the handshake: the client's Finished, or in TLS 1.2 the later of both.",
            get: Get::Duration(|r| r.tls),
        },
        Column {
            name: "upload",
            unit: "ns",
            doc: "First to last byte of the request.",
            get: Get::Duration(|r| span(r.begin, r.sent)),
        },
        Column {
            name: "acked",
            unit: "ns",
            doc: "Last byte of the request to its acknowledgement: the far kernel has it, and the network towards it is not to blame for the rest.",
            get: Get::Duration(|r| span(r.sent, r.acked)),
        },
        Column {
            name: "think",
            unit: "ns",
            doc: "Last byte of the request to first byte of the response.",
            get: Get::Duration(|r| r.think()),
        },
        Column {
            name: "first",
            unit: "ns",
            doc: "First byte of the response to the first token: headers may come long before it.",
            get: Get::Duration(|r| r.first()),
        },
        Column {
            name: "ttft",
            unit: "ns",
            doc: "Time to the first token: the phases named in `ttft_includes`.",
            get: Get::Duration(|r| r.ttft()),
        },
        Column {
            name: "ttft_includes",
            unit: "",
            doc: "The phases that are inside `ttft`; others were not seen, or belong to an earlier request of the connection.",
            get: Get::Word(|r| r.ttft_includes()),
        },
        Column {
            name: "ttft_earliest",
            unit: "ns",
            doc: "Inside TLS: the first token cannot have come sooner than this after the first byte of the request.",
            get: Get::Duration(|r| r.ttft_earliest),
        },
        Column {
            name: "ttft_latest",
            unit: "ns",
            doc: "Inside TLS: and not later, if the steady cadence of records is that of the tokens; null when there is none.",
            get: Get::Duration(|r| r.ttft_latest),
        },
        Column {
            name: "total",
            unit: "ns",
            doc: "First byte of the request to last byte of the response; null until that was seen.",
            get: Get::Duration(|r| if r.ended == "complete" { span(r.begin, r.last) } else { None }),
        },
        Column {
            name: "tail",
            unit: "ns",
            doc: "Last token to last byte of the response.",
            get: Get::Duration(|r| if r.ended == "complete" { span(r.last_token, r.last) } else { None }),
        },
        Column {
            name: "chunks",
            unit: "",
            doc: "Rows of `tokens` that it has; inside TLS, its records.",
            get: Get::U32(|r| Some(r.chunks)),
        },
        Column {
            name: "tokens",
            unit: "",
            doc: "Events with content; null when the response is not streamed, or part of it could not be read.",
            get: Get::U32(|r| r.tokens),
        },
        Column {
            name: "request_bytes",
            unit: "B",
            doc: "Bytes of the request on the wire, headers included.",
            get: Get::U64(|r| Some(r.request_bytes)),
        },
        Column {
            name: "response_bytes",
            unit: "B",
            doc: "Bytes of the response on the wire, headers included.",
            get: Get::U64(|r| Some(r.response_bytes)),
        },
        Column {
            name: "gap_min",
            unit: "ns",
            doc: "Shortest time between two token chunks that follow each other.",
            get: Get::Duration(|r| Some(r.gaps?.min)),
        },
        Column {
            name: "gap_median",
            unit: "ns",
            doc: "The median (the lower of two).",
            get: Get::Duration(|r| Some(r.gaps?.median)),
        },
        Column {
            name: "gap_p99",
            unit: "ns",
            doc: "The 99th percentile (nearest rank).",
            get: Get::Duration(|r| Some(r.gaps?.p99)),
        },
        Column { name: "gap_max", unit: "ns", doc: "The longest.", get: Get::Duration(|r| Some(r.gaps?.max)) },
        Column {
            name: "hol_before",
            unit: "ns",
            doc: "Head-of-line time before the first token: how long lost segments held back what came after them. Exact at the receiver's side of the loss.",
            get: Get::Duration(|r| r.connection.map(|_| r.hol_before)),
        },
        Column {
            name: "hol_after",
            unit: "ns",
            doc: "Likewise after the first token.",
            get: Get::Duration(|r| r.connection.map(|_| r.hol_after)),
        },
        Column {
            name: "hol_beyond",
            unit: "ns",
            doc: "The part of both for segments that had passed this tap and came again unacknowledged: lost beyond it, or resent too soon; an upper bound.",
            get: Get::Duration(|r| r.connection.map(|_| r.hol_beyond)),
        },
        Column {
            name: "flow_control",
            unit: "ns",
            doc: "HTTP/2: how long the response waited for a window update with its window used up.",
            get: Get::Duration(|r| (r.stream.is_some()).then_some(r.flow_control)),
        },
        Column {
            name: "request_frame",
            unit: "",
            doc: "Frame of the first byte of the request.",
            get: Get::U64(|r| Some(r.begin?.frame)),
        },
        Column { name: "sent_frame", unit: "", doc: "Frame of its last byte.", get: Get::U64(|r| Some(r.sent?.frame)) },
        Column {
            name: "response_frame",
            unit: "",
            doc: "Frame of the first byte of the response.",
            get: Get::U64(|r| Some(r.response?.frame)),
        },
        Column {
            name: "token_frame",
            unit: "",
            doc: "Frame that completed the first token.",
            get: Get::U64(|r| Some(r.first_token?.frame)),
        },
        Column {
            name: "last_frame",
            unit: "",
            doc: "Frame of the last byte of the response that was seen.",
            get: Get::U64(|r| Some(r.last?.frame)),
        },
        Column {
            name: "ended",
            unit: "",
            doc: "complete; closed or reset (the connection ended first); cancelled (HTTP/2 RST_STREAM); lost (a gap hides the end); open (the capture ended first).",
            get: Get::Word(|r| Some(r.ended)),
        },
        Column {
            name: "exact",
            unit: "",
            doc: "`ttft` is exact for this tap; false where there is none, or only an interval.",
            get: Get::Bool(|r| Some(r.exact())),
        },
        Column {
            name: "reason",
            unit: "",
            doc: "Why something is not known; null when all is.",
            get: Get::Text(|r| r.reason().map(Cow::Owned)),
        },
    ],
};
