//! TCP connections: round trips, retransmissions and stalls.
//!
//! | module | knows |
//! |---|---|
//! | [`sequence`], [`options`], [`segment`] | one segment |
//! | [`flight`] | the bytes of one direction: on their way, skipped, acknowledged |
//! | [`sender`] | one end: what it sent, what came back for it, how often what went wrong |
//! | [`resends`] | why a segment was sent again and where the first sending was lost |
//! | [`silence`] | why nothing went on |
//! | [`labels`] | what Wireshark would call each segment |
//! | [`connection`] | both ends together, in the order of the tap |
//! | [`log`], [`rows`] | the rows of `tcp_events` and `tcp_connections` |

mod connection;
mod flight;
#[cfg(test)]
mod hostile;
mod labels;
mod log;
mod options;
mod resends;
mod round_trips;
mod rows;
#[cfg(test)]
mod scripted;
mod segment;
mod sender;
mod sequence;
mod silence;
#[cfg(test)]
mod simulated;
#[cfg(test)]
mod talk;

use std::sync::Arc;

use super::conversations::Conversation;
use crate::packet::Tcp;
use crate::tables::captured::Captured;
use crate::tables::problems::ProblemRow;
use crate::tables::tcp_connections::TcpConnection;
use crate::tables::tcp_events::TcpEvent;
use connection::Connection;
use log::Log;
use segment::Segment;

/// A connection, and who its ends are.
#[derive(Debug)]
struct Tracked {
    client: super::conversations::End,
    server: super::conversations::End,
    /// Whether a SYN or SYN/ACK told who the client is.
    client_known: bool,
    connection: Connection,
}

/// All connections of a capture.
#[derive(Debug, Default)]
pub struct Connections {
    /// By the number of the conversation.
    list: Vec<Option<Box<Tracked>>>,
    log: Log,
    /// Segments whose length is not known.
    unread: u64,
    last_frame: u64,
}

impl Connections {
    /// A segment passed the tap.
    #[inline]
    pub fn on_segment(&mut self, conversation: Conversation, row: &Captured<'_>, tcp: &Tcp<'_>) {
        self.last_frame = row.frame;
        let Some(len) = row.packet.payload_len else {
            self.unread += 1;
            return;
        };
        if self.list.get(conversation.index).is_none_or(Option::is_none) {
            self.begin(conversation, row, &Segment::of(row, tcp, len, 0));
        }
        let Some(Some(tracked)) = self.list.get_mut(conversation.index) else { return };
        let connection = &mut tracked.connection;
        connection.timed &= row.ts.is_some();
        let s = Segment::of(row, tcp, len, connection.last_ts);
        connection.on_segment(conversation.from_client, &s, &mut self.log);
    }

    #[cold]
    fn begin(&mut self, conversation: Conversation, row: &Captured<'_>, s: &Segment<'_>) {
        let packet = &row.packet;
        let (Some(src), Some(dst)) = (packet.src.zip(packet.sport), packet.dst.zip(packet.dport)) else { return };
        let (client, server) = if conversation.from_client { (src, dst) } else { (dst, src) };
        while self.list.len() <= conversation.index {
            self.list.push(None); // indices are fewer than MOST_CONVERSATIONS
        }
        self.list[conversation.index] = Some(Box::new(Tracked {
            client,
            server,
            client_known: s.has(super::conversations::SYN),
            connection: Connection::new(conversation.index as u32, s),
        }));
    }

    /// The rows of `tcp_connections` and `tcp_events`; limits that were hit go to `problems`.
    pub fn finish(mut self, source: &str, problems: &mut Vec<ProblemRow>) -> (Vec<TcpConnection>, Vec<TcpEvent>) {
        let source: Arc<str> = Arc::from(source);
        let mut rows = Vec::with_capacity(self.list.len());
        let mut overflowed = 0_u64;
        for mut tracked in self.list.drain(..).flatten() {
            overflowed += u64::from(tracked.connection.overflowed());
            tracked.connection.finish(&mut self.log);
            rows.push(rows::row(&source, &tracked));
        }
        let mut limit = |count: u64, what: &str, next: &str| {
            if count > 0 {
                problems.push(ProblemRow {
                    source: source.to_string(),
                    offset: 0,
                    frame: self.last_frame,
                    what: format!("{count} {what}"),
                    next: next.to_owned(),
                });
            }
        };
        limit(
            self.log.dropped,
            "TCP events are more than are kept",
            "their counts in tcp_connections are whole; filter the capture by host or port to see all events",
        );
        limit(
            overflowed,
            "TCP connections had more segments or holes under way than are remembered",
            "round trips and sides of loss are missing for some of their segments",
        );
        limit(self.unread, "TCP segments have no readable length", "they are left out of tcp_connections");
        (rows, self.log.finish(&source))
    }
}
