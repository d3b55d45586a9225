//! What is spoken on a connection: recognised by its first bytes, then handed to that protocol's parser.

use super::exchange::Context;
use super::head;
use super::http1::{Http1, Switch};
use super::ledger::Id;
use super::mark::Mark;
use super::reasons::Reasons;

/// Bytes of a beginning that are kept until they can be recognised.
const MOST_BEGINNING: usize = 24;

/// A protocol and its state.
#[derive(Debug)]
pub enum Talk {
    /// Not known yet. What was seen of a beginning too short to tell, from the client and from the server.
    Unknown([Vec<u8>; 2]),
    Http1(Box<Http1>),
    /// Nothing that is read here.
    Opaque,
}

impl Default for Talk {
    fn default() -> Self {
        Self::Unknown([Vec::new(), Vec::new()])
    }
}

/// What first bytes tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Beginning {
    Http1,
    /// Too little to tell.
    Short,
    Other,
}

fn recognise(bytes: &[u8]) -> Beginning {
    if head::is_response(bytes) || head::is_request(bytes) {
        Beginning::Http1
    } else if bytes.len() < 7 && bytes.iter().all(|byte| byte.is_ascii_uppercase() || b"/1. -".contains(byte)) {
        Beginning::Short
    } else {
        Beginning::Other
    }
}

impl Talk {
    /// Bytes in order.
    pub fn bytes(&mut self, from_client: bool, bytes: &[u8], at: Mark, ctx: &mut Context<'_>) {
        match self {
            Self::Opaque => {}
            Self::Http1(http) => {
                if let Some((switch, rest)) = http.bytes(from_client, bytes, at, ctx) {
                    self.switch(switch, at, ctx);
                    if !rest.is_empty() {
                        self.bytes(from_client, rest, at, ctx);
                    }
                }
            }
            Self::Unknown(seen) => {
                let [client, server] = seen;
                let seen = if from_client { client } else { server };
                if seen.is_empty() {
                    self.begin(from_client, bytes, at, ctx);
                } else {
                    let mut whole = std::mem::take(seen);
                    whole.extend_from_slice(bytes);
                    self.begin(from_client, &whole, at, ctx);
                }
            }
        }
    }

    fn begin(&mut self, from_client: bool, bytes: &[u8], at: Mark, ctx: &mut Context<'_>) {
        match recognise(bytes) {
            Beginning::Http1 => {
                *self = Self::Http1(Box::default());
                self.bytes(from_client, bytes, at, ctx);
            }
            Beginning::Short if bytes.len() < MOST_BEGINNING => {
                if let Self::Unknown(seen) = self {
                    let place = usize::from(!from_client);
                    if let Some(seen) = seen.get_mut(place) {
                        seen.clear();
                        seen.extend_from_slice(bytes);
                    }
                }
            }
            // In mid-flow a later segment may begin with a request; from the start on it is something else for good.
            _ if ctx.mid_flow => {}
            _ => *self = Self::Opaque,
        }
    }

    fn switch(&mut self, switch: Switch, _at: Mark, _ctx: &mut Context<'_>) {
        *self = match switch {
            Switch::Tunnel => Self::default(),
            Switch::WebSocket(_) | Switch::Http2(_) | Switch::Opaque => Self::Opaque,
        };
    }

    /// Bytes that were not captured.
    pub fn missing(&mut self, from_client: bool, bytes: u64, reason: Reasons, at: Mark, ctx: &mut Context<'_>) {
        match self {
            Self::Opaque => {}
            Self::Unknown(_) => ctx.mid_flow = true,
            Self::Http1(http) => http.missing(from_client, bytes, reason, at, ctx),
        }
    }

    /// One side sends no more.
    pub fn closed(&mut self, by_client: bool, at: Mark, ctx: &mut Context<'_>) {
        match self {
            Self::Opaque | Self::Unknown(_) => {}
            Self::Http1(http) => http.closed(by_client, at, ctx),
        }
    }

    /// Nothing more is seen of the connection.
    pub fn give_up(&mut self, how: &'static str, ctx: &mut Context<'_>) {
        match self {
            Self::Opaque | Self::Unknown(_) => {}
            Self::Http1(http) => http.give_up(how, ctx),
        }
    }

    /// The request that loss in this direction holds up.
    pub fn waiting(&self, from_client: bool) -> Option<Id> {
        match self {
            Self::Opaque | Self::Unknown(_) => None,
            Self::Http1(http) => http.waiting(from_client),
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
