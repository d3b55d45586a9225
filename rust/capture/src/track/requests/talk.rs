//! What is spoken on a connection: recognised by its first bytes, then handed to that protocol's parser.

use super::dns::{self, Framed};
use super::exchange::Context;
use super::head;
use super::http1::Http1;
use super::http2::{Http2, PREFACE};
use super::ledger::{Ends, Ledger};
use super::mark::Mark;
use super::reasons::Reasons;
use super::switch::Switch;
use super::tls::{self, Tls};
use super::websocket::WebSocket;

/// Bytes of a beginning that are kept until they can be recognised.
const MOST_BEGINNING: usize = 24;

/// A beginning that was too short to tell, and when it was seen.
type Seen = Option<(Vec<u8>, Mark)>;

/// A protocol and its state.
#[derive(Debug)]
pub enum Talk {
    /// Not known yet. What was seen of a beginning too short to tell, from the client and from the server.
    Unknown([Seen; 2]),
    Http1(Box<Http1>),
    Http2(Box<Http2>),
    WebSocket(Box<WebSocket>),
    Tls(Box<Tls>),
    Dns(Box<Framed>),
    /// Nothing that is read here.
    Opaque,
}

impl Default for Talk {
    fn default() -> Self {
        Self::Unknown([None, None])
    }
}

/// What first bytes tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Beginning {
    Http1,
    Http2,
    Tls,
    /// Too little to tell.
    Short,
    Other,
}

fn recognise(bytes: &[u8]) -> Beginning {
    if bytes.get(..16).is_some_and(|beginning| PREFACE.starts_with(beginning)) {
        Beginning::Http2
    } else if bytes.len() < 16 && PREFACE.starts_with(bytes) {
        Beginning::Short
    } else if tls::is_record(bytes) {
        Beginning::Tls
    } else if head::is_response(bytes) || head::is_request(bytes) {
        Beginning::Http1
    } else if is_short(bytes) {
        Beginning::Short
    } else {
        Beginning::Other
    }
}

/// So few bytes that each of the protocols may still follow.
fn is_short(bytes: &[u8]) -> bool {
    let http = bytes.iter().all(|byte| byte.is_ascii_uppercase() || b"/1. -*".contains(byte));
    let tls = matches!(*bytes, [20..=23] | [20..=23, 3, ..]);
    bytes.len() < 5 && (http || tls) || bytes.len() < 16 && http
}

impl Talk {
    /// Bytes in order.
    pub fn bytes(&mut self, from_client: bool, bytes: &[u8], at: Mark, ctx: &mut Context<'_>) {
        match self {
            Self::Opaque => {}
            Self::Http2(http) => http.bytes(from_client, bytes, at, ctx),
            Self::WebSocket(socket) => socket.bytes(from_client, bytes, at, ctx),
            Self::Tls(tls) => tls.bytes(from_client, bytes, at, ctx),
            Self::Dns(framed) => {
                let Ends { client, server, .. } = ctx.ends;
                let (src, dst) = if from_client { (client, server) } else { (server, client) };
                let ends = Ends { client: src, server: dst, ..ctx.ends };
                let mut known = std::mem::take(&mut ctx.ledger.dns);
                framed.bytes(from_client, bytes, |message| {
                    known.on_message(message, message.len() as u32, ends, at, ctx.ledger);
                });
                ctx.ledger.dns = known;
            }
            Self::Http1(http) => {
                if let Some((switch, rest)) = http.bytes(from_client, bytes, at, ctx) {
                    self.switch(switch, ctx);
                    if !rest.is_empty() {
                        self.bytes(from_client, rest, at, ctx);
                    }
                }
            }
            Self::Unknown([client, server]) => {
                let seen = if from_client { client.take() } else { server.take() };
                self.begin(from_client, seen, bytes, at, ctx);
            }
        }
    }

    fn begin(&mut self, from_client: bool, seen: Seen, bytes: &[u8], at: Mark, ctx: &mut Context<'_>) {
        let whole = seen.as_ref().map(|(seen, _)| [seen, bytes].concat());
        let whole = whole.as_deref().unwrap_or(bytes);
        *self = match recognise(whole) {
            _ if ctx.ends.server.1 == dns::PORT => Self::Dns(Box::default()),
            Beginning::Http1 => Self::Http1(Box::default()),
            Beginning::Http2 if from_client => Self::Http2(Box::new(Http2::new(None, ctx))),
            Beginning::Tls => Self::Tls(Box::default()),
            Beginning::Short if whole.len() < MOST_BEGINNING => {
                if let Self::Unknown([client, server]) = self {
                    let first = seen.map_or(at, |(_, first)| first);
                    *(if from_client { client } else { server }) = Some((whole.to_vec(), first));
                }
                return;
            }
            // In mid-flow a later segment may begin with a request, and a server may answer in HTTP what was no request.
            // Otherwise it is something else for good.
            _ if ctx.mid_flow || from_client => return,
            _ => Self::Opaque,
        };
        if let Some((seen, first)) = seen {
            self.bytes(from_client, &seen, first, ctx);
        }
        self.bytes(from_client, bytes, at, ctx);
    }

    fn switch(&mut self, switch: Switch, ctx: &mut Context<'_>) {
        let to = match switch {
            Switch::Tunnel => Self::default(),
            Switch::WebSocket(id) => Self::WebSocket(Box::new(WebSocket::new(id, ctx.ledger))),
            Switch::Http2(id) => Self::Http2(Box::new(Http2::new(id, ctx))),
            Switch::Opaque => Self::Opaque,
        };
        if let Self::Http1(http) = self {
            let kept = match switch {
                Switch::WebSocket(id) => Some(id),
                Switch::Http2(id) => id,
                Switch::Tunnel | Switch::Opaque => None,
            };
            http.hand_over(kept, ctx);
        }
        *self = to;
    }

    /// Bytes that were not captured.
    pub fn missing(&mut self, from_client: bool, bytes: u64, reason: Reasons, at: Mark, ctx: &mut Context<'_>) {
        match self {
            Self::Opaque => {}
            Self::Unknown(_) => ctx.mid_flow = true,
            Self::Http2(http) => http.missing(from_client, bytes, reason, at, ctx),
            Self::WebSocket(socket) => socket.missing(from_client, bytes, reason, ctx),
            Self::Tls(tls) => tls.missing(from_client, bytes, reason, at, ctx),
            Self::Dns(framed) => framed.missing(from_client),
            Self::Http1(http) => http.missing(from_client, bytes, reason, at, ctx),
        }
    }

    /// One side sends no more.
    pub fn closed(&mut self, by_client: bool, at: Mark, ctx: &mut Context<'_>) {
        if let Self::Http1(http) = self {
            http.closed(by_client, at, ctx);
        }
    }

    /// Nothing more is seen of the connection.
    pub fn give_up(&mut self, how: &'static str, ctx: &mut Context<'_>) {
        match self {
            Self::Opaque | Self::Unknown(_) | Self::Dns(_) => {}
            Self::Http1(http) => http.give_up(how, ctx),
            Self::Http2(http) => http.give_up(how, ctx),
            Self::WebSocket(socket) => socket.give_up(how, ctx),
            Self::Tls(tls) => tls.give_up(how, ctx),
        }
    }

    /// Loss in this direction held up what is waited for.
    pub fn blocked(&self, from_client: bool, span: i64, beyond: bool, ledger: &mut Ledger) {
        let one = match self {
            Self::Opaque | Self::Unknown(_) | Self::Dns(_) => None,
            Self::Http1(http) => http.waiting(from_client),
            Self::WebSocket(socket) => Some(socket.id()),
            Self::Tls(tls) => tls.waiting(),
            // Every stream waits for the connection.
            Self::Http2(http) => {
                return http.waiting().for_each(|id| ledger.blocked(id, span, beyond));
            }
        };
        if let Some(id) = one {
            ledger.blocked(id, span, beyond);
        }
    }

    /// Nobody looks at what it says.
    pub fn is_opaque(&self) -> bool {
        matches!(self, Self::Opaque)
    }

    /// These first bytes are a request: who sent them is the client, whatever the ports say.
    pub fn tells_client(&self, bytes: &[u8]) -> bool {
        matches!(self, Self::Unknown(_)) && head::is_request(bytes)
    }
}
