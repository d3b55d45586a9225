//! Requests and the time to their first token: DNS, TLS, HTTP/1.1, server-sent events, HTTP/2.
//!
//! | file | holds |
//! |---|---|
//! | `connection`, `half` | one TCP connection, its two directions put in order |
//! | `talk` | which protocol a connection speaks |
//! | `http1`, `head`, `partial_head`, `body`, `chunked`, `switch` | HTTP/1.1 |
//! | `http2`, `websocket` | HTTP/2 with HPACK and gRPC; WebSocket |
//! | `tls` | handshakes, and what record sizes and times tell |
//! | `dns` | queries and answers |
//! | `token_stream`, `dialect`, `gaps` | the events of a streamed response, which of them are tokens, and the times between |
//! | `ledger`, `exchange`, `phases`, `reasons` | the rows, and what parsers share to write them |

mod body;
mod chunked;
mod connection;
mod dialect;
mod dns;
mod exchange;
mod gaps;
mod half;
mod head;
mod http1;
mod http2;
mod ledger;
mod mark;
mod partial_head;
mod phases;
mod reasons;
mod switch;
mod talk;
#[cfg(test)]
mod tests;
mod tls;
mod token_stream;
mod websocket;

use super::conversations::Conversation;
use crate::packet::Tcp;
use crate::tables::captured::Captured;
use crate::tables::problems::ProblemRow;
use crate::tables::requests::Request;
use crate::tables::tokens::Token;
use connection::Connection;
pub use dialect::Kind;
pub use gaps::Gaps;
use ledger::{Ends, Ledger};
pub use mark::{Mark, span};
pub use reasons::Reasons;

/// Connections that are followed at a time: with what each may hold, some 100 MB. Those that end make room.
const MOST_CONNECTIONS: usize = 1 << 16;

/// All requests of a capture.
#[derive(Debug, Default)]
pub struct Requests {
    /// By the number of the conversation.
    places: Vec<Place>,
    /// Connections in `places`.
    live: usize,
    ledger: Ledger,
    last: Option<Mark>,
}

/// What is known of a conversation.
#[derive(Debug)]
enum Place {
    New,
    Live(Box<Connection>),
    Over,
}

impl Requests {
    /// A TCP segment passed the tap.
    pub fn on_segment(&mut self, conversation: Conversation, row: &Captured<'_>, tcp: &Tcp<'_>) {
        if self.places.len() <= conversation.index {
            self.places.resize_with(conversation.index + 1, || Place::New);
        }
        let Some(place) = self.places.get_mut(conversation.index) else { return };
        if matches!(place, Place::New) {
            if self.live < MOST_CONNECTIONS {
                self.ledger.name(row.source);
                let Some(ends) = ends(conversation, row) else { return };
                self.live += 1;
                *place = Place::Live(Box::new(Connection::new(ends)));
            } else {
                self.ledger.untracked += 1;
                *place = Place::Over;
            }
        }
        let Place::Live(connection) = place else { return };
        self.last = Some(Mark::of(row));
        if let Some(how) = connection.on_segment(conversation.from_client, row, tcp, &mut self.ledger) {
            connection.end(how, Mark::of(row), &mut self.ledger);
            self.live -= 1;
            *place = Place::Over;
        }
    }

    /// A UDP datagram passed the tap.
    pub fn on_datagram(&mut self, row: &Captured<'_>) {
        let packet = &row.packet;
        let (Some(sport), Some(dport)) = (packet.sport, packet.dport) else { return };
        if sport != dns::PORT && dport != dns::PORT {
            return;
        }
        let (Some(src), Some(dst)) = (packet.src, packet.dst) else { return };
        self.ledger.name(row.source);
        let len = packet.payload_len.unwrap_or(packet.payload.len() as u32);
        let mut dns = std::mem::take(&mut self.ledger.dns);
        let ends = Ends { client: (src, sport), server: (dst, dport), connection: None };
        dns.on_message(packet.payload, len, ends, Mark::of(row), &mut self.ledger);
        self.ledger.dns = dns;
    }

    /// The rows of `requests` and `tokens`; limits that were hit go to `problems`.
    pub fn finish(mut self, source: &str, problems: &mut Vec<ProblemRow>) -> (Vec<Request>, Vec<Token>) {
        if let Some(now) = self.last {
            for place in &mut self.places {
                if let Place::Live(connection) = place {
                    connection.end("open", now, &mut self.ledger);
                }
            }
        }
        self.ledger.finish(source, problems)
    }
}

fn ends(conversation: Conversation, row: &Captured<'_>) -> Option<Ends> {
    let src = (row.packet.src?, row.packet.sport?);
    let dst = (row.packet.dst?, row.packet.dport?);
    let (client, server) = if conversation.from_client { (src, dst) } else { (dst, src) };
    Some(Ends { client, server, connection: Some(conversation.index as u32) })
}
