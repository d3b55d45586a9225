//! One stream of HTTP/2: its request row, who looks at its body, its window.

use crate::tables::requests::Request;
use crate::track::requests::body::streamed;
use crate::track::requests::head::printable;
use crate::track::requests::ledger::{Id, Ledger};
use crate::track::requests::mark::Mark;
use crate::track::requests::reasons::Reasons;
use crate::track::requests::token_stream::{Cut, TokenStream};

/// The fields that rows carry.
#[derive(Debug, Default)]
pub struct Fields {
    pub status: Option<u16>,
    /// A field referred to what was not seen.
    pub unknown: bool,
    method: Option<Box<str>>,
    path: Option<Box<str>>,
    authority: Option<Box<str>>,
    content_type: Option<Vec<u8>>,
    packed: bool,
}

impl Fields {
    /// One field of a header block; of each name the first counts.
    pub fn add(&mut self, name: Option<&[u8]>, value: Option<&[u8]>) {
        let (Some(name), Some(value)) = (name, value) else {
            self.unknown = true;
            return;
        };
        match name {
            b":status" => self.status = std::str::from_utf8(value).ok().and_then(|status| status.parse().ok()),
            b":method" if self.method.is_none() => self.method = Some(printable(value)),
            b":path" if self.path.is_none() => self.path = Some(printable(value)),
            b":authority" | b"host" if self.authority.is_none() => self.authority = Some(printable(value)),
            b"content-type" if self.content_type.is_none() => self.content_type = Some(value.to_vec()),
            b"content-encoding" => self.packed = value != b"identity",
            _ => {}
        }
    }

    /// Writes what they say of the request.
    pub fn describe_request(&self, request: &mut Request) {
        request.method.clone_from(&self.method);
        request.path.clone_from(&self.path);
        request.host.clone_from(&self.authority);
        if self.is_grpc() {
            request.protocol = "grpc";
        }
    }

    fn is_grpc(&self) -> bool {
        self.content_type
            .as_deref()
            .is_some_and(|kind| kind.starts_with(b"application/grpc") && !kind.starts_with(b"application/grpc-web"))
    }
}

/// A stream.
#[derive(Debug)]
pub struct Stream {
    pub id: Id,
    pub body: Body,
    /// The header of the response was there.
    pub answered: bool,
    /// What the server may still send.
    pub window: i64,
    /// When the window was used up.
    pub stalled: Option<Mark>,
}

impl Stream {
    /// Of this request.
    pub fn new(id: Id, window: i64) -> Self {
        Self { id, body: Body::Skip, answered: false, window, stalled: None }
    }

    /// The header of its response.
    pub fn answer(&mut self, fields: &Fields, known: bool, ledger: &mut Ledger) {
        self.answered = true;
        let id = self.id;
        let kind = fields.content_type.as_deref().unwrap_or_default();
        let (streams, grpc) = (streamed(kind), fields.is_grpc());
        let Some(request) = ledger.get(id) else { return };
        request.status = fields.status;
        request.content_type = fields.content_type.as_deref().map(printable);
        if !known || fields.unknown && (fields.status.is_none() || fields.content_type.is_none()) {
            request.reasons.add(Reasons::HPACK);
        }
        if grpc {
            request.protocol = "grpc";
            request.streamed = Some("grpc");
        } else {
            request.streamed = streams;
        }
        self.body = match streams {
            _ if grpc => {
                Body::Grpc(Messages::default(), Box::new(TokenStream::new(id, Cut::Writes("every message"), ledger)))
            }
            Some(_) if fields.packed => {
                request.reasons.add(Reasons::PACKED);
                Body::Skip
            }
            Some("sse") => Body::Events(Box::new(TokenStream::new(id, Cut::Sse, ledger))),
            Some(_) => Body::Events(Box::new(TokenStream::new(id, Cut::Lines, ledger))),
            None => Body::Skip,
        };
    }

    /// It ends early.
    pub fn settle(&mut self, ledger: &mut Ledger) {
        if let Body::Events(tokens) | Body::Grpc(_, tokens) = &mut self.body {
            tokens.settle(ledger);
        }
    }
}

/// Who looks at a body.
#[derive(Debug)]
pub enum Body {
    /// Nobody.
    Skip,
    /// Events.
    Events(Box<TokenStream>),
    /// Messages of gRPC.
    Grpc(Messages, Box<TokenStream>),
}

impl Body {
    /// Bytes of it.
    pub fn bytes(&mut self, bytes: &[u8], at: Mark, ledger: &mut Ledger) {
        match self {
            Self::Skip => {}
            Self::Events(tokens) => tokens.bytes(bytes, at, ledger),
            Self::Grpc(messages, tokens) => messages.bytes(bytes, tokens, at, ledger),
        }
    }

    /// Bytes that were not captured.
    pub fn missing(&mut self, reason: Reasons, ledger: &mut Ledger) {
        match self {
            Self::Skip => {}
            Self::Events(tokens) => tokens.missing(reason, ledger),
            Self::Grpc(messages, tokens) => {
                messages.lost = true;
                tokens.missing(reason, ledger);
            }
        }
    }

    /// It is whole.
    pub fn finish(&mut self, at: Mark, ledger: &mut Ledger) {
        if let Self::Events(tokens) | Self::Grpc(_, tokens) = self {
            tokens.finish(at, ledger);
        }
    }
}

/// The framing of gRPC: a flag and a length of four bytes before each message.
#[derive(Debug, Default)]
pub struct Messages {
    prefix: Vec<u8>,
    left: u32,
    /// Where the next message begins is not known.
    lost: bool,
}

impl Messages {
    fn bytes(&mut self, bytes: &[u8], tokens: &mut TokenStream, at: Mark, ledger: &mut Ledger) {
        let mut rest = bytes;
        while !self.lost && !rest.is_empty() {
            if self.left > 0 {
                let (message, after) = rest.split_at(rest.len().min(self.left as usize));
                self.left -= message.len() as u32;
                tokens.bytes(message, at, ledger);
                rest = after;
            } else {
                let need = 5 - self.prefix.len().min(5);
                let (part, after) = rest.split_at(need.min(rest.len()));
                self.prefix.extend_from_slice(part);
                rest = after;
                let Some([_, a, b, c, d]) = self.prefix.first_chunk::<5>() else { return };
                self.left = u32::from_be_bytes([*a, *b, *c, *d]);
                self.prefix.clear();
            }
            if self.left == 0 && self.prefix.is_empty() {
                tokens.write_ends(true, at, ledger);
            }
        }
    }
}
