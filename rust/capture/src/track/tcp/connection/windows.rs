//! Windows: closed, opened again, filled.

use super::{Connection, Ends};
use crate::tables::tcp_events::{Cause, Kind};
use crate::track::tcp::labels::Labels;
use crate::track::tcp::log::{Log, Place};
use crate::track::tcp::segment::{Segment, span};
use crate::track::tcp::silence::SHORTEST;

/// Windows that fill up again within this time are one run.
const ONE_RUN: i64 = 1_000_000_000;

impl Connection {
    #[inline]
    pub(super) fn on_window(&mut self, place: &Place, s: &Segment<'_>, labels: Labels, log: &mut Log) {
        let Ends { fwd, .. } = self.ends(place.from_client);
        if s.opens_or_ends() {
            return;
        }
        match (s.window, fwd.closed) {
            (0, None) => self.close_window(place, s, log),
            (0, Some(_)) | (_, None) => {}
            (_, Some(_)) => self.open_window(place, s, log),
        }
        if labels == Labels::default() {
            return;
        }
        let Ends { fwd, rev } = self.ends(place.from_client);
        if labels.has(Labels::WINDOW_UPDATE) {
            fwd.trouble().window_updates = fwd.trouble().window_updates.saturating_add(1);
            rev.full = None;
        }
        if labels.has(Labels::KEEP_ALIVE_ACK) {
            fwd.trouble().keep_alive_acks = fwd.trouble().keep_alive_acks.saturating_add(1);
        }
        if labels.has(Labels::WINDOW_FULL) {
            self.fill_window(place, s, log);
        }
    }

    #[cold]
    fn close_window(&mut self, place: &Place, s: &Segment<'_>, log: &mut Log) {
        let Ends { fwd, rev } = self.ends(place.from_client);
        fwd.trouble().zero_windows = fwd.trouble().zero_windows.saturating_add(1);
        let mut event = log.event(place, Kind::ZeroWindow);
        event.bytes = Some(rev.flight.bytes());
        event.proves = Some("the receiver does not take what arrived");
        let event = log.push(&mut self.events, event);
        self.ends(place.from_client).fwd.closed = Some((s.ts, event));
    }

    #[cold]
    fn open_window(&mut self, place: &Place, s: &Segment<'_>, log: &mut Log) {
        let Ends { fwd, .. } = self.ends(place.from_client);
        let Some((since, event)) = fwd.closed.take() else { return };
        let duration = s.since(since);
        fwd.trouble().was_closed(duration);
        self.free_since = Some(s.ts);
        let closed_frame = log.at(event).map(|event| event.frame);
        let mut event = log.event(place, Kind::ZeroWindowEnd);
        event.duration = duration.filter(|_| self.timed);
        event.proof_frame = closed_frame;
        log.push(&mut self.events, event);
        if let Some(duration) = duration.filter(|duration| *duration >= SHORTEST && self.timed) {
            self.stall(place, Cause::ZeroWindow, duration, 0, log);
        }
    }

    #[cold]
    fn fill_window(&mut self, place: &Place, s: &Segment<'_>, log: &mut Log) {
        let Ends { fwd, rev } = self.ends(place.from_client);
        let fills = &mut fwd.trouble().window_full;
        *fills = fills.saturating_add(1);
        let last = rev.full.filter(|(ts, _)| s.ts.saturating_sub(*ts) < ONE_RUN);
        let event = if let Some((_, event)) = last {
            if let Some(run) = log.at(event) {
                run.count = run.count.map(|count| count.saturating_add(1));
                run.duration = run.ts.and_then(|ts| s.since(ts));
            }
            event
        } else {
            let mut event = log.event(place, Kind::WindowFull);
            event.count = Some(1);
            event.bytes = Some(rev.flight.bytes());
            event.proves = Some("it ends where the window that the receiver announced ends");
            log.push(&mut self.events, event)
        };
        self.ends(place.from_client).rev.full = Some((s.ts, event));
    }

    /// The capture ended before the window opened.
    pub(super) fn close_open_window(&mut self, from_client: bool, log: &mut Log) {
        let last_ts = self.last_ts;
        let Ends { fwd, .. } = self.ends(from_client);
        let Some((since, event)) = fwd.closed.take() else { return };
        let duration = span(since, last_ts);
        fwd.trouble().was_closed(duration);
        if let Some(event) = log.at(event) {
            event.duration = duration.filter(|_| self.timed);
        }
        if let Some(duration) = duration.filter(|duration| *duration >= SHORTEST && self.timed) {
            self.stalls.add(duration);
        }
    }
}
