//! HTTP/1.0 and 1.1 over one connection (RFC 9110, 9112): requests and responses side by side, paired in their order.

use std::collections::VecDeque;

use super::body::{Body, Reading};
use super::exchange::Context;
use super::head::{self, Head, printable};
use super::http2::PREFACE;
use super::ledger::Id;
use super::mark::Mark;
use super::partial_head::{Collected, Partial};
use super::reasons::Reasons;
use super::switch::Switch;

/// Requests under way at a time on one connection. Where responses are not captured at all, older ones are let go.
const MOST_PIPELINED: usize = 256;

/// One connection.
#[derive(Debug, Default)]
pub struct Http1 {
    /// Requests without a whole response, the oldest first.
    open: VecDeque<Id>,
    up: Reading,
    down: Reading,
    up_head: Partial,
    down_head: Partial,
    /// The request that is being sent, and that whose response is being received.
    sending: Option<Id>,
    receiving: Option<Id>,
}

impl Http1 {
    /// Bytes in order. `Some` when the protocol changes; what is left of the bytes belongs to the new one.
    pub fn bytes<'b>(
        &mut self,
        from_client: bool,
        bytes: &'b [u8],
        at: Mark,
        ctx: &mut Context<'_>,
    ) -> Option<(Switch, &'b [u8])> {
        if from_client {
            return self.on_client(bytes, at, ctx);
        }
        self.on_server(bytes, at, ctx)
    }

    fn on_client<'b>(&mut self, bytes: &'b [u8], at: Mark, ctx: &mut Context<'_>) -> Option<(Switch, &'b [u8])> {
        if self.up == Reading::Lost {
            if !head::is_request(bytes) {
                self.more_of_a_cut_request(bytes.len() as u64, at, ctx);
                return None;
            }
            self.up = Reading::Head;
        }
        let mut rest = bytes;
        while !rest.is_empty() {
            if self.up == Reading::Head {
                if self.up_head.bytes.is_empty() && rest.get(..16).is_some_and(|begin| PREFACE.starts_with(begin)) {
                    // The answer to the upgrade may not have been captured.
                    return Some((Switch::Http2(self.open.back().copied()), rest));
                }
                let used = self.request_head(rest, at, ctx)?;
                rest = rest.get(used..).unwrap_or_default();
                continue;
            }
            let before = rest.len();
            let ended = self.up.step(&mut rest, &mut Body::Skip, at, ctx.ledger);
            let id = self.sending?;
            ctx.upload(id, (before - rest.len()) as u64);
            match ended {
                Ok(true) => {
                    ctx.sent(id, at);
                    self.sending = None;
                    self.up = Reading::Head;
                }
                Ok(false) => {}
                Err(()) => {
                    ctx.note(id, Reasons::MALFORMED);
                    self.up = Reading::Lost;
                    return None;
                }
            }
        }
        None
    }

    /// Reads the head of a request; `None` when it is not whole yet, or is none.
    fn request_head(&mut self, bytes: &[u8], at: Mark, ctx: &mut Context<'_>) -> Option<usize> {
        if self.up_head.bytes.is_empty() && matches!(bytes.first(), Some(b'\r' | b'\n')) {
            return Some(1); // RFC 9112 section 2.2: empty lines before a request
        }
        let begin = *self.up_head.begin.get_or_insert(at);
        let collected = self.up_head.collect(bytes)?;
        let (whole, used) = collected.of(bytes);
        let too_long = matches!(collected, Collected::TooLong(_));
        self.up_head.begin = None;
        if !head::is_request(whole) {
            self.up = Reading::Lost;
            return None;
        }
        let head = Head::of(whole);
        let id = self.open_request(&head, begin, ctx);
        ctx.upload(id, whole.len() as u64);
        self.up = if too_long {
            ctx.note(id, Reasons::TOO_LONG);
            ctx.sent(id, at);
            Reading::Lost
        } else if head.says("transfer-encoding", "chunked") {
            Reading::chunked()
        } else {
            Reading::fixed(head.content_length().unwrap_or(0))
        };
        if self.up == Reading::Head {
            ctx.sent(id, at);
            self.sending = None;
        }
        Some(used)
    }

    fn open_request(&mut self, head: &Head<'_>, begin: Mark, ctx: &mut Context<'_>) -> Id {
        if self.down == Reading::Lost {
            // Whoever sends a new request has what came before; what its end was is not known here.
            self.give_up("lost", ctx);
            self.down = Reading::Head;
        }
        if self.open.len() >= MOST_PIPELINED
            && let Some(oldest) = self.open.pop_front()
        {
            ctx.ledger.end(oldest, "lost");
        }
        let id = ctx.open("http/1.1", Some(begin));
        let (method, target) = head.request();
        if let Some(request) = ctx.ledger.get(id) {
            request.method = Some(printable(method));
            request.path = target.map(printable);
            request.host = head.field("host").map(printable);
        }
        self.open.push_back(id);
        self.sending = Some(id);
        id
    }

    /// Bytes of a request of which not everything is known. Its end is where the response begins.
    fn more_of_a_cut_request(&mut self, bytes: u64, at: Mark, ctx: &mut Context<'_>) {
        let Some(id) = self.sending.or_else(|| self.open.back().copied()) else { return };
        if ctx.ledger.get(id).is_some_and(|request| request.response.is_none()) {
            ctx.upload(id, bytes);
            ctx.sent(id, at);
        }
    }

    fn on_server<'b>(&mut self, bytes: &'b [u8], at: Mark, ctx: &mut Context<'_>) -> Option<(Switch, &'b [u8])> {
        if self.down == Reading::Lost {
            if !head::is_response(bytes) {
                if let Some(id) = self.receiving.or_else(|| self.open.front().copied()) {
                    ctx.download(id, bytes.len() as u64, at);
                }
                return None;
            }
            if let Some(id) = self.receiving.take() {
                ctx.ledger.end(id, "lost");
                self.open.retain(|open| *open != id);
            }
            self.down = Reading::Head;
        }
        let mut rest = bytes;
        while !rest.is_empty() {
            if self.down == Reading::Head {
                let (used, switch) = self.response_head(rest, at, ctx)?;
                rest = rest.get(used..).unwrap_or_default();
                if let Some(switch) = switch {
                    return Some((switch, rest));
                }
                continue;
            }
            let before = rest.len();
            let ended = self.down.step_taking_body(&mut rest, at, ctx.ledger);
            let id = self.receiving?;
            ctx.download(id, (before - rest.len()) as u64, at);
            match ended {
                Ok(true) => self.response_ends(at, "complete", ctx),
                Ok(false) => {}
                Err(()) => {
                    ctx.note(id, Reasons::MALFORMED);
                    self.down.lose(Reasons::MALFORMED, ctx.ledger);
                    return None;
                }
            }
        }
        None
    }

    fn response_head(&mut self, bytes: &[u8], at: Mark, ctx: &mut Context<'_>) -> Option<(usize, Option<Switch>)> {
        if self.down_head.bytes.is_empty() && matches!(bytes.first(), Some(b'\r' | b'\n')) {
            return Some((1, None));
        }
        let begin = *self.down_head.begin.get_or_insert(at);
        if self.down_head.bytes.is_empty() && bytes.len() >= 7 && !head::is_response(bytes) {
            return self.no_response(bytes.len(), at, ctx);
        }
        let collected = self.down_head.collect(bytes)?;
        let (whole, used) = collected.of(bytes);
        self.down_head.begin = None;
        if !head::is_response(whole) {
            return self.no_response(whole.len() + bytes.len() - used, at, ctx); // its first segment did not tell
        }
        let (head, status) = (Head::of(whole), Head::of(whole).status());
        if status.is_some_and(|status| (100..200).contains(&status) && status != 101) {
            return Some((used, None)); // an interim response: the one that counts follows
        }
        let id = self.answered(begin, ctx);
        ctx.download(id, whole.len() as u64, at);
        self.receiving = Some(id);
        let method = Self::describe(id, &head, begin, ctx);
        if matches!(collected, Collected::TooLong(_)) {
            ctx.note(id, Reasons::TOO_LONG);
            self.down.lose(Reasons::TOO_LONG, ctx.ledger);
            return Some((used, None));
        }
        let switch = Switch::after(id, status, &method, &head);
        if switch.is_some() {
            return Some((used, switch));
        }
        let bodiless = &*method == "HEAD" || matches!(status, Some(204 | 304));
        self.down = if bodiless { Reading::Head } else { Reading::of_response(id, &head, ctx.ledger) };
        if self.down == Reading::Head {
            self.response_ends(at, "complete", ctx);
        }
        Some((used, None))
    }

    /// What the server sent is no response.
    fn no_response<T>(&mut self, bytes: usize, at: Mark, ctx: &mut Context<'_>) -> Option<T> {
        self.down_head.begin = None;
        self.down = Reading::Lost;
        let id = *self.open.front()?;
        ctx.note(id, Reasons::MALFORMED);
        ctx.download(id, bytes as u64, at);
        None
    }

    /// The request that this response answers. One that was not seen gets a row, too.
    fn answered(&mut self, begin: Mark, ctx: &mut Context<'_>) -> Id {
        let id = self.open.front().copied().unwrap_or_else(|| {
            let id = ctx.open("http/1.1", None);
            ctx.note(id, Reasons::NO_REQUEST);
            if ctx.mid_flow {
                ctx.note(id, Reasons::MID_FLOW);
            }
            self.open.push_back(id);
            id
        });
        if let Some(request) = ctx.ledger.get(id) {
            request.response.get_or_insert(begin);
        }
        id
    }

    /// Writes down what the head says; gives back the method of the request.
    fn describe(id: Id, head: &Head<'_>, begin: Mark, ctx: &mut Context<'_>) -> Box<str> {
        let Some(request) = ctx.ledger.get(id) else { return Box::default() };
        request.response = Some(begin);
        request.status = head.status();
        request.content_type = head.field("content-type").map(printable);
        request.method.clone().unwrap_or_default()
    }

    fn response_ends(&mut self, at: Mark, how: &'static str, ctx: &mut Context<'_>) {
        if how == "complete" {
            self.down.finish(at, ctx.ledger);
        } else {
            self.down.settle(ctx.ledger);
        }
        self.down = Reading::Head;
        if let Some(id) = self.receiving.take() {
            ctx.ledger.end(id, how);
            if self.open.front() == Some(&id) {
                self.open.pop_front();
            }
        }
    }

    /// Bytes that were not captured.
    pub fn missing(&mut self, from_client: bool, bytes: u64, reason: Reasons, at: Mark, ctx: &mut Context<'_>) {
        if from_client {
            self.missing_from_client(bytes, reason, at, ctx);
        } else {
            self.missing_from_server(bytes, reason, at, ctx);
        }
    }

    fn missing_from_client(&mut self, bytes: u64, reason: Reasons, at: Mark, ctx: &mut Context<'_>) {
        if self.up == Reading::Head {
            let Partial { bytes: partial, begin } = std::mem::take(&mut self.up_head);
            if let Some(begin) = begin
                && head::is_request(&partial)
            {
                let id = self.open_request(&Head::of(&partial), begin, ctx);
                ctx.note(id, reason);
                ctx.upload(id, partial.len() as u64);
            }
            self.up = Reading::Lost;
        }
        let Some(id) = self.sending else {
            self.up = Reading::Lost;
            return;
        };
        match self.up.skip(bytes, reason, ctx.ledger) {
            Ok(true) => {
                ctx.upload(id, bytes);
                ctx.sent(id, at);
                self.sending = None;
                self.up = Reading::Head;
            }
            Ok(false) => ctx.upload(id, bytes),
            Err(()) => {
                ctx.note(id, reason);
                self.up = Reading::Lost;
                self.more_of_a_cut_request(bytes, at, ctx);
            }
        }
    }

    fn missing_from_server(&mut self, bytes: u64, reason: Reasons, at: Mark, ctx: &mut Context<'_>) {
        if self.down == Reading::Head {
            let Partial { bytes: partial, begin } = std::mem::take(&mut self.down_head);
            if let Some(begin) = begin
                && head::is_response(&partial)
            {
                let id = self.answered(begin, ctx);
                Self::describe(id, &Head::of(&partial), begin, ctx);
                self.receiving = Some(id);
            }
            self.down = Reading::Lost;
        }
        let Some(id) = self.receiving.or_else(|| self.open.front().copied()) else {
            self.down = Reading::Lost;
            return;
        };
        ctx.download(id, bytes, at);
        match self.down.skip(bytes, reason, ctx.ledger) {
            Ok(true) => self.response_ends(at, "complete", ctx),
            Ok(false) => {}
            Err(()) => {
                ctx.note(id, reason);
                self.down.lose(reason, ctx.ledger);
            }
        }
    }

    /// One side sends no more.
    pub fn closed(&mut self, by_client: bool, at: Mark, ctx: &mut Context<'_>) {
        if by_client {
            self.cut_head(ctx);
        } else {
            let how = if self.down.ends_with_connection() { "complete" } else { "closed" };
            if self.receiving.is_some() {
                self.response_ends(at, how, ctx);
            }
            self.give_up("closed", ctx);
        }
    }

    /// Nothing more is seen of the connection.
    pub fn give_up(&mut self, how: &'static str, ctx: &mut Context<'_>) {
        self.cut_head(ctx);
        self.down.settle(ctx.ledger);
        self.receiving = None;
        for id in self.open.drain(..) {
            ctx.ledger.end(id, how);
        }
    }

    /// The connection turns into something else; that request goes on there, the others are over.
    pub fn hand_over(&mut self, kept: Option<Id>, ctx: &mut Context<'_>) {
        self.open.retain(|id| Some(*id) != kept);
        if let Some(id) = self.receiving.take()
            && Some(id) != kept
        {
            ctx.ledger.end(id, "complete");
        }
        self.give_up("lost", ctx);
    }

    /// A request whose head never came to its end is a request, too.
    fn cut_head(&mut self, ctx: &mut Context<'_>) {
        let Partial { bytes, begin } = std::mem::take(&mut self.up_head);
        if let Some(begin) = begin
            && head::is_request(&bytes)
        {
            let id = self.open_request(&Head::of(&bytes), begin, ctx);
            ctx.upload(id, bytes.len() as u64);
        }
    }

    /// The request that loss in this direction holds up.
    pub fn waiting(&self, from_client: bool) -> Option<Id> {
        if from_client { self.sending } else { self.receiving.or_else(|| self.open.front().copied()) }
    }
}
