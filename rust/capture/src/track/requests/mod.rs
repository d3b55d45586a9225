//! Requests and the time to their first token: DNS, TLS, HTTP/1.1, server-sent events, HTTP/2.

use super::conversations::Conversation;
use crate::packet::Tcp;
use crate::tables::captured::Captured;
use crate::tables::problems::ProblemRow;
use crate::tables::requests::Request;
use crate::tables::tokens::Token;

/// All requests of a capture.
#[derive(Debug, Default)]
pub struct Requests {}

impl Requests {
    /// A TCP segment passed the tap.
    pub fn on_segment(&mut self, _conversation: Conversation, _row: &Captured<'_>, _tcp: &Tcp<'_>) {}

    /// A UDP datagram passed the tap.
    pub fn on_datagram(&mut self, _row: &Captured<'_>) {}

    /// The rows of `requests` and `tokens`; limits that were hit go to `problems`.
    pub fn finish(self, _source: &str, _problems: &mut Vec<ProblemRow>) -> (Vec<Request>, Vec<Token>) {
        (Vec::new(), Vec::new())
    }
}
