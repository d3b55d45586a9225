//! One connection: both ends, and what the segments between them mean.

mod acknowledged;
mod data;
mod windows;

use super::labels::{self, Counts, Labels};
use super::log::{Log, Place};
use super::resends::{self, Path};
use super::segment::Segment;
use super::sender::Sender;
use super::silence::{self, After, Before, Stalls};
use crate::tables::tcp_events::{Cause, Kind};
use crate::track::conversations::{ACK, FIN, RST, SYN};

/// An ACK that looked delayed: who waited for it says by its next segment whether it did.
#[derive(Debug, Clone, Copy)]
struct Delayed {
    ts: i64,
    duration: i64,
    place: Place,
    bytes: u32,
}

/// How it began, as far as it was seen.
#[derive(Debug, Default, Clone, Copy)]
pub struct Handshake {
    pub syn: Option<i64>,
    pub syn_ack: Option<i64>,
    pub to_server: Option<i64>,
    pub to_client: Option<i64>,
    pub done: bool,
    /// What Wireshark takes for the first round trip: last SYN to the first plain ACK.
    first_round_trip: Option<i64>,
}

/// A connection.
#[derive(Debug)]
pub struct Connection {
    pub index: u32,
    pub client: Sender,
    pub server: Sender,
    pub handshake: Handshake,
    pub first_frame: u64,
    pub last_frame: u64,
    pub first_ts: i64,
    pub last_ts: i64,
    /// Since when an application could have sent: the last data, or the opening of a window.
    free_since: Option<i64>,
    /// Each of its segments has a time.
    pub timed: bool,
    pub stalls: Stalls,
    pub idle: Stalls,
    pub labels: Counts,
    pub events: u32,
    delayed: Option<Box<Delayed>>,
    pub ended_by: Option<(Ended, bool)>,
}

/// How a connection ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    Fin,
    Reset,
}

/// What a segment turned out to be, for the silence before it.
#[derive(Debug, Default, Clone, Copy)]
struct Meaning {
    resent: Option<Kind>,
    new_data: bool,
    acked_new: bool,
}

/// The two ends, as seen by a segment: its sender and the other.
struct Ends<'c> {
    fwd: &'c mut Sender,
    rev: &'c mut Sender,
}

impl Connection {
    pub fn new(index: u32, s: &Segment<'_>) -> Self {
        Self {
            index,
            client: Sender::default(),
            server: Sender::default(),
            handshake: Handshake::default(),
            first_frame: s.frame,
            last_frame: s.frame,
            first_ts: s.ts,
            last_ts: s.ts,
            free_since: None,
            timed: true,
            stalls: Stalls::default(),
            idle: Stalls::default(),
            labels: Counts::default(),
            events: 0,
            delayed: None,
            ended_by: None,
        }
    }

    /// The shortest round trips known, as the sender of a segment sees them.
    fn path(&self, from_client: bool) -> Path {
        let halves = (self.client.round_trips.min(), self.server.round_trips.min());
        let measured = halves.0.zip(halves.1).map(|(to_server, to_client)| to_server.saturating_add(to_client));
        Path {
            whole: measured,
            part: halves.0.into_iter().chain(halves.1).max(),
            sender: if from_client { halves.1 } else { halves.0 },
        }
    }

    fn ends(&mut self, from_client: bool) -> Ends<'_> {
        if from_client {
            Ends { fwd: &mut self.client, rev: &mut self.server }
        } else {
            Ends { fwd: &mut self.server, rev: &mut self.client }
        }
    }

    /// A segment passed the tap.
    #[inline(never)]
    pub fn on_segment(&mut self, from_client: bool, s: &Segment<'_>, log: &mut Log) {
        let quiet = s.ts.saturating_sub(self.last_ts);
        let before = (quiet >= silence::SHORTEST && self.timed).then(|| self.before(from_client, s, quiet));
        let first_round_trip = self.handshake.first_round_trip;
        let Ends { fwd, rev } = self.ends(from_client);
        fwd.count(s);
        let forgotten = fwd.start(s);
        let window_before = fwd.said.window;
        log.outstanding -= forgotten;
        let labels = labels::label(&mut fwd.said, &mut rev.said, s, first_round_trip);
        if labels != Labels::default() {
            self.count_labels(labels);
        }
        let place = Place::of(self.index, from_client, s, self.timed, labels);
        let Ends { fwd, .. } = self.ends(from_client);
        if resends::is_copy(fwd, s, s.end()) {
            let trouble = fwd.trouble();
            trouble.copies = trouble.copies.saturating_add(1);
            trouble.copy_frame = trouble.copy_frame.or(Some(s.frame));
            self.seen(s);
            return;
        }
        self.on_opening(from_client, s);
        if self.delayed.is_some() {
            self.confirm_delayed(from_client, s, log);
        }
        let mut meaning = Meaning::default();
        if s.has(ACK) {
            self.on_ack(&place, s, window_before, &mut meaning, log);
        }
        if s.takes_space() || labels.has(Labels::KEEP_ALIVE) {
            self.on_data(&place, s, &mut meaning, log);
        } else {
            self.ends(from_client).fwd.ids.note(s.id, false);
        }
        self.on_window(&place, s, labels, log);
        if let Some((value, echo)) = s.options.timestamps {
            let Ends { fwd, rev } = self.ends(from_client);
            fwd.echo.sent(value, s.ts);
            if s.has(ACK) {
                rev.echo.echoed(echo, s.ts);
            }
        }
        if let Some(before) = before {
            self.on_silence(&before, meaning, &place, s, log);
        }
        if s.has(FIN | RST) {
            self.on_end(&place, s, log);
        }
        self.seen(s);
    }

    fn seen(&mut self, s: &Segment<'_>) {
        self.last_frame = s.frame;
        self.last_ts = self.last_ts.max(s.ts);
        if s.len > 0 {
            self.free_since = Some(s.ts);
        }
    }

    fn count_labels(&mut self, labels: Labels) {
        for (bit, count) in self.labels.iter_mut().enumerate() {
            *count = count.saturating_add(u32::from(labels.0 >> bit & 1));
        }
    }

    fn before(&mut self, from_client: bool, s: &Segment<'_>, silence: i64) -> Before {
        let path = self.path(from_client);
        let since_data = self.free_since.map(|ts| s.ts.saturating_sub(ts));
        let Ends { fwd, rev } = self.ends(from_client);
        Before {
            silence,
            since_data,
            fwd_outstanding: fwd.flight.outstanding(),
            rev_outstanding: rev.flight.outstanding(),
            closed: fwd.closed.is_some() || rev.closed.is_some(),
            rev_full: fwd.said.edge().is_some_and(|edge| rev.flight.next == Some(edge)),
            rev_small: rev.last_len > 0 && rev.last_len < rev.offer.mss.map_or(rev.largest, u32::from),
            round_trip: path.whole.or(path.part),
        }
    }

    /// SYN, SYN/ACK and the ACK of it.
    fn on_opening(&mut self, from_client: bool, s: &Segment<'_>) {
        if self.handshake.done {
            return;
        }
        let (client_syns, server_syns) = (self.client.offer.syn_times, self.server.offer.syn_times);
        let handshake = &mut self.handshake;
        match (s.has(SYN), s.has(ACK)) {
            (true, false) => handshake.syn = Some(s.ts),
            (true, true) if !from_client => {
                if handshake.syn_ack.is_none() && client_syns == 1 {
                    handshake.to_server = handshake.syn.map(|syn| s.ts.saturating_sub(syn)).filter(|&trip| trip >= 0);
                }
                handshake.syn_ack = Some(s.ts);
            }
            (false, true) => {
                // RFC 9293, 3.5: the third segment. When the SYN/ACK was sent twice nobody knows which it answers.
                let third = from_client && handshake.syn_ack.is_some();
                if third && server_syns == 1 {
                    handshake.to_client =
                        handshake.syn_ack.map(|ack| s.ts.saturating_sub(ack)).filter(|&trip| trip >= 0);
                }
                handshake.first_round_trip = handshake.syn.map(|syn| s.ts.saturating_sub(syn)).filter(|&trip| trip > 0);
                handshake.done = true;
            }
            _ => {}
        }
    }

    fn on_silence(&mut self, before: &Before, meaning: Meaning, place: &Place, s: &Segment<'_>, log: &mut Log) {
        let black_hole = self.ends(place.from_client).fwd.black_hole;
        let after = After {
            resent: meaning.resent,
            black_hole,
            new_data: meaning.new_data && s.len > 0,
            acked_new: meaning.acked_new,
        };
        let Some((cause, duration, unsure)) = silence::cause(before, after) else { return };
        if unsure {
            let bytes = self.ends(place.from_client).rev.last_len;
            self.delayed = Some(Box::new(Delayed { ts: s.ts, duration, place: *place, bytes }));
            return;
        }
        self.stall(place, cause, duration, s.len, log);
    }

    fn stall(&mut self, place: &Place, cause: Cause, duration: i64, bytes: u32, log: &mut Log) {
        if cause == Cause::Application { &mut self.idle } else { &mut self.stalls }.add(duration);
        let mut event = log.event(place, Kind::Stall);
        event.cause = Some(cause);
        event.duration = Some(duration);
        event.bytes = (bytes > 0).then_some(bytes);
        event.proves = Some(match cause {
            Cause::ZeroWindow => "the receiver announced a window of 0 and opened it only now",
            Cause::WindowFull => "all that the receiver's window allows was on its way",
            Cause::Application => "all was acknowledged and the window open: there was nothing to send",
            Cause::Loss => "the silence ended with a resend",
            Cause::DelayedAck => "a small segment waited for its ACK, and the next followed the ACK at once",
            Cause::Pmtu => {
                "larger than anything acknowledged so far, sent again and again while the other end answered"
            }
            Cause::Unknown => "something was on its way, and nothing at this tap tells what held it up",
        });
        log.push(&mut self.events, event);
    }

    /// The sender that waited goes on at once: the ACK was what it waited for.
    fn confirm_delayed(&mut self, from_client: bool, s: &Segment<'_>, log: &mut Log) {
        let Some(delayed) = self.delayed.take() else { return };
        let soon = self.path(from_client).sender.map_or(0, |trip| trip.saturating_mul(2)).max(2_000_000);
        if delayed.place.from_client != from_client && s.len > 0 && s.ts.saturating_sub(delayed.ts) <= soon {
            self.stall(&delayed.place, Cause::DelayedAck, delayed.duration, delayed.bytes, log);
        }
    }

    fn on_end(&mut self, place: &Place, s: &Segment<'_>, log: &mut Log) {
        let Ends { fwd, rev } = self.ends(place.from_client);
        if s.has(RST) {
            let trouble = fwd.trouble();
            trouble.resets = trouble.resets.saturating_add(1);
            if fwd.reset_frame.is_none() {
                fwd.reset_frame = Some(s.frame);
                let refused = rev.offer.syn_times > 0 && rev.bytes == 0 && fwd.packets == 1;
                let mut event = log.event(place, Kind::Reset);
                event.proves = refused.then_some("it answers a SYN: nothing listens there, or something forbids it");
                event.bytes = Some(rev.flight.bytes());
                log.push(&mut self.events, event);
            }
            self.ended_by = self.ended_by.or(Some((Ended::Reset, place.from_client)));
            log.outstanding -= self.client.flight.close() + self.server.flight.close();
            return;
        }
        let first = !fwd.fin && !rev.fin;
        fwd.fin = true;
        if first {
            self.ended_by = Some((Ended::Fin, place.from_client));
        }
    }

    /// More was under way than is remembered.
    pub fn overflowed(&self) -> bool {
        self.client.flight.overflowed || self.server.flight.overflowed
    }

    /// The capture is over: what is open is open to its end.
    pub fn finish(&mut self, log: &mut Log) {
        log.outstanding -= self.client.flight.close() + self.server.flight.close();
        for from_client in [true, false] {
            self.close_open_window(from_client, log);
        }
    }
}
