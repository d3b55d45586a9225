//! What is known of IP fragments, handed from chunk to chunk in file order: which packet a later fragment belongs to, only
//! the packets before it tell.
//!
//! A chunk without fragments, as nearly all are, never waits. The first fragment of a chunk waits until the chunks before
//! it are read, and then goes on as if one thread had read them all.

use std::collections::BTreeSet;
use std::sync::{Condvar, Mutex, PoisonError};

use super::locked;
use crate::container::Record;
use crate::fragments::Fragments;
use crate::packet::Packet;

/// The place where it is handed over.
#[derive(Default)]
pub(super) struct Relay {
    handed: Mutex<Handed>,
    changed: Condvar,
}

#[derive(Default)]
struct Handed {
    fragments: Fragments,
    /// The chunk whose turn it is.
    chunk: u64,
    /// Later chunks that were read without it. They are fewer than the chunks under way.
    without: BTreeSet<u64>,
    stopped: bool,
}

impl Handed {
    /// The turn is past this chunk, and past those behind it that did without.
    fn pass_on(&mut self, chunk: u64) {
        self.without.insert(chunk);
        while self.without.remove(&self.chunk) {
            self.chunk += 1;
        }
    }
}

impl Relay {
    /// The reader of a chunk.
    pub(super) fn turn(&self, chunk: u64) -> Turn<'_> {
        Turn { relay: self, chunk, held: None, given_up: false }
    }

    /// Nobody is to wait any longer.
    pub(super) fn stop(&self) {
        locked(&self.handed).stopped = true;
        self.changed.notify_all();
    }
}

/// One chunk's part of it.
pub(super) struct Turn<'r> {
    relay: &'r Relay,
    chunk: u64,
    held: Option<Fragments>,
    given_up: bool,
}

impl Turn<'_> {
    /// Completes a packet that is a fragment.
    #[inline]
    pub(super) fn complete(&mut self, record: &Record<'_>, packet: &mut Packet<'_>) {
        if packet.fragment.is_some() {
            self.complete_fragment(record, packet);
        }
    }

    #[cold]
    fn complete_fragment(&mut self, record: &Record<'_>, packet: &mut Packet<'_>) {
        let Self { relay, chunk, held, given_up } = self;
        let fragments = held.get_or_insert_with(|| {
            let mut handed = locked(&relay.handed);
            while handed.chunk != *chunk && !handed.stopped {
                handed = relay.changed.wait(handed).unwrap_or_else(PoisonError::into_inner);
            }
            *given_up = handed.chunk != *chunk;
            std::mem::take(&mut handed.fragments)
        });
        fragments.complete(record.frame, record.ts, packet);
    }

    /// Ends the turn. False when the scan was stopped while it waited: the rows of this chunk are then worth nothing.
    pub(super) fn end(self) -> bool {
        if self.given_up {
            return false;
        }
        let mut handed = locked(&self.relay.handed);
        if let Some(fragments) = self.held {
            handed.fragments = fragments;
        }
        handed.pass_on(self.chunk);
        drop(handed);
        self.relay.changed.notify_all();
        true
    }
}
