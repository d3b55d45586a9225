//! One TCP connection: its handshake, both directions in order, and what is said in them.

use super::exchange::{Context, Opening};
use super::half::{Half, Place, distance};
use super::ledger::{Ends, Id, Ledger};
use super::mark::Mark;
use super::reasons::Reasons;
use super::talk::Talk;
use crate::packet::Tcp;
use crate::tables::captured::Captured;
use crate::track::conversations::{ACK, SYN};

/// Flags of the TCP header (RFC 9293).
const FIN: u8 = 0x01;
const RST: u8 = 0x04;

/// One connection.
#[derive(Debug)]
pub struct Connection {
    ends: Ends,
    /// The client is the other end than the ports told.
    flipped: bool,
    syn: Option<Mark>,
    opening: Option<Opening>,
    halves: [Half; 2],
    talk: Talk,
    mid_flow: bool,
    /// The last request that was sent, and the sequence number after it.
    unacked: Option<(u32, Id)>,
}

impl Connection {
    /// Begins with this segment; `ends` are as the conversation sees them.
    pub fn new(ends: Ends) -> Self {
        Self {
            ends,
            flipped: false,
            syn: None,
            opening: None,
            halves: [Half::default(), Half::default()],
            talk: Talk::default(),
            mid_flow: true,
            unacked: None,
        }
    }

    /// A segment passed the tap. How the connection ended, when nothing more can come of it.
    pub fn on_segment(
        &mut self,
        from_client: bool,
        row: &Captured<'_>,
        tcp: &Tcp<'_>,
        ledger: &mut Ledger,
    ) -> Option<&'static str> {
        let at = Mark::of(row);
        let mut from_client = from_client != self.flipped;
        if tcp.flags & SYN != 0 {
            self.on_syn(from_client, tcp, at, ledger);
        }
        let len = row.packet.payload_len.unwrap_or(row.packet.payload.len() as u32);
        if tcp.flags & ACK != 0 {
            self.on_ack(from_client, tcp.ack, at, ledger);
        }
        if len > 0 && !self.talk.is_opaque() {
            let seq = tcp.seq.wrapping_add(u32::from(tcp.flags & SYN != 0));
            if self.mid_flow && !from_client && self.talk.tells_client(row.packet.payload) {
                self.flip();
                from_client = true;
            }
            self.on_payload(from_client, seq, len, row.packet.payload, tcp, at, ledger);
        }
        if tcp.flags & RST != 0 {
            return Some("reset");
        }
        if tcp.flags & FIN != 0 {
            let [client, server] = &mut self.halves;
            let half = if from_client { client } else { server };
            half.fin.get_or_insert(tcp.seq.wrapping_add(len));
        }
        self.on_end(from_client, at, ledger).then_some("closed")
    }

    fn on_syn(&mut self, from_client: bool, tcp: &Tcp<'_>, at: Mark, ledger: &Ledger) {
        let [client, server] = &mut self.halves;
        let (half, other) = if from_client { (client, server) } else { (server, client) };
        half.next.get_or_insert(tcp.seq.wrapping_add(1));
        if tcp.flags & ACK != 0 {
            other.next.get_or_insert(tcp.ack);
            if let (Some(opening), Some(syn)) = (&mut self.opening, self.syn)
                && opening.connect.is_none()
            {
                opening.connect = at.since(syn);
            }
        } else if self.syn.is_none() {
            self.syn = Some(at);
            self.mid_flow = false;
            let dns = ledger.dns.before(self.ends.client.0, self.ends.server.0, at);
            self.opening = Some(Opening { syn_retries: Some(0), ..dns.unwrap_or_default() });
        } else if let Some(retries) = self.opening.as_mut().and_then(|opening| opening.syn_retries.as_mut()) {
            *retries = retries.saturating_add(1);
        }
    }

    fn on_ack(&mut self, from_client: bool, ack: u32, at: Mark, ledger: &mut Ledger) {
        let [client, server] = &mut self.halves;
        let half = if from_client { server } else { client };
        half.on_ack(ack, at);
        if !from_client
            && let Some((sent, id)) = self.unacked
            && distance(sent, ack) >= 0
        {
            self.unacked = None;
            if let Some(request) = ledger.get(id) {
                request.acked.get_or_insert(at);
            }
        }
        let [client, server] = &self.halves;
        let half = if from_client { server } else { client };
        if half.is_waiting() && half.lost_by_capture(at) {
            self.drain(!from_client, true, at, ledger);
        }
    }

    /// The server has sent the first bytes of a request: it is the client.
    fn flip(&mut self) {
        self.flipped = !self.flipped;
        std::mem::swap(&mut self.ends.client, &mut self.ends.server);
        self.halves.swap(0, 1);
    }

    #[allow(clippy::too_many_arguments)] // a segment has that many
    fn on_payload(
        &mut self,
        from_client: bool,
        seq: u32,
        len: u32,
        bytes: &[u8],
        tcp: &Tcp<'_>,
        at: Mark,
        ledger: &mut Ledger,
    ) {
        if tcp.flags & ACK != 0 {
            self.skip_what_the_sender_has(from_client, tcp.ack, at, ledger);
        }
        match self.half(from_client).place(seq, len) {
            Place::Now(known) => {
                let was_waiting = self.half(from_client).is_waiting();
                if was_waiting {
                    self.unblock(from_client, at, ledger);
                }
                let from = (known as usize).min(bytes.len());
                self.deliver(from_client, bytes.get(from..).unwrap_or_default(), len - known, at, ledger);
                if was_waiting {
                    self.drain(from_client, false, at, ledger);
                }
            }
            Place::Ahead => {
                let spare = std::mem::take(&mut ledger.spare);
                if !self.half_keep(from_client, seq, len, bytes, at, spare, ledger) {
                    ledger.abandoned += 1;
                    self.drain(from_client, true, at, ledger);
                    if let Place::Now(known) = self.half(from_client).place(seq, len) {
                        let from = (known as usize).min(bytes.len());
                        self.deliver(from_client, bytes.get(from..).unwrap_or_default(), len - known, at, ledger);
                    } else {
                        self.jump(from_client, seq, at, ledger);
                        self.deliver(from_client, bytes, len, at, ledger);
                    }
                } else if self.half(from_client).lost_by_capture(at) {
                    self.drain(from_client, true, at, ledger);
                }
            }
            Place::Again => {
                // One byte just before what is due is a keep-alive (RFC 9293 section 3.8.4).
                let due = self.half(from_client).next.unwrap_or(seq);
                if !(len == 1 && distance(seq, due) == 1)
                    && let Some(since) = self.half(from_client).resent_after(seq, at)
                {
                    let span = self.half(from_client).held_up(since, at);
                    self.talk.blocked(from_client, span, true, ledger);
                }
            }
            Place::Stray => {}
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn half_keep(
        &mut self,
        from_client: bool,
        seq: u32,
        len: u32,
        bytes: &[u8],
        at: Mark,
        spare: Vec<u8>,
        ledger: &mut Ledger,
    ) -> bool {
        self.half(from_client).keep(seq, len, bytes, at, spare, &mut ledger.waiting)
    }

    fn half(&mut self, from_client: bool) -> &mut Half {
        let [client, server] = &mut self.halves;
        if from_client { client } else { server }
    }

    /// Who sends data has everything from the other side that it acknowledges with it, whether or not it was captured. What
    /// it says may be the answer, so the other side's part is handed on first.
    fn skip_what_the_sender_has(&mut self, from_client: bool, ack: u32, at: Mark, ledger: &mut Ledger) {
        while self.half(!from_client).is_waiting()
            && self.half(!from_client).next.is_some_and(|next| distance(next, ack) > 0)
        {
            self.drain(!from_client, true, at, ledger);
        }
        if self.half(!from_client).next.is_some_and(|next| distance(next, ack) > 0) {
            self.jump(!from_client, ack, at, ledger);
        }
    }

    /// What is before `seq` was not captured.
    fn jump(&mut self, from_client: bool, seq: u32, at: Mark, ledger: &mut Ledger) {
        let half = self.half(from_client);
        let Some(next) = half.next else { return };
        let gap = distance(next, seq).max(0).unsigned_abs();
        half.next = Some(next.wrapping_add(gap));
        half.blocked = None;
        if gap > 0 {
            self.missing(from_client, gap, Reasons::GAP, at, ledger);
        }
    }

    /// A hole is filled: what waited behind it was held up for so long.
    fn unblock(&mut self, from_client: bool, at: Mark, ledger: &mut Ledger) {
        if let Some(blocked) = self.half(from_client).blocked.take()
            && let Some(span) = at.since(blocked)
        {
            let span = self.half(from_client).held_up(span, at);
            self.talk.blocked(from_client, span, false, ledger);
        }
    }

    /// Hands on what no longer waits.
    fn drain(&mut self, from_client: bool, give_up: bool, at: Mark, ledger: &mut Ledger) {
        let mut first = give_up;
        loop {
            let half = self.half(from_client);
            let Some(next) = half.take((!give_up).then_some(at), first, &mut ledger.waiting) else { break };
            first = false;
            if give_up {
                half.blocked = None;
            }
            if next.gap > 0 {
                self.missing(from_client, next.gap, Reasons::GAP, next.at, ledger);
            }
            let bytes = next.piece.bytes.get(next.from..).unwrap_or_default();
            self.deliver(from_client, bytes, next.len, next.at, ledger);
            ledger.spare = next.piece.bytes;
        }
        let half = self.half(from_client);
        half.blocked = if half.is_waiting() { half.blocked.or(Some(at)) } else { None };
    }

    /// Bytes in order, of which the end may not have been captured.
    fn deliver(&mut self, from_client: bool, bytes: &[u8], len: u32, at: Mark, ledger: &mut Ledger) {
        self.half(from_client).advance(len, at);
        let bytes = bytes.get(..len as usize).unwrap_or(bytes);
        let missing = len - bytes.len() as u32;
        let mut sent = None;
        {
            let (mut ctx, talk) = self.context(ledger, &mut sent);
            if !bytes.is_empty() {
                talk.bytes(from_client, bytes, at, &mut ctx);
            }
        }
        if missing > 0 {
            let (mut ctx, talk) = self.context(ledger, &mut sent);
            talk.missing(from_client, missing.into(), Reasons::SNAP, at, &mut ctx);
        }
        if let Some(id) = sent
            && let Some(next) = self.half(true).next
        {
            self.unacked = Some((next, id));
        }
    }

    fn missing(&mut self, from_client: bool, bytes: u32, reason: Reasons, at: Mark, ledger: &mut Ledger) {
        let mut sent = None;
        let (mut ctx, talk) = self.context(ledger, &mut sent);
        talk.missing(from_client, bytes.into(), reason, at, &mut ctx);
        if ctx.mid_flow {
            self.mid_flow = true;
        }
    }

    fn context<'a>(&'a mut self, ledger: &'a mut Ledger, sent: &'a mut Option<Id>) -> (Context<'a>, &'a mut Talk) {
        let Self { ends, opening, talk, mid_flow, .. } = self;
        (Context { ledger, ends: *ends, opening, mid_flow: *mid_flow, sent }, talk)
    }

    /// A FIN that was reached ends its direction; true when both have ended.
    fn on_end(&mut self, from_client: bool, at: Mark, ledger: &mut Ledger) -> bool {
        let half = self.half(from_client);
        if !half.ended && half.fin.is_some() && half.fin == half.next {
            half.ended = true;
            let mut sent = None;
            let (mut ctx, talk) = self.context(ledger, &mut sent);
            talk.closed(from_client, at, &mut ctx);
        }
        let [client, server] = &self.halves;
        client.ended && server.ended
    }

    /// Nothing more is seen of it: what still waits is handed on, and what is open ends like this.
    pub fn end(&mut self, how: &'static str, at: Mark, ledger: &mut Ledger) {
        for from_client in [true, false] {
            while self.half(from_client).is_waiting() {
                self.drain(from_client, true, at, ledger);
            }
        }
        let mut sent = None;
        let (mut ctx, talk) = self.context(ledger, &mut sent);
        talk.give_up(how, &mut ctx);
    }
}
