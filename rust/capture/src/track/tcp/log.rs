//! The rows of `tcp_events` while the pass goes on, within their limits.

use std::sync::Arc;

use super::labels::Labels;
use super::segment::Segment;
use crate::tables::tcp_events::{Kind, TcpEvent};

/// Events kept of one connection: who needs more of them needs the counts.
const MOST_EACH: u32 = 4096;
/// Events kept of all connections: some 80 MB.
const MOST_EVENTS: usize = 1 << 19;
/// Segments on their way that are remembered in all directions together: some 50 MB.
const MOST_OUTSTANDING: u64 = 1 << 20;

/// Number of an event.
pub type At = u32;

/// The events, and what all connections share.
#[derive(Debug)]
pub struct Log {
    pub events: Vec<TcpEvent>,
    /// Events beyond the limits.
    pub dropped: u64,
    /// Segments now remembered in all directions.
    pub outstanding: u64,
    source: Arc<str>,
}

impl Default for Log {
    fn default() -> Self {
        Self { events: Vec::new(), dropped: 0, outstanding: 0, source: Arc::from("") }
    }
}

/// Where an event happened.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    pub connection: u32,
    pub from_client: bool,
    pub frame: u64,
    pub ts: Option<i64>,
    pub wireshark: Option<&'static str>,
}

impl Place {
    pub fn of(connection: u32, from_client: bool, s: &Segment<'_>, timed: bool, labels: Labels) -> Self {
        Self { connection, from_client, frame: s.frame, ts: timed.then_some(s.ts), wireshark: labels.word() }
    }
}

impl Log {
    /// An event of a kind, with nothing else known of it.
    pub fn event(&self, place: &Place, kind: Kind) -> TcpEvent {
        TcpEvent {
            source: Arc::clone(&self.source),
            connection: place.connection,
            frame: place.frame,
            ts: place.ts,
            from_client: place.from_client,
            kind,
            cause: None,
            side: None,
            times: None,
            count: None,
            duration: None,
            bytes: None,
            proves: None,
            proof_frame: None,
            wireshark: place.wireshark,
        }
    }

    /// Keeps an event, of which `of_connection` are kept already.
    pub fn push(&mut self, of_connection: &mut u32, event: TcpEvent) -> Option<At> {
        if *of_connection >= MOST_EACH || self.events.len() >= MOST_EVENTS {
            self.dropped += 1;
            return None;
        }
        *of_connection += 1;
        self.events.push(event);
        Some((self.events.len() - 1) as At) // fewer than MOST_EVENTS
    }

    /// An event that is not over.
    pub fn at(&mut self, at: Option<At>) -> Option<&mut TcpEvent> {
        self.events.get_mut(at? as usize)
    }

    /// One more segment may be remembered.
    pub fn has_room(&self) -> bool {
        self.outstanding < MOST_OUTSTANDING
    }

    /// The rows.
    pub fn finish(mut self, source: &Arc<str>) -> Vec<TcpEvent> {
        for event in &mut self.events {
            event.source = Arc::clone(source);
        }
        self.events
    }
}
