//! TLS without keys: the handshake exactly, and of what is asked inside only what record sizes and times allow.

mod cadence;
mod hello;
mod records;

use self::cadence::Cadence;
pub use self::records::is_record;
use self::records::{APPLICATION, CHANGE_CIPHER_SPEC, HANDSHAKE, Record, Records};
use super::exchange::Context;
use super::gaps::GapList;
use super::head::printable;
use super::ledger::Id;
use super::mark::Mark;
use super::reasons::Reasons;

/// Content of records that ask for nothing. TLS 1.3 adds 17 bytes: an alert (2), and of h2 a SETTINGS acknowledgement (9),
/// `WINDOW_UPDATE` or `RST_STREAM` (13), PING (17).
const SMALL_1_3: [u16; 4] = [19, 26, 30, 34];
/// TLS 1.2 adds 16 (`ChaCha20`, RFC 7905) or 24 bytes (AES-GCM, RFC 5288).
const SMALL_1_2: [u16; 5] = [25, 29, 33, 37, 41];

/// One connection.
#[derive(Debug, Default)]
pub struct Tls {
    sides: [Records; 2],
    begin: Option<Mark>,
    server_name: Option<Box<str>>,
    version: Option<&'static str>,
    alpn: Option<Box<str>>,
    /// Several requests may be under way at a time.
    may_multiplex: Option<bool>,
    /// `ChangeCipherSpec` was seen from the client, from the server.
    changed: [bool; 2],
    /// The Finished of each, in TLS 1.2.
    finished: [Option<Mark>; 2],
    done: bool,
    last: Option<Mark>,
    turns: u32,
    turn: Option<Turn>,
    /// What is inside can no longer be told.
    forbidden: bool,
    reason: Reasons,
}

/// One request and its response, as far as records show them.
#[derive(Debug)]
struct Turn {
    id: Id,
    begin: Mark,
    /// First record of the response.
    answered: Option<Mark>,
    last: Option<Mark>,
    cadence: Cadence,
    gaps: GapList,
}

impl Tls {
    /// Bytes in order.
    pub fn bytes(&mut self, from_client: bool, bytes: &[u8], at: Mark, ctx: &mut Context<'_>) {
        let mut rest = bytes;
        while !rest.is_empty() {
            let [client, server] = &mut self.sides;
            let side = if from_client { client } else { server };
            let was_lost = side.lost;
            match side.next(&mut rest, at) {
                Some(record) => self.record(from_client, record, ctx),
                None if side.lost && !was_lost => self.forbid(Reasons::MALFORMED, ctx),
                None => return,
            }
        }
    }

    /// Bytes that were not captured.
    pub fn missing(&mut self, from_client: bool, bytes: u64, reason: Reasons, at: Mark, ctx: &mut Context<'_>) {
        let [client, server] = &mut self.sides;
        let side = if from_client { client } else { server };
        match side.skip(bytes, at) {
            Some(record) => self.record(from_client, record, ctx),
            None if side.lost => self.forbid(reason, ctx),
            None => {}
        }
    }

    fn record(&mut self, from_client: bool, record: Record, ctx: &mut Context<'_>) {
        let place = usize::from(!from_client);
        self.last = Some(record.end);
        match record.kind {
            HANDSHAKE if !self.done => {
                self.read_hello(from_client, record);
                if self.changed.get(place) == Some(&true)
                    && let Some(finished) = self.finished.get_mut(place)
                {
                    finished.get_or_insert(record.end);
                    if let [Some(client), Some(server)] = self.finished {
                        self.handshake_ends(if client.frame > server.frame { client } else { server }, ctx);
                    }
                }
            }
            CHANGE_CIPHER_SPEC => {
                if let Some(changed) = self.changed.get_mut(place) {
                    *changed = true;
                }
            }
            APPLICATION => self.application(from_client, record, ctx),
            _ => {}
        }
    }

    fn read_hello(&mut self, from_client: bool, record: Record) {
        let [client, server] = &mut self.sides;
        if from_client {
            self.begin.get_or_insert(record.begin);
            if let Some(hello) = hello::read(&client.hello, hello::CLIENT).filter(|_| !client.told) {
                self.server_name = hello.server_name.map(printable);
                self.may_multiplex = Some(hello.alpn.contains(&b"h2".as_slice()));
                self.alpn = (!hello.alpn.is_empty()).then(|| printable(&hello.alpn.join(&b',')));
                client.told = true;
                client.hello = Vec::new();
            }
        } else if let Some(hello) = hello::read(&server.hello, hello::SERVER).filter(|_| !server.told) {
            self.version = version(hello.version);
            if hello.version < 0x0304 {
                // The choice is in the clear. Without one it is HTTP/1.1, or whatever speaks without ALPN.
                self.alpn = hello.alpn.first().map(|name| printable(name));
                self.may_multiplex = Some(hello.alpn.contains(&b"h2".as_slice()));
            }
            server.told = true;
            server.hello = Vec::new();
        }
    }

    fn handshake_ends(&mut self, at: Mark, ctx: &mut Context<'_>) {
        self.done = true;
        if let (Some(begin), Some(opening)) = (self.begin, ctx.opening.as_mut()) {
            opening.tls = at.since(begin);
        }
    }

    fn application(&mut self, from_client: bool, record: Record, ctx: &mut Context<'_>) {
        if !self.done && self.begin.is_some() {
            if self.version == Some("1.3") {
                // All after the ServerHello looks like this. The client's first is its Finished, and ends the handshake.
                if from_client {
                    self.handshake_ends(record.end, ctx);
                }
                return;
            }
            let [client, server] = self.finished;
            if from_client && client.is_none() {
                // Before the server said anything: early data, in which a request may be.
                return self.forbid(Reasons::ENCRYPTED, ctx);
            }
            if !from_client && server.is_none() {
                return;
            }
            // Otherwise a false start (RFC 7918): the request goes before the server's Finished.
        }
        let thirteen = self.version == Some("1.3");
        let small = if thirteen {
            SMALL_1_3.contains(&record.len)
        } else {
            self.may_multiplex != Some(false) && SMALL_1_2.contains(&record.len)
        };
        if self.forbidden || small {
            self.count(from_client, record, ctx);
        } else if from_client {
            self.asks(record, ctx);
        } else {
            self.answers(record, ctx);
        }
    }

    /// Bytes that belong to no request that could be told.
    fn count(&mut self, from_client: bool, record: Record, ctx: &mut Context<'_>) {
        let Some(turn) = &self.turn else { return };
        if let Some(request) = ctx.ledger.get(turn.id) {
            let sum = if from_client { &mut request.request_bytes } else { &mut request.response_bytes };
            *sum = sum.saturating_add(u64::from(record.len) + 5);
            if !from_client && self.forbidden {
                request.last = Some(record.end);
            }
        }
    }

    fn asks(&mut self, record: Record, ctx: &mut Context<'_>) {
        if self.turn.as_ref().is_some_and(|turn| turn.answered.is_some()) {
            if self.may_multiplex != Some(false) {
                self.forbid(Reasons::MULTIPLEXED, ctx);
                return self.count(true, record, ctx);
            }
            self.turn_ends("complete", ctx);
        }
        if self.turn.is_none() {
            let id = self.open(Some(record.begin), ctx);
            self.turns = self.turns.saturating_add(1);
            self.turn = Some(Turn {
                id,
                begin: record.begin,
                answered: None,
                last: None,
                cadence: Cadence::default(),
                gaps: GapList::default(),
            });
        }
        if let Some(turn) = &self.turn {
            ctx.upload(turn.id, u64::from(record.len) + 5);
            ctx.sent(turn.id, record.end);
        }
    }

    fn open(&mut self, begin: Option<Mark>, ctx: &mut Context<'_>) -> Id {
        let id = ctx.open("tls", begin);
        if let Some(request) = ctx.ledger.get(id) {
            request.host.clone_from(&self.server_name);
            request.tls_version = self.version;
            request.alpn.clone_from(&self.alpn);
            request.reasons.add(self.reason);
            if ctx.mid_flow {
                request.reasons.add(Reasons::MID_FLOW);
            }
        }
        id
    }

    fn answers(&mut self, record: Record, ctx: &mut Context<'_>) {
        let Some(turn) = &mut self.turn else { return }; // a session ticket, or what was asked before the capture
        turn.answered.get_or_insert(record.begin);
        if let Some(gap) = turn.last.and_then(|last| record.end.since(last)) {
            turn.gaps.push(gap);
        }
        turn.last = Some(record.end);
        turn.cadence.record(record.len, record.end);
        if let Some(request) = ctx.ledger.get(turn.id) {
            request.response_bytes = request.response_bytes.saturating_add(u64::from(record.len) + 5);
            request.chunks = request.chunks.saturating_add(1);
            request.last = Some(record.end);
            // With TLS 1.3 the first may be a session ticket, and with h2 a SETTINGS: then it bounds the response only.
            if self.may_multiplex == Some(false) && (self.version != Some("1.3") || self.turns > 1) {
                request.response.get_or_insert(record.begin);
            }
        }
    }

    fn turn_ends(&mut self, how: &'static str, ctx: &mut Context<'_>) {
        let Some(mut turn) = self.turn.take() else { return };
        let answered = turn.answered;
        let Some(request) = ctx.ledger.get(turn.id) else { return };
        if request.ended == "open" {
            request.ended = how;
        }
        if self.forbidden {
            return;
        }
        request.reasons.add(Reasons::ENCRYPTED);
        request.ttft_earliest = answered.and_then(|answered| answered.since(turn.begin));
        request.ttft_latest = turn.cadence.begin().and_then(|begin| begin.since(turn.begin));
        if request.ttft_latest.is_none() {
            request.reasons.add(Reasons::NO_CADENCE);
        } else {
            request.gaps = turn.gaps.summary();
        }
    }

    /// From here on nothing is said of single requests, and what was said of the last is taken back.
    fn forbid(&mut self, reason: Reasons, ctx: &mut Context<'_>) {
        self.forbidden = true;
        self.reason.add(reason);
        let Some(turn) = &self.turn else { return };
        if let Some(request) = ctx.ledger.get(turn.id) {
            request.reasons.add(reason);
            request.sent = None;
            request.acked = None;
            request.response = None;
            request.chunks = 0;
        }
    }

    /// Nothing more is seen of the connection.
    pub fn give_up(&mut self, how: &'static str, ctx: &mut Context<'_>) {
        if self.turns == 0 && self.turn.is_none() && self.begin.is_some() {
            let id = self.open(None, ctx);
            ctx.note(id, Reasons::NO_REQUEST);
            ctx.ledger.end(id, how);
            if let Some(request) = ctx.ledger.get(id) {
                request.last = self.last;
            }
        }
        self.turn_ends(how, ctx);
    }

    /// The request that loss holds up, where it can be told.
    pub fn waiting(&self) -> Option<Id> {
        self.turn.as_ref().map(|turn| turn.id)
    }
}

fn version(number: u16) -> Option<&'static str> {
    Some(match number {
        0x0300 => "SSL 3.0",
        0x0301 => "1.0",
        0x0302 => "1.1",
        0x0303 => "1.2",
        0x0304 | 0x7f12..=0x7f1c => "1.3", // drafts 18 to 28 speak like it
        _ => return None,
    })
}
