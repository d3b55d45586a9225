//! What the marks of a request make: its phases, the time to its first token, and why something of it is not known.

use super::mark::span;
use super::reasons::Reasons;
use crate::tables::requests::Request;

impl Request {
    /// Last request byte to first response byte. A response that began before the request was whole has no such time.
    pub(crate) fn think(&self) -> Option<i64> {
        span(self.sent, self.response)
    }

    pub(crate) fn first(&self) -> Option<i64> {
        span(self.response, self.first_token)
    }

    pub(crate) fn exact(&self) -> bool {
        self.ttft().is_some()
    }

    /// The phases that are known and end with the first token; `None` when there is no such token.
    pub(crate) fn ttft(&self) -> Option<i64> {
        let own = span(self.begin, self.first_token)?;
        let before = [self.dns, self.connect, self.tls];
        before.iter().flatten().try_fold(own, |sum, phase| sum.checked_add(*phase))
    }

    pub(crate) fn ttft_includes(&self) -> Option<&'static str> {
        self.ttft()?;
        Some(match (self.dns.is_some(), self.connect.is_some(), self.tls.is_some()) {
            (false, false, false) => "upload+think+first",
            (false, false, true) => "tls+upload+think+first",
            (false, true, false) => "connect+upload+think+first",
            (false, true, true) => "connect+tls+upload+think+first",
            (true, false, false) => "dns+upload+think+first",
            (true, false, true) => "dns+tls+upload+think+first",
            (true, true, false) => "dns+connect+upload+think+first",
            (true, true, true) => "dns+connect+tls+upload+think+first",
        })
    }

    pub(crate) fn reason(&self) -> Option<String> {
        let mut reasons = self.reasons;
        let dns_or_handshake = matches!(self.protocol, "dns") || self.protocol == "tls" && self.sent.is_none();
        if self.begin.is_some_and(|begin| begin.ts.is_none()) {
            reasons.add(Reasons::NO_TIMES);
        }
        if self.first_token.is_none() && !dns_or_handshake && self.protocol != "tls" && self.response.is_some() {
            reasons.add(if self.streamed.is_some() { Reasons::NO_TOKEN } else { Reasons::NOT_STREAMED });
        }
        let inside = self.protocol == "tls" && (self.sent.is_none() || self.ttft_earliest.is_some());
        if self.response.is_none() && !inside {
            reasons.add(Reasons::NO_RESPONSE);
        }
        reasons.words()
    }
}
