//! TCP connections: round trips, retransmissions and stalls.

use super::conversations::Conversation;
use crate::packet::Tcp;
use crate::tables::captured::Captured;
use crate::tables::problems::ProblemRow;
use crate::tables::tcp_connections::TcpConnection;
use crate::tables::tcp_events::TcpEvent;

/// All connections of a capture.
#[derive(Debug, Default)]
pub struct Connections {}

impl Connections {
    /// A segment passed the tap.
    pub fn on_segment(&mut self, _conversation: Conversation, _row: &Captured<'_>, _tcp: &Tcp<'_>) {}

    /// The rows of `tcp_connections` and `tcp_events`; limits that were hit go to `problems`.
    pub fn finish(self, _source: &str, _problems: &mut Vec<ProblemRow>) -> (Vec<TcpConnection>, Vec<TcpEvent>) {
        (Vec::new(), Vec::new())
    }
}
