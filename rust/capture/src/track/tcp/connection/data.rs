//! What a segment that takes sequence numbers is: new bytes, a resend, a late one, a probe.

use super::{Connection, Ends, Meaning};
use crate::tables::loss_episodes::Side;
use crate::tables::tcp_events::Kind;
use crate::track::conversations::{RST, SYN};
use crate::track::tcp::log::{Log, Place};
use crate::track::tcp::resends::{self, Verdict};
use crate::track::tcp::segment::Segment;
use crate::track::tcp::sender::{Again, Sender};
use crate::track::tcp::sequence::{before, not_after};

/// From this resend on a segment larger than any that arrived counts as one that is too large for the path.
const BLACK_HOLE_TIMES: u32 = 3;

impl Connection {
    /// A segment with sequence numbers, or an empty one just below the next: a keep-alive.
    #[inline]
    pub(super) fn on_data(&mut self, place: &Place, s: &Segment<'_>, meaning: &mut Meaning, log: &mut Log) {
        let Ends { fwd, rev } = self.ends(place.from_client);
        let end = s.end();
        let Some(next) = fwd.flight.next.or(fwd.said.next.filter(|_| !s.takes_space())) else {
            return self.new_bytes(place, s, s.seq, end, meaning, log);
        };
        if !before(s.seq, next) {
            if s.len == 1 && s.seq == next && rev.closed.is_some() {
                let probes = &mut fwd.trouble().zero_window_probes;
                *probes = probes.saturating_add(1);
                return;
            }
            if s.takes_space() && !s.has(RST) {
                self.new_bytes(place, s, s.seq, end, meaning, log);
            }
            return;
        }
        let last_byte = next.wrapping_sub(1) == s.seq;
        if s.len <= 1 && last_byte && !s.opens_or_ends() && !sent_alone(fwd, s) {
            return self.keep_alive(place, s, log);
        }
        if !s.takes_space() || s.has(RST) {
            return;
        }
        let overlap = if before(next, end) { next } else { end };
        // The byte of a probe into a closed window, sent again before the bytes that now may follow.
        if !(last_byte && s.len > 1) {
            self.old_bytes(place, s, overlap, meaning, log);
        }
        if before(next, end) {
            self.new_bytes(place, s, next, end, meaning, log);
        }
    }

    #[inline]
    fn new_bytes(
        &mut self,
        place: &Place,
        s: &Segment<'_>,
        start: u32,
        end: u32,
        meaning: &mut Meaning,
        log: &mut Log,
    ) {
        let room = log.has_room();
        let Ends { fwd, rev } = self.ends(place.from_client);
        if fwd.flight.next.is_some_and(|next| before(next, start)) {
            let trouble = fwd.trouble();
            trouble.skipped = trouble.skipped.saturating_add(1);
            fwd.ambiguous = Some(end); // its ACK will wait for the hole
        }
        // Where the other end never speaks, nothing will ever be acknowledged.
        let remember = room && (rev.packets > 0 || s.has(SYN));
        let more = fwd.flight.advance(s, start, end, remember);
        fwd.last_len = s.len;
        fwd.ids.note(s.id, true);
        meaning.new_data = true;
        log.outstanding += u64::from(more);
    }

    #[cold]
    fn keep_alive(&mut self, place: &Place, s: &Segment<'_>, log: &mut Log) {
        let Ends { fwd, rev } = self.ends(place.from_client);
        // Linux probes a closed window with an empty segment below the next byte.
        if rev.closed.is_some() {
            fwd.trouble().zero_window_probes = fwd.trouble().zero_window_probes.saturating_add(1);
            return;
        }
        fwd.trouble().keep_alives = fwd.trouble().keep_alives.saturating_add(1);
        let mut event = log.event(place, Kind::KeepAlive);
        event.bytes = (s.len > 0).then_some(s.len);
        log.push(&mut self.events, event);
    }

    #[cold]
    fn old_bytes(&mut self, place: &Place, s: &Segment<'_>, end: u32, meaning: &mut Meaning, log: &mut Log) {
        let path = self.path(place.from_client);
        let Ends { fwd, rev } = self.ends(place.from_client);
        let other_spoke = rev.said.ts;
        let first_ts = fwd.flight.sent(s.seq).map(|sent| sent.first_ts);
        let verdict = resends::judge(fwd, s, end, path);
        meaning.resent = Some(verdict.kind);
        count(fwd, &verdict, end.wrapping_sub(s.seq));
        if verdict.kind != Kind::OutOfOrder {
            fwd.ambiguous = fwd.flight.next;
            let whole = verdict.times >= BLACK_HOLE_TIMES && verdict.side == Some(Side::Destination) && s.len > 0;
            // Something smaller came through meanwhile: the other end lives, and the way to it is open.
            let answers = first_ts.is_some_and(|first| other_spoke > first);
            fwd.black_hole |= whole && answers && fwd.largest_acked > 0 && s.len > fwd.largest_acked;
        }
        let begins = match verdict.kind {
            Kind::RetransmissionFast => fwd.recovery.is_none(),
            Kind::RetransmissionRto => fwd.recovery.is_none_or(|(_, kind)| kind != Kind::RetransmissionRto),
            _ => false,
        };
        if begins {
            fwd.recovery = fwd.flight.next.map(|next| (next, verdict.kind));
        }
        let mut event = log.event(place, verdict.kind);
        event.side = verdict.side;
        event.times = Some(verdict.times);
        event.duration = verdict.since.filter(|since| self.timed && *since >= 0); // a clock may step back
        event.bytes = Some(end.wrapping_sub(s.seq));
        event.proves = Some(verdict.proves);
        event.proof_frame = verdict.proof_frame;
        let event = log.push(&mut self.events, event);
        if verdict.kind != Kind::OutOfOrder {
            self.ends(place.from_client).fwd.remember(Again {
                start: s.seq,
                end,
                ts: s.ts,
                tsval: s.options.timestamps.map(|(value, _)| value),
                kind: verdict.kind,
                lost_before: verdict.side == Some(Side::Source),
                times: verdict.times,
                event,
            });
        }
    }
}

/// A segment of this one byte passed and is not acknowledged: then it is sent again, not kept alive.
fn sent_alone(fwd: &mut Sender, s: &Segment<'_>) -> bool {
    let open = fwd.flight.acked.is_none_or(|acked| not_after(acked, s.seq));
    s.len == 1 && open && fwd.flight.sent(s.seq).is_some_and(|sent| sent.start == s.seq)
}

fn count(fwd: &mut Sender, verdict: &Verdict, bytes: u32) {
    let trouble = fwd.trouble();
    if let Some(count) = trouble.of(verdict.kind) {
        *count = count.saturating_add(1);
    }
    match verdict.side {
        Some(Side::Source) => trouble.lost_before = trouble.lost_before.saturating_add(1),
        Some(Side::Destination) => trouble.lost_after = trouble.lost_after.saturating_add(1),
        None => {}
    }
    // What was lost before the tap passes for the first time.
    if verdict.times > 1 {
        trouble.resent_bytes = trouble.resent_bytes.saturating_add(u64::from(bytes));
        trouble.repeated = trouble.repeated.saturating_add(u32::from(verdict.times > 2));
    }
}
