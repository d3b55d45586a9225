//! What the parsers of a connection share: its ends, the phases before its first request, and the rows they write.

use super::ledger::{Ends, Id, Ledger};
use super::mark::Mark;
use super::reasons::Reasons;

/// Phases before the first request of a connection.
#[derive(Debug, Clone, Copy, Default)]
pub struct Opening {
    pub dns: Option<i64>,
    pub dns_retries: Option<u32>,
    pub connect: Option<i64>,
    pub syn_retries: Option<u32>,
    pub tls: Option<i64>,
}

/// A connection, as its parser sees it.
#[derive(Debug)]
pub struct Context<'a> {
    pub ledger: &'a mut Ledger,
    pub ends: Ends,
    /// Given to the first request.
    pub opening: &'a mut Option<Opening>,
    /// No SYN was seen.
    pub mid_flow: bool,
    /// The last request that was sent to its end: its acknowledgement is awaited.
    pub sent: &'a mut Option<Id>,
}

impl Context<'_> {
    /// A request begins here.
    pub fn open(&mut self, protocol: &'static str, begin: Option<Mark>) -> Id {
        let id = self.ledger.open(protocol, &self.ends);
        let opening = self.opening.take();
        if let Some(request) = self.ledger.get(id) {
            request.begin = begin;
            if let Some(opening) = opening {
                request.dns = opening.dns;
                request.dns_retries = opening.dns_retries;
                request.connect = opening.connect;
                request.syn_retries = opening.syn_retries;
                request.tls = opening.tls;
            }
        }
        id
    }

    /// Bytes of the request.
    pub fn upload(&mut self, id: Id, bytes: u64) {
        if let Some(request) = self.ledger.get(id) {
            request.request_bytes = request.request_bytes.saturating_add(bytes);
        }
    }

    /// Its last byte passed.
    pub fn sent(&mut self, id: Id, at: Mark) {
        if let Some(request) = self.ledger.get(id) {
            request.sent = Some(at);
            *self.sent = Some(id);
        }
    }

    /// Bytes of the response.
    pub fn download(&mut self, id: Id, bytes: u64, at: Mark) {
        if let Some(request) = self.ledger.get(id) {
            request.response_bytes = request.response_bytes.saturating_add(bytes);
            request.response.get_or_insert(at);
            request.last = Some(at);
        }
    }

    /// A reason.
    pub fn note(&mut self, id: Id, reason: Reasons) {
        self.ledger.note(id, reason);
    }
}
