//! A conversation written down segment by segment, for the tests of the tracker.

use crate::address::Address;
use crate::packet::{Ip, Kind, Packet, Tcp};
use crate::tables::captured::Captured;
use crate::tables::problems::ProblemRow;
use crate::tables::tcp_connections::TcpConnection;
use crate::tables::tcp_events::TcpEvent;
use crate::track::conversations::{ACK, Conversations, SYN};
use crate::track::tcp::Connections;

pub const MS: i64 = 1_000_000;

/// One segment; `..Segment::default()` is an ACK of the client with an open window.
#[derive(Debug, Clone)]
pub struct Segment {
    pub from_client: bool,
    pub seq: u32,
    pub ack: u32,
    pub flags: u8,
    pub len: u32,
    pub window: u16,
    pub options: Vec<u8>,
    pub id: u16,
    pub client_port: u16,
    pub ecn: u8,
}

impl Default for Segment {
    fn default() -> Self {
        Self {
            from_client: true,
            seq: 0,
            ack: 0,
            flags: ACK,
            len: 0,
            window: 60_000,
            options: Vec::new(),
            id: 0,
            client_port: 40_000,
            ecn: 0,
        }
    }
}

/// The segments so far.
#[derive(Default)]
pub struct Talk {
    conversations: Conversations,
    connections: Connections,
    pub frame: u64,
}

/// What the tracker said.
pub struct Told {
    pub connections: Vec<TcpConnection>,
    pub events: Vec<TcpEvent>,
    pub problems: Vec<ProblemRow>,
}

impl Told {
    pub fn only(&self) -> &TcpConnection {
        assert_eq!(self.connections.len(), 1);
        &self.connections[0]
    }

    /// Kinds of the events, in order.
    pub fn kinds(&self) -> Vec<&'static str> {
        self.events.iter().map(|event| event.kind.name()).collect()
    }

    pub fn event(&self, kind: &str) -> &TcpEvent {
        let mut found = self.events.iter().filter(|event| event.kind.name() == kind);
        let event = found.next().unwrap_or_else(|| panic!("no {kind} in {:?}", self.kinds()));
        assert!(found.next().is_none(), "one {kind} in {:?}", self.kinds());
        event
    }

    /// Causes of the stalls, and how long they were, in milliseconds.
    pub fn stalls(&self) -> Vec<(&'static str, i64)> {
        let stalls = self.events.iter().filter(|event| event.kind.name() == "stall");
        stalls.map(|event| (event.cause.unwrap().name(), event.duration.unwrap() / MS)).collect()
    }
}

pub const CLIENT: Address = Address::V4([192, 0, 2, 1]);
pub const SERVER: Address = Address::V4([198, 51, 100, 1]);
pub const MSS: u32 = 1000;

impl Talk {
    /// One segment at a time in nanoseconds.
    pub fn at(&mut self, ts: i64, segment: &Segment) -> &mut Self {
        self.row(Some(ts), segment, Some(segment.len))
    }

    pub fn row(&mut self, ts: Option<i64>, segment: &Segment, payload_len: Option<u32>) -> &mut Self {
        self.frame += 1;
        let ends = ((CLIENT, segment.client_port), (SERVER, 443));
        let (src, dst) = if segment.from_client { ends } else { (ends.1, ends.0) };
        let tcp = Tcp {
            seq: segment.seq,
            ack: segment.ack,
            flags: segment.flags,
            window: segment.window,
            options: &segment.options,
        };
        let packet = Packet {
            kind: Kind::Tcp,
            src: Some(src.0),
            dst: Some(dst.0),
            sport: Some(src.1),
            dport: Some(dst.1),
            ip: Some(Ip { dscp: 0, ecn: segment.ecn, ttl: 64, id: Some(segment.id), protocol: 6 }),
            tcp: Some(tcp),
            payload_len,
            ..Packet::default()
        };
        let row = Captured {
            source: "talk",
            frame: self.frame,
            ts,
            interface: 0,
            captured_len: 54,
            wire_len: 54 + segment.len,
            link_type: 1,
            packet,
        };
        if let Some(conversation) = self.conversations.of(&row, &tcp) {
            self.connections.on_segment(conversation, &row, &tcp);
        }
        self
    }

    /// The three segments of a handshake at 0, `to_server` and `to_client` later. Both ends number from 1.
    pub fn handshake(&mut self, to_server: i64, to_client: i64) -> &mut Self {
        let options = vec![2, 4, 3, 232, 1, 3, 3, 0, 4, 2];
        let syn = Segment { flags: SYN, options, ..Segment::default() };
        self.at(0, &syn);
        self.at(to_server, &Segment { from_client: false, ack: 1, flags: SYN | ACK, ..syn });
        self.at(to_server + to_client, &Segment { seq: 1, ack: 1, ..Segment::default() })
    }

    /// Data of the client.
    pub fn ask(&mut self, ts: i64, seq: u32, ack: u32, len: u32) -> &mut Self {
        self.at(ts, &Segment { seq, ack, len, ..Segment::default() })
    }

    /// Data of the server, or with `len` 0 its ACK.
    pub fn reply(&mut self, ts: i64, seq: u32, ack: u32, len: u32) -> &mut Self {
        self.at(ts, &Segment { from_client: false, seq, ack, len, ..Segment::default() })
    }

    /// An ACK of the client.
    pub fn ack(&mut self, ts: i64, seq: u32, ack: u32) -> &mut Self {
        self.ask(ts, seq, ack, 0)
    }

    pub fn told(&mut self) -> Told {
        let mut problems = Vec::new();
        let (connections, events) = std::mem::take(&mut self.connections).finish("talk", &mut problems);
        Told { connections, events, problems }
    }
}

/// A SACK option.
pub fn sack(blocks: &[(u32, u32)]) -> Vec<u8> {
    let mut option = vec![1, 1, 5, (2 + 8 * blocks.len()) as u8];
    option.extend(blocks.iter().flat_map(|(start, end)| [start.to_be_bytes(), end.to_be_bytes()].concat()));
    option
}

/// A timestamp option.
pub fn clock(value: u32, echo: u32) -> Vec<u8> {
    [&[1, 1, 8, 10][..], &value.to_be_bytes(), &echo.to_be_bytes()].concat()
}
