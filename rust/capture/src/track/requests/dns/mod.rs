//! DNS: queries paired with their answers, and remembered for the connection that follows.

mod message;

use std::collections::HashMap;

use self::message::Message;
use super::exchange::Opening;
use super::head::printable;
use super::ledger::{Ends, Id, Ledger};
use super::mark::Mark;
use crate::address::Address;

/// Port of DNS. Multicast DNS (5353) has no one who answers, and is left out.
pub const PORT: u16 = 53;

/// Questions without an answer that are kept.
const MOST_OPEN: usize = 1 << 14;

/// Answers that are remembered for a later connection.
const MOST_KNOWN: usize = 1 << 16;

/// A question is asked anew within this time; resolvers wait 5 s and try a few times (resolv.conf(5)).
const STILL_ASKING: i64 = 60_000_000_000;

/// A copy of a packet, made by a mirror, follows at once; who asks again waits longer.
const COPY: i64 = 1_000_000;

/// A connection that follows an answer this soon was waiting for it. Two families raced (RFC 8305) are 250 ms apart, an
/// AAAA that never comes delays the A by a resolver's 5 s, but then its own answer is the late one.
const SOON: i64 = 1_000_000_000;

/// Who asks what.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Question {
    client: Address,
    name: Vec<u8>,
    kind: u16,
    class: u16,
}

#[derive(Debug, Clone, Copy)]
struct Asked {
    id: Id,
    /// Of the message, as asked last.
    number: u16,
    first: Mark,
    last: Mark,
    retries: u32,
}

/// An answer, for whoever connects to an address in it.
#[derive(Debug, Clone, Copy)]
struct Known {
    at: Mark,
    took: Option<i64>,
    retries: u32,
}

/// All of a capture.
#[derive(Debug, Default)]
pub struct Dns {
    open: HashMap<Question, Asked>,
    known: HashMap<(Address, Address), Known>,
    /// Questions that found no room, and answers.
    refused: [usize; 2],
}

impl Dns {
    /// A message passed the tap, from the client of `ends` to their server, or so it seems. `wire_len` is its length there.
    pub fn on_message(&mut self, bytes: &[u8], wire_len: u32, ends: Ends, at: Mark, ledger: &mut Ledger) {
        let Some(message) = Message::read(bytes) else { return };
        let Ends { client: src, server: dst, connection } = ends;
        let (client, server) = if message.is_answer { (dst, src) } else { (src, dst) };
        let ends = Ends { client, server, connection };
        let question =
            Question { client: client.0, name: message.name.clone(), kind: message.kind, class: message.class };
        if message.is_answer {
            self.answer(&message, &question, &ends, wire_len, at, ledger);
        } else {
            self.ask(&message, question, &ends, wire_len, at, ledger);
        }
    }

    fn ask(
        &mut self,
        message: &Message,
        question: Question,
        ends: &Ends,
        wire_len: u32,
        at: Mark,
        ledger: &mut Ledger,
    ) {
        if let Some(asked) = self.open.get_mut(&question)
            && at.since(asked.last).is_none_or(|since| since <= STILL_ASKING)
        {
            if message.id == asked.number && at.since(asked.last).is_some_and(|since| since < COPY) {
                return;
            }
            asked.retries = asked.retries.saturating_add(1);
            asked.last = at;
            asked.number = message.id;
            if let Some(request) = ledger.get(asked.id) {
                request.dns_retries = Some(asked.retries);
                request.request_bytes = request.request_bytes.saturating_add(wire_len.into());
            }
            return;
        }
        if self.open.len() >= MOST_OPEN {
            // Those that nobody asks any more make room. Looked for now and then only, so that it stays linear.
            let [refused, _] = &mut self.refused;
            *refused += 1;
            if *refused % (MOST_OPEN / 2) == 1 {
                self.open.retain(|_, asked| at.since(asked.last).is_some_and(|since| since <= STILL_ASKING));
            }
            if self.open.len() >= MOST_OPEN {
                ledger.unmatched += 1;
                return;
            }
        }
        let id = open(message, ends, ledger);
        if let Some(request) = ledger.get(id) {
            request.begin = Some(at);
            request.sent = Some(at);
            request.dns_retries = Some(0);
            request.request_bytes = wire_len.into();
        }
        self.open.insert(question, Asked { id, number: message.id, first: at, last: at, retries: 0 });
    }

    fn answer(
        &mut self,
        message: &Message,
        question: &Question,
        ends: &Ends,
        wire_len: u32,
        at: Mark,
        ledger: &mut Ledger,
    ) {
        // Of a question that was asked again under another number, an answer to the earlier one is as good.
        let Some(asked) = self.open.remove(question) else { return };
        let took = at.since(asked.first);
        if let Some(request) = ledger.get(asked.id) {
            request.status = Some(message.code.into());
            request.response = Some(at);
            request.last = Some(at);
            request.dns = took;
            request.response_bytes = wire_len.into();
            request.ended = "complete";
        }
        let [_, refused] = &mut self.refused;
        *refused += usize::from(self.known.len() + message.addresses.len() > MOST_KNOWN);
        if *refused % (MOST_KNOWN / 2) == 1 {
            *refused += 1;
            self.known.retain(|_, known| at.since(known.at).is_some_and(|since| since <= SOON));
        }
        for address in &message.addresses {
            if self.known.len() < MOST_KNOWN {
                self.known.insert((ends.client.0, *address), Known { at, took, retries: asked.retries });
            }
        }
    }

    /// The lookup that a connection from `client` to `server` was waiting for.
    pub fn before(&self, client: Address, server: Address, at: Mark) -> Option<Opening> {
        let known = self.known.get(&(client, server))?;
        let soon = at.since(known.at).is_some_and(|since| since <= SOON);
        soon.then_some(Opening { dns: known.took, dns_retries: Some(known.retries), ..Opening::default() })
    }
}

fn open(message: &Message, ends: &Ends, ledger: &mut Ledger) -> Id {
    let id = ledger.open("dns", ends);
    if let Some(request) = ledger.get(id) {
        request.method = Some(message.kind_name().into());
        request.host = Some(printable(&message.name));
    }
    id
}

/// DNS over TCP (RFC 7766): a length of two bytes before each message.
#[derive(Debug, Default)]
pub struct Framed {
    waiting: [Vec<u8>; 2],
    lost: [bool; 2],
}

impl Framed {
    /// Bytes in order; each whole message goes to `message`.
    pub fn bytes(&mut self, from_client: bool, bytes: &[u8], mut message: impl FnMut(&[u8])) {
        let place = usize::from(!from_client);
        let (Some(waiting), Some(false)) = (self.waiting.get_mut(place), self.lost.get(place)) else { return };
        waiting.extend_from_slice(bytes);
        let mut at = 0;
        while let Some([a, b]) = waiting.get(at..).and_then(|rest| rest.first_chunk::<2>())
            && let Some(whole) = waiting.get(at + 2..at + 2 + usize::from(u16::from_be_bytes([*a, *b])))
        {
            message(whole);
            at += 2 + whole.len();
        }
        waiting.drain(..at);
    }

    /// Bytes that were not captured: where the next message begins is not known any more.
    pub fn missing(&mut self, from_client: bool) {
        if let Some(lost) = self.lost.get_mut(usize::from(!from_client)) {
            *lost = true;
        }
    }
}

#[cfg(test)]
pub use message::tests::message as message_for_tests;
