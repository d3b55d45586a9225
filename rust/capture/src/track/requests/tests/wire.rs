//! A wire to put segments on, for tests: two ends, numbered frames, a clock.

use crate::address::Address;
use crate::packet::{Kind, Packet, Tcp};
use crate::tables::captured::Captured;
use crate::tables::problems::ProblemRow;
use crate::tables::requests::Request;
use crate::tables::tokens::Token;
use crate::track::conversations::Conversations;
use crate::track::requests::Requests;

pub const CLIENT: (Address, u16) = (Address::V4([10, 0, 0, 1]), 40_000);
pub const SERVER: (Address, u16) = (Address::V4([10, 0, 0, 2]), 8000);
pub const MS: i64 = 1_000_000;

const FIN: u8 = 0x01;
const SYN: u8 = 0x02;
const RST: u8 = 0x04;
const ACK: u8 = 0x10;

/// A connection between two ends, as one tap sees it.
pub struct Wire {
    requests: Requests,
    conversations: Conversations,
    frame: u64,
    pub now: i64,
    /// What each end sends next.
    pub next: [u32; 2],
    /// Captured bytes of a payload.
    pub snap: usize,
}

impl Wire {
    /// Nothing was sent yet.
    pub fn new() -> Self {
        let next = [u32::MAX - 50, 1_000_000]; // the client's numbers wrap in its first request
        Self {
            requests: Requests::default(),
            conversations: Conversations::default(),
            frame: 0,
            now: 0,
            next,
            snap: usize::MAX,
        }
    }

    /// With its handshake, 1 ms to the SYN/ACK.
    pub fn open() -> Self {
        let mut wire = Self::new();
        wire.handshake();
        wire
    }

    pub fn handshake(&mut self) {
        let [client, server] = self.next;
        self.segment(true, SYN, client.wrapping_sub(1), 0, &[]);
        self.now += MS;
        self.segment(false, SYN | ACK, server.wrapping_sub(1), client, &[]);
        self.segment(true, ACK, client, server, &[]);
    }

    /// A SYN that stays without answer.
    pub fn lost_syn(&mut self) {
        let [client, _] = self.next;
        self.segment(true, SYN, client.wrapping_sub(1), 0, &[]);
    }

    /// Any segment.
    pub fn segment(&mut self, from_client: bool, flags: u8, seq: u32, ack: u32, payload: &[u8]) {
        let (src, dst) = if from_client { (CLIENT, SERVER) } else { (SERVER, CLIENT) };
        let tcp = Tcp { seq, ack, flags, window: 1000, options: &[] };
        let captured = payload.get(..self.snap).unwrap_or(payload);
        let row = self.row(src, dst, Kind::Tcp, captured, payload.len(), Some(tcp));
        if let Some(conversation) = self.conversations.of(&row, &tcp) {
            self.requests.on_segment(conversation, &row, &tcp);
        }
    }

    /// A datagram.
    pub fn datagram(&mut self, src: (Address, u16), dst: (Address, u16), payload: &[u8]) {
        let row = self.row(src, dst, Kind::Udp, payload, payload.len(), None);
        self.requests.on_datagram(&row);
    }

    fn row<'a>(
        &mut self,
        src: (Address, u16),
        dst: (Address, u16),
        kind: Kind,
        payload: &'a [u8],
        wire_len: usize,
        tcp: Option<Tcp<'a>>,
    ) -> Captured<'a> {
        self.frame += 1;
        let packet = Packet {
            kind,
            src: Some(src.0),
            dst: Some(dst.0),
            sport: Some(src.1),
            dport: Some(dst.1),
            tcp,
            payload,
            payload_len: Some(wire_len as u32),
            ..Packet::default()
        };
        let (captured_len, wire_len) = (payload.len() as u32, wire_len as u32);
        let (frame, ts) = (self.frame, Some(self.now));
        Captured { source: "test", frame, ts, interface: 0, captured_len, wire_len, link_type: 1, packet }
    }

    /// One end sends this in one segment, in order.
    pub fn send(&mut self, from_client: bool, payload: &[u8]) {
        let (seq, ack) = self.skip(from_client, payload.len());
        self.segment(from_client, ACK, seq, ack, payload);
    }

    /// One end sends so much, and it does not pass here; gives its sequence number and acknowledgement.
    pub fn skip(&mut self, from_client: bool, len: usize) -> (u32, u32) {
        let [client, server] = &mut self.next;
        let (own, other) = if from_client { (client, server) } else { (server, client) };
        let seq = *own;
        *own = own.wrapping_add(len as u32);
        (seq, *other)
    }

    /// That segment passes now.
    pub fn late(&mut self, from_client: bool, (seq, ack): (u32, u32), payload: &[u8]) {
        self.segment(from_client, ACK, seq, ack, payload);
    }

    /// One end acknowledges everything.
    pub fn ack(&mut self, from_client: bool) {
        self.send(from_client, &[]);
    }

    /// Both ends close.
    pub fn close(&mut self) {
        for from_client in [false, true] {
            let (seq, ack) = self.skip(from_client, 1);
            self.segment(from_client, FIN | ACK, seq, ack, &[]);
        }
    }

    pub fn reset(&mut self) {
        let (seq, ack) = self.skip(true, 0);
        self.segment(true, RST | ACK, seq, ack, &[]);
    }

    /// The number of the last frame.
    pub fn frame(&self) -> u64 {
        self.frame
    }

    /// The rows.
    pub fn rows(self) -> (Vec<Request>, Vec<Token>) {
        let (requests, tokens, _) = self.all();
        (requests, tokens)
    }

    pub fn all(self) -> (Vec<Request>, Vec<Token>, Vec<ProblemRow>) {
        let mut problems = Vec::new();
        let (requests, tokens) = self.requests.finish("test", &mut problems);
        (requests, tokens, problems)
    }
}

/// What a column of `requests` shows.
pub fn duration(request: &Request, column: &str) -> Option<i64> {
    let found = crate::tables::requests::REQUESTS.columns.iter().find(|c| c.name == column).unwrap();
    match found.get {
        crate::tables::Get::Duration(get) => get(request),
        _ => panic!("{column} is no duration"),
    }
}

pub fn reason(request: &Request) -> String {
    let found = crate::tables::requests::REQUESTS.columns.iter().find(|c| c.name == "reason").unwrap();
    match found.get {
        crate::tables::Get::Text(get) => get(request).unwrap_or_default().into_owned(),
        _ => panic!("reason is no text"),
    }
}

/// An event of chat completions as an HTTP chunk.
pub fn chunk(content: &str) -> Vec<u8> {
    event(&format!("data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"content\":\"{content}\"}}}}]}}\n\n"))
}

pub fn event(text: &str) -> Vec<u8> {
    format!("{:x}\r\n{text}\r\n", text.len()).into_bytes()
}

pub const ASK: &[u8] = b"POST /v1/chat/completions HTTP/1.1\r\nHost: llm\r\nContent-Length: 5\r\n\r\nhello";
pub const SSE: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
pub const END: &[u8] = b"e\r\ndata: [DONE]\n\n\r\n0\r\n\r\n";
