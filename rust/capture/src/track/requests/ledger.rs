//! Where requests and token chunks are written down, with the limits on how many.

use std::sync::Arc;

use super::dialect::Kind;
use super::dns::Dns;
use super::mark::Mark;
use super::reasons::Reasons;
use crate::address::Address;
use crate::tables::problems::ProblemRow;
use crate::tables::requests::Request;
use crate::tables::tokens::Token;

/// Rows of `requests`: about 150 MB with their texts. Those that begin later are counted only.
const MOST_REQUESTS: usize = 1 << 18;

/// Rows of `tokens`: about 300 MB. Later chunks still count in their request.
const MOST_TOKENS: usize = 1 << 22;

/// Who talks to whom.
#[derive(Debug, Clone, Copy)]
pub struct Ends {
    pub client: (Address, u16),
    pub server: (Address, u16),
    /// Number of the TCP connection.
    pub connection: Option<u32>,
}

/// A row of `requests`.
pub type Id = u32;

/// A chunk of a streamed response, for `tokens`.
#[derive(Debug, Clone, Copy)]
pub struct Chunk {
    pub request: Id,
    pub at: Mark,
    pub bytes: u32,
    pub gap: Option<i64>,
    pub kind: Kind,
    pub events: u32,
    pub tokens: u32,
}

/// All rows.
#[derive(Debug, Default)]
pub struct Ledger {
    pub requests: Vec<Request>,
    pub tokens: Vec<Token>,
    /// Bytes that wait behind holes.
    pub waiting: usize,
    /// DNS, whose lookups become a phase of the connections after them.
    pub dns: Dns,
    /// A buffer that nobody uses.
    pub spare: Vec<u8>,
    /// Holes given up because too much waited behind them.
    pub abandoned: u64,
    /// Connections beyond the limit.
    pub untracked: u64,
    /// HTTP/2 streams, DNS questions and the like beyond their limits.
    pub unmatched: u64,
    beyond: u64,
    tokens_beyond: u64,
    source: Option<Arc<String>>,
}

impl Ledger {
    /// The name of the capture, before anything is written.
    pub fn name(&mut self, source: &str) {
        if self.source.is_none() {
            self.source = Some(Arc::new(source.to_owned()));
        }
    }

    /// A request begins. When there are too many it gets a number that no row has.
    pub fn open(&mut self, protocol: &'static str, ends: &Ends) -> Id {
        if self.requests.len() >= MOST_REQUESTS {
            self.beyond += 1;
            return Id::MAX;
        }
        let request = self.requests.len() as Id; // below MOST_REQUESTS
        self.requests.push(Request {
            source: self.source.clone().unwrap_or_default(),
            request,
            connection: ends.connection,
            protocol,
            client: ends.client,
            server: ends.server,
            stream: None,
            method: None,
            host: None,
            path: None,
            status: None,
            content_type: None,
            tls_version: None,
            alpn: None,
            streamed: None,
            counted: None,
            begin: None,
            sent: None,
            acked: None,
            response: None,
            last: None,
            first_token: None,
            last_token: None,
            dns: None,
            dns_retries: None,
            connect: None,
            syn_retries: None,
            tls: None,
            chunks: 0,
            tokens: None,
            request_bytes: 0,
            response_bytes: 0,
            gaps: None,
            hol_before: 0,
            hol_after: 0,
            hol_beyond: 0,
            flow_control: 0,
            ended: "open",
            ttft_earliest: None,
            ttft_latest: None,
            reasons: Reasons::default(),
        });
        request
    }

    /// That row.
    pub fn get(&mut self, id: Id) -> Option<&mut Request> {
        self.requests.get_mut(id as usize)
    }

    /// A reason why something of it is not known.
    pub fn note(&mut self, id: Id, reason: Reasons) {
        if let Some(request) = self.get(id) {
            request.reasons.add(reason);
        }
    }

    /// It has ended, if it had not before.
    pub fn end(&mut self, id: Id, how: &'static str) {
        if let Some(request) = self.get(id)
            && request.ended == "open"
        {
            request.ended = how;
        }
    }

    /// A chunk of a streamed response.
    pub fn token(&mut self, row: Chunk) {
        let Chunk { request, at, bytes, gap, kind, events, tokens } = row;
        if request == Id::MAX {
            return;
        }
        if self.tokens.len() >= MOST_TOKENS {
            self.tokens_beyond += 1;
            return;
        }
        let source = self.source.clone().unwrap_or_default();
        let (ts, gap) = (at.ts.into(), gap.into());
        let small = |count: u32| u16::try_from(count).unwrap_or(u16::MAX);
        let (events, tokens) = (small(events), small(tokens));
        self.tokens.push(Token { source, frame: at.frame, ts, gap, request, bytes, events, tokens, kind });
    }

    /// Loss held up what this request was waiting for.
    pub fn blocked(&mut self, id: Id, span: i64, beyond: bool) {
        let Some(request) = self.get(id) else { return };
        let sum = if request.first_token.is_some() { &mut request.hol_after } else { &mut request.hol_before };
        *sum = sum.saturating_add(span);
        if beyond {
            request.hol_beyond = request.hol_beyond.saturating_add(span);
        }
    }

    /// The rows, and a problem for each limit that was hit.
    pub fn finish(self, source: &str, problems: &mut Vec<ProblemRow>) -> (Vec<Request>, Vec<Token>) {
        let mut limit = |count: u64, what: &str, next: &str| {
            if count > 0 {
                problems.push(ProblemRow {
                    source: source.to_owned(),
                    offset: 0,
                    frame: 0,
                    what: format!("{count} {what}"),
                    next: next.to_owned(),
                });
            }
        };
        let filter = "filter the capture by host or port and read it again";
        limit(self.beyond, "requests more than `requests` holds", filter);
        limit(self.tokens_beyond, "chunks more than `tokens` holds; they count in their requests", filter);
        limit(self.untracked, "TCP connections at a time more than are searched for requests", filter);
        limit(self.unmatched, "HTTP/2 streams or DNS questions at a time more than are followed", filter);
        limit(
            self.abandoned,
            "holes in TCP streams with more waiting behind them than is kept",
            "what was lost there is taken as not captured; the requests concerned say so",
        );
        (self.requests, self.tokens)
    }
}
