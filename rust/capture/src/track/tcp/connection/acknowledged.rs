//! What an acknowledgement tells: round trips, duplicate ACKs, holes that the receiver has or lacks, resends in vain.

use super::{Connection, Ends, Meaning};
use crate::tables::tcp_events::Kind;
use crate::track::tcp::flight::Hole;
use crate::track::tcp::log::{Log, Place};
use crate::track::tcp::segment::Segment;
use crate::track::tcp::sender::Sender;
use crate::track::tcp::sequence::{before, later, not_after};

impl Connection {
    #[inline]
    pub(super) fn on_ack(
        &mut self,
        place: &Place,
        s: &Segment<'_>,
        window_before: Option<u16>,
        meaning: &mut Meaning,
        log: &mut Log,
    ) {
        let timed = self.timed;
        let Ends { fwd, rev } = self.ends(place.from_client);
        let acked = rev.flight.acked;
        let sack = s.options.has_blocks();
        let news = sack && note_blocks(rev, s);
        if acked.is_none_or(|acked| before(acked, s.ack)) {
            meaning.acked_new = true;
            self.advance(place, s, timed, log);
        } else if acked == Some(s.ack) && s.len == 0 && !s.opens_or_ends() {
            let duplicate = rev.flight.outstanding() && (window_before == Some(s.window) || news) && !s.options.mptcp;
            let probed = rev.closed_window_probe(fwd.closed.is_some());
            if duplicate && !probed && fwd.flight.next.is_none_or(|next| next == s.seq) {
                self.duplicate(place, s, log);
            }
        }
        if sack {
            self.on_dsack(place, s, log);
        }
    }

    /// It acknowledges more than any before.
    #[inline]
    fn advance(&mut self, place: &Place, s: &Segment<'_>, timed: bool, log: &mut Log) {
        let Ends { fwd: _, rev } = self.ends(place.from_client);
        let unseen = rev.flight.next.filter(|&next| before(next, s.ack));
        let mut gaps = Vec::new();
        let known = rev.flight.acked.is_some() || rev.flight.next.is_some();
        let covered = rev.flight.acknowledge(s.ack, &mut gaps);
        log.outstanding -= covered.count;
        rev.acked_frame = s.frame;
        rev.largest_acked = rev.largest_acked.max(covered.largest);
        if rev.asked.dup_acks > 0 {
            rev.asked.dup_acks = 0;
            rev.asked.run = None;
        }
        rev.asked.sacked_to = rev.asked.sacked_to.filter(|&to| before(s.ack, to));
        rev.recovery = rev.recovery.filter(|&(until, _)| before(s.ack, until));
        let ambiguous = rev.ambiguous.is_some_and(|until| not_after(s.ack, until));
        if !ambiguous {
            rev.ambiguous = None;
            if let Some(sent) = covered.latest.filter(|sent| sent.times == 1 && timed) {
                rev.round_trips.sample(s.ts.saturating_sub(sent.first_ts));
            }
        }
        if rev.black_hole && covered.largest > 0 {
            rev.black_hole = false;
        }
        if !rev.again.is_empty() {
            self.on_eifel(place, s, log);
        }
        for gap in &gaps {
            self.gap(place, s, gap, "it was skipped here and acknowledged: the capture missed it", log);
        }
        if let (Some(next), true) = (unseen, known) {
            let hole = Hole { start: next, end: s.ack, ts: s.ts, frame: s.frame, id: None, tsval: None, acked: false };
            self.gap(place, s, &hole, "acknowledged before it passed here", log);
            let Ends { rev, .. } = self.ends(place.from_client);
            rev.trouble().acked_unseen = rev.trouble().acked_unseen.saturating_add(1);
            rev.flight.acknowledged_unseen(Hole { acked: true, ..hole });
        }
    }

    #[cold]
    fn gap(&mut self, place: &Place, s: &Segment<'_>, gap: &Hole, proves: &'static str, log: &mut Log) {
        let bytes = gap.end.wrapping_sub(gap.start);
        let Ends { rev, .. } = self.ends(place.from_client);
        let trouble = rev.trouble();
        trouble.gaps = trouble.gaps.saturating_add(1);
        trouble.gap_bytes = trouble.gap_bytes.saturating_add(u64::from(bytes));
        let mut event = log.event(&Place { from_client: !place.from_client, frame: gap.frame, ..*place }, Kind::Gap);
        event.ts = self.timed.then_some(gap.ts);
        event.bytes = Some(bytes);
        event.proves = Some(proves);
        event.proof_frame = Some(s.frame);
        event.wireshark = None;
        log.push(&mut self.events, event);
    }

    /// RFC 5681: a duplicate ACK. One row for all of a run.
    #[cold]
    fn duplicate(&mut self, place: &Place, s: &Segment<'_>, log: &mut Log) {
        let Ends { rev, .. } = self.ends(place.from_client);
        rev.asked.dup_acks = rev.asked.dup_acks.saturating_add(1);
        rev.asked.ts = s.ts;
        rev.ambiguous = rev.flight.next;
        rev.trouble().dup_acks = rev.trouble().dup_acks.saturating_add(1);
        if rev.asked.dup_acks == 1 {
            rev.asked.since = s.ts;
            let mut event = log.event(place, Kind::DupAckRun);
            event.count = Some(1);
            event.bytes = Some(rev.flight.bytes());
            event.proof_frame = Some(rev.acked_frame);
            event.proves = Some("the receiver asks for the bytes after it, or got something twice");
            let run = log.push(&mut self.events, event);
            self.ends(place.from_client).rev.asked.run = run;
        } else if let Some(event) = log.at(rev.asked.run) {
            event.count = Some(rev.asked.dup_acks);
            event.duration = event.ts.and_then(|ts| s.since(ts));
        }
    }

    /// RFC 2883: the first block names bytes that arrived twice.
    #[cold]
    fn on_dsack(&mut self, place: &Place, s: &Segment<'_>, log: &mut Log) {
        let Some((start, _)) = s.options.blocks().next().filter(|_| is_dsack(s)) else { return };
        let Ends { rev, .. } = self.ends(place.from_client);
        rev.trouble().dsacks = rev.trouble().dsacks.saturating_add(1);
        let found = rev.again.iter().rposition(|again| not_after(again.start, start) && before(start, again.end));
        if let Some(at) = found {
            self.in_vain(place, s, at, "the receiver reports by DSACK that it got it twice", log);
        }
    }

    /// RFC 3522 (Eifel): the ACK of what was sent again echoes a clock older than the resend.
    #[cold]
    fn on_eifel(&mut self, place: &Place, s: &Segment<'_>, log: &mut Log) {
        let Ends { rev, .. } = self.ends(place.from_client);
        let echo = s.options.timestamps.map(|(_, echo)| echo);
        let at = rev.again.iter().position(|again| {
            before(again.start, s.ack)
                && again.kind != Kind::RetransmissionSpurious
                && echo.zip(again.tsval).is_some_and(|(echo, value)| echo != 0 && before(echo, value))
        });
        if let Some(at) = at {
            self.in_vain(place, s, at, "its ACK echoes a timestamp from before it was sent again", log);
        }
        let Ends { rev, .. } = self.ends(place.from_client);
        for again in &mut rev.again {
            if before(again.start, s.ack) {
                again.tsval = None; // only the first ACK of it tells
            }
        }
    }

    /// A resend was not needed.
    fn in_vain(&mut self, place: &Place, s: &Segment<'_>, at: usize, proves: &'static str, log: &mut Log) {
        let Ends { rev, .. } = self.ends(place.from_client);
        let again = &mut rev.again[at];
        let (kind, lost_before, event) = (again.kind, again.lost_before, again.event);
        if kind == Kind::RetransmissionSpurious || kind == Kind::SynRetry {
            return;
        }
        again.kind = Kind::RetransmissionSpurious;
        let trouble = rev.trouble();
        if let Some(count) = trouble.of(kind) {
            *count = count.saturating_sub(1);
        }
        trouble.spurious = trouble.spurious.saturating_add(1);
        let lost = if lost_before { &mut trouble.lost_before } else { &mut trouble.lost_after };
        *lost = lost.saturating_sub(1);
        if let Some(event) = log.at(event) {
            event.kind = Kind::RetransmissionSpurious;
            event.side = None;
            event.proves = Some(proves);
            event.proof_frame = Some(s.frame);
        }
    }
}

impl Sender {
    /// What it sends into a closed window is answered by ACKs that repeat themselves.
    fn closed_window_probe(&self, closed: bool) -> bool {
        closed && self.flight.bytes() <= 1
    }
}

/// Notes what was received beyond holes. True when a block reaches further than any before.
fn note_blocks(rev: &mut Sender, s: &Segment<'_>) -> bool {
    let skip = usize::from(is_dsack(s));
    let mut news = false;
    for (start, end) in s.options.blocks().skip(skip) {
        // A block beyond all that was sent is a lie, or of bytes that this tap did not see.
        if before(start, end) && before(s.ack, end) && rev.flight.next.is_some_and(|next| not_after(end, next)) {
            let to = rev.asked.sacked_to.map_or(end, |to| later(to, end));
            news |= rev.asked.sacked_to != Some(to);
            rev.asked.sacked_to = Some(to);
        }
    }
    if news {
        if rev.asked.dup_acks == 0 {
            rev.asked.since = s.ts;
        }
        rev.asked.ts = s.ts;
        rev.ambiguous = rev.flight.next;
    }
    news
}

/// RFC 2883, 4: it is one when it lies below the acknowledgement, or inside the second block.
fn is_dsack(s: &Segment<'_>) -> bool {
    let mut blocks = s.options.blocks();
    let Some((start, end)) = blocks.next() else { return false };
    let inside = |(from, to): (u32, u32)| not_after(from, start) && not_after(end, to);
    not_after(end, s.ack) || blocks.next().is_some_and(inside)
}
