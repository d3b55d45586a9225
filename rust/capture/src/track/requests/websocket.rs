//! WebSocket (RFC 6455) after its upgrade: each message of the server is a chunk of the response.

use super::exchange::Context;
use super::ledger::{Id, Ledger};
use super::mark::Mark;
use super::reasons::Reasons;
use super::token_stream::{Cut, TokenStream};

/// Opcode of a close frame; those from 8 on are control frames.
const CLOSE: u8 = 8;

/// One direction.
#[derive(Debug, Default)]
struct Side {
    header: Vec<u8>,
    left: u64,
    opcode: u8,
    last: bool,
    lost: bool,
}

/// One connection.
#[derive(Debug)]
pub struct WebSocket {
    id: Id,
    sides: [Side; 2],
    tokens: TokenStream,
    closing: bool,
}

impl WebSocket {
    /// Of this request, which asked for it.
    pub fn new(id: Id, ledger: &mut Ledger) -> Self {
        if let Some(request) = ledger.get(id) {
            request.protocol = "websocket";
            request.streamed = Some("websocket");
        }
        let tokens = TokenStream::new(id, Cut::Writes("every message"), ledger);
        Self { id, sides: [Side::default(), Side::default()], tokens, closing: false }
    }

    /// Bytes in order.
    pub fn bytes(&mut self, from_client: bool, bytes: &[u8], at: Mark, ctx: &mut Context<'_>) {
        if from_client {
            ctx.upload(self.id, bytes.len() as u64);
        } else {
            ctx.download(self.id, bytes.len() as u64, at);
        }
        let [client, server] = &mut self.sides;
        let side = if from_client { client } else { server };
        let mut rest = bytes;
        while !side.lost {
            if side.left > 0 {
                let len = usize::try_from(side.left).map_or(rest.len(), |left| left.min(rest.len()));
                let (payload, after) = rest.split_at(len);
                rest = after;
                side.left -= len as u64;
                if !from_client && side.opcode < CLOSE {
                    self.tokens.bytes(payload, at, ctx.ledger);
                }
            } else if !side.header(&mut rest) {
                return;
            }
            if side.left > 0 {
                if rest.is_empty() {
                    return;
                }
                continue;
            }
            self.closing |= side.opcode == CLOSE;
            if !from_client && (side.opcode >= CLOSE || side.last) {
                self.tokens.write_ends(side.opcode < CLOSE, at, ctx.ledger);
            }
        }
    }

    /// Bytes that were not captured.
    pub fn missing(&mut self, from_client: bool, bytes: u64, reason: Reasons, ctx: &mut Context<'_>) {
        let [client, server] = &mut self.sides;
        let side = if from_client { client } else { server };
        match side.left.checked_sub(bytes) {
            Some(left) if left > 0 => side.left = left,
            // The end of a frame, or more, was not captured.
            _ => side.lost = true,
        }
        if !from_client {
            self.tokens.missing(reason, ctx.ledger);
        }
        ctx.note(self.id, reason);
    }

    /// Nothing more is seen of the connection.
    pub fn give_up(&mut self, how: &'static str, ctx: &mut Context<'_>) {
        self.tokens.settle(ctx.ledger);
        ctx.ledger.end(self.id, if self.closing { "complete" } else { how });
    }

    /// Its request.
    pub fn id(&self) -> Id {
        self.id
    }
}

impl Side {
    /// Takes a header from the front of the bytes, or what there is of one.
    fn header(&mut self, rest: &mut &[u8]) -> bool {
        loop {
            let need = match *self.header.as_slice() {
                [_, second, ..] => {
                    let length = match second & 0x7f {
                        126 => 2,
                        127 => 8,
                        _ => 0,
                    };
                    2 + length + if second & 0x80 != 0 { 4 } else { 0 }
                }
                _ => 2,
            };
            if self.header.len() == need {
                break;
            }
            let Some((byte, after)) = rest.split_first() else { return false };
            self.header.push(*byte);
            *rest = after;
        }
        let (first, second) = match *self.header.as_slice() {
            [first, second, ..] => (first, second & 0x7f),
            _ => return false,
        };
        let wide = |range: std::ops::Range<usize>| {
            self.header.get(range).unwrap_or_default().iter().fold(0_u64, |sum, byte| sum << 8 | u64::from(*byte))
        };
        self.left = match second {
            126 => wide(2..4),
            127 => wide(2..10),
            small => small.into(),
        };
        self.opcode = first & 0x0f;
        self.last = first & 0x80 != 0;
        self.header.clear();
        true
    }
}
