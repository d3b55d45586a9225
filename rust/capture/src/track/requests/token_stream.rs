//! A streamed response: its bytes become events, its events rows of `tokens`, and the times between them gaps.

use memchr::memchr;

use super::dialect::{Dialect, Kind};
use super::gaps::GapList;
use super::ledger::{Chunk, Id, Ledger};
use super::mark::Mark;
use super::reasons::Reasons;

/// Bytes of an unfinished line that are kept until it ends. What an event says stands at its beginning; longer ones are
/// judged by that.
const MOST_CARRY: usize = 4096;

/// How a stream is cut into events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// Server-sent events: a blank line ends one (WHATWG HTML, section 9.2.6).
    Sse,
    /// One JSON object a line.
    Lines,
    /// Whatever the server wrote at once: an HTTP chunk, a message of gRPC or of a WebSocket.
    Writes(&'static str),
}

/// The events of one response.
#[derive(Debug)]
pub struct TokenStream {
    request: Id,
    cut: Cut,
    dialect: Dialect,
    /// The beginning of a line that is not at its end yet.
    carry: Vec<u8>,
    /// What the lines of the event so far say.
    event: Option<Kind>,
    /// Something before here was not captured, and a line may have begun in it.
    torn: bool,
    /// No event from here on is known to be the first.
    holed: bool,
    pending: Pending,
    last_row: Option<Mark>,
    last_token: Option<Mark>,
    gaps: GapList,
    unknown: bool,
}

/// Events of the row that is being made.
#[derive(Debug, Default)]
struct Pending {
    bytes: u32,
    events: u32,
    tokens: u32,
    kind: Option<Kind>,
}

impl TokenStream {
    /// Of this request.
    pub fn new(request: Id, cut: Cut, ledger: &mut Ledger) -> Self {
        if let Some(row) = ledger.get(request) {
            row.tokens = Some(0);
        }
        Self {
            request,
            cut,
            dialect: Dialect::default(),
            carry: Vec::new(),
            event: None,
            torn: false,
            holed: false,
            pending: Pending::default(),
            last_row: None,
            last_token: None,
            gaps: GapList::default(),
            unknown: false,
        }
    }

    /// Bytes of the body.
    pub fn bytes(&mut self, bytes: &[u8], at: Mark, ledger: &mut Ledger) {
        self.pending.bytes = self.pending.bytes.saturating_add(bytes.len() as u32);
        if matches!(self.cut, Cut::Writes(_)) {
            return;
        }
        let mut rest = bytes;
        while let Some(end) = memchr(b'\n', rest) {
            let (line, after) = rest.split_at(end);
            if self.torn {
                self.torn = false; // the end of a line whose beginning is not known
            } else if self.carry.is_empty() {
                self.line(line);
            } else {
                let mut whole = std::mem::take(&mut self.carry);
                keep(&mut whole, line);
                self.line(&whole);
                whole.clear();
                self.carry = whole;
            }
            rest = after.get(1..).unwrap_or_default();
        }
        if !self.torn {
            keep(&mut self.carry, rest);
        }
        if self.pending.events > 0 {
            self.row(at, ledger);
        }
    }

    /// A whole line, without its end.
    fn line(&mut self, line: &[u8]) {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if self.cut == Cut::Lines {
            let data = line.strip_prefix(b"data:").unwrap_or(line);
            if !data.trim_ascii().is_empty() {
                let kind = self.dialect.classify(data);
                self.end_event(kind);
            }
            return;
        }
        if line.is_empty() {
            if let Some(kind) = self.event.take() {
                self.end_event(kind);
            }
        } else if let Some(data) = line.strip_prefix(b"data:") {
            let kind = self.dialect.classify(data.strip_prefix(b" ").unwrap_or(data));
            self.event = self.event.max(Some(kind));
        } else {
            // A comment, or a field such as `event:` or `id:`, which alone has no content.
            self.event = self.event.max(Some(Kind::Comment));
        }
    }

    fn end_event(&mut self, kind: Kind) {
        self.pending.events += 1;
        self.pending.tokens += u32::from(kind == Kind::Token);
        self.unknown |= kind == Kind::Token && self.dialect.name.is_none();
        self.pending.kind = self.pending.kind.max(Some(kind));
    }

    /// What the server wrote at once ends here; `says` tells whether there was content in it.
    pub fn write_ends(&mut self, says: bool, at: Mark, ledger: &mut Ledger) {
        if let Cut::Writes(_) = self.cut {
            self.end_event(if says { Kind::Token } else { Kind::Comment });
            self.row(at, ledger);
        }
    }

    /// Writes the row of the events that ended.
    fn row(&mut self, at: Mark, ledger: &mut Ledger) {
        let Pending { bytes, events, tokens, kind } = std::mem::take(&mut self.pending);
        let Some(kind) = kind else { return };
        let gap = self.last_row.and_then(|last| at.since(last));
        self.last_row = Some(at);
        if tokens > 0 {
            if let Some(gap) = self.last_token.and_then(|last| at.since(last)) {
                self.gaps.push(gap);
            }
            self.last_token = Some(at);
        }
        ledger.token(Chunk { request: self.request, at, bytes, gap, kind, events, tokens });
        let holed = self.holed;
        if let Some(request) = ledger.get(self.request) {
            request.chunks = request.chunks.saturating_add(1);
            request.tokens = request.tokens.map(|count| count.saturating_add(tokens));
            if tokens > 0 {
                if request.first_token.is_none() && !holed {
                    request.first_token = Some(at);
                }
                request.last_token = Some(at);
            }
        }
    }

    /// Bytes of the body that were not captured.
    pub fn missing(&mut self, reason: Reasons, ledger: &mut Ledger) {
        self.carry.clear();
        self.event = None;
        self.torn = true;
        self.holed = true;
        self.last_row = None;
        self.last_token = None;
        if let Some(request) = ledger.get(self.request) {
            request.tokens = None;
            request.reasons.add(reason);
        }
    }

    /// The response is at its end: an event without its blank line still counts where the body is whole.
    pub fn finish(&mut self, at: Mark, ledger: &mut Ledger) {
        if !self.carry.is_empty() {
            let whole = std::mem::take(&mut self.carry);
            self.line(&whole);
        }
        if let Some(kind) = self.event.take() {
            self.end_event(kind);
        }
        self.row(at, ledger);
        self.settle(ledger);
    }

    /// What is known of the whole, also when it never ends.
    pub fn settle(&mut self, ledger: &mut Ledger) {
        let gaps = self.gaps.summary();
        let Some(request) = ledger.get(self.request) else { return };
        request.gaps = gaps;
        request.counted = match (self.cut, self.dialect.name) {
            (Cut::Writes(each), _) => Some(each),
            (_, Some(name)) => Some(name),
            (Cut::Sse, None) if self.unknown => Some("every event"),
            (Cut::Lines, None) if self.unknown => Some("every line"),
            _ => None,
        };
        if self.unknown && self.dialect.name.is_none() {
            request.reasons.add(Reasons::ALIKE);
        }
        if self.gaps.overflowed() {
            request.reasons.add(Reasons::MANY_GAPS);
        }
    }
}

/// Adds as much as there is room for.
fn keep(carry: &mut Vec<u8>, bytes: &[u8]) {
    let room = MOST_CARRY.saturating_sub(carry.len());
    carry.extend_from_slice(bytes.get(..room).unwrap_or(bytes));
}
