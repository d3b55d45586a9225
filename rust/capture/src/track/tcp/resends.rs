//! A segment with old bytes: was it late, or sent again, why, and where was the first sending lost?
//!
//! A segment that passed before and comes again was lost beyond the tap (or its ACK was, before it came to the tap). One that
//! had been skipped and comes now was lost before the tap, or overtaken. What tells a resend from an overtaken segment, the
//! surest first: the timestamp option (RFC 7323: a resend carries the clock of its own sending), an IP identification that
//! counts, and time: a resend needs a round trip. RFC 8985 waits a quarter of one.

use super::flight::Hole;
use super::segment::Segment;
use super::sender::Sender;
use super::sequence::{before, not_after};
use crate::tables::loss_episodes::Side;
use crate::tables::tcp_events::Kind;
use crate::track::conversations::SYN;

/// The shortest retransmission timer of Linux (`TCP_RTO_MIN`, 200 ms), less what clocks and ticks take off. RFC 6298 asks
/// for a second; what comes sooner was not the timer of a usual stack.
pub const TIMER: i64 = 190_000_000;
/// How soon a segment that was overtaken follows while no round trip is known.
const REORDERED_WITHIN: i64 = 3_000_000;
/// How soon after the last duplicate ACK a sender answers it at the least.
const ANSWER: i64 = 20_000_000;
/// A mirror port that copies packets twice does so within this time.
const COPIED_WITHIN: i64 = 10_000_000;

/// What is known of the shortest round trip.
#[derive(Debug, Clone, Copy, Default)]
pub struct Path {
    /// From end to end and back.
    pub whole: Option<i64>,
    /// From the tap to one of the ends and back.
    pub part: Option<i64>,
    /// From the tap to the sender and back.
    pub sender: Option<i64>,
}

impl Path {
    /// A segment that comes later than this after those that overtook it was sent again.
    fn reordered_within(self) -> i64 {
        self.whole.or(self.part.map(|part| part / 4)).unwrap_or(REORDERED_WITHIN)
    }
}

/// What a segment with old bytes is.
#[derive(Debug, Clone, Copy)]
pub struct Verdict {
    pub kind: Kind,
    pub side: Option<Side>,
    pub proves: &'static str,
    pub proof_frame: Option<u64>,
    pub times: u32,
    pub since: Option<i64>,
}

/// The packet is one that had passed before, not a new one with the same bytes.
pub fn is_copy(fwd: &mut Sender, s: &Segment<'_>, end: u32) -> bool {
    if s.id.is_none() || !fwd.ids.count_up() {
        return false;
    }
    if !s.takes_space() {
        return fwd.ids.last() == s.id && fwd.said.ack == Some(s.ack) && fwd.said.window == Some(s.window);
    }
    fwd.flight.sent(s.seq).is_some_and(|sent| {
        sent.id == s.id && sent.start == s.seq && sent.end == end && s.ts.saturating_sub(sent.last_ts) < COPIED_WITHIN
    })
}

/// Judges a segment whose bytes from `s.seq` to `end` are old.
pub fn judge(fwd: &mut Sender, s: &Segment<'_>, end: u32, path: Path) -> Verdict {
    if s.has(SYN) {
        return opening(fwd, s, end);
    }
    let acked = fwd.flight.acked.is_some_and(|acked| not_after(end, acked));
    let hole = if fwd.flight.has_holes() { fwd.flight.fill(s.seq, end) } else { None };
    match hole {
        Some(hole) if hole.acked => acked_before(s, &hole, path),
        Some(hole) if !acked => skipped(fwd, s, end, &hole, path),
        _ if acked => Verdict {
            kind: Kind::RetransmissionSpurious,
            side: None,
            proves: "its acknowledgement had passed this tap",
            proof_frame: Some(fwd.acked_frame),
            times: passed(fwd, s).map_or(2, |(times, ..)| times + 1),
            since: passed(fwd, s).map(|(_, ts, _)| s.ts.saturating_sub(ts)),
        },
        _ => seen(fwd, s, end, path),
    }
}

fn opening(fwd: &mut Sender, s: &Segment<'_>, end: u32) -> Verdict {
    let answered = fwd.flight.acked.is_some_and(|acked| not_after(end, acked));
    let first = fwd.flight.sent(s.seq).map(|sent| sent.frame);
    Verdict {
        kind: Kind::SynRetry,
        side: Some(if answered { Side::Source } else { Side::Destination }),
        proves: if answered {
            "the answer had passed this tap and did not reach the sender"
        } else {
            "it had passed this tap, and no answer came by"
        },
        proof_frame: if answered { Some(fwd.acked_frame) } else { first },
        times: fwd.offer.syn_times,
        since: None,
    }
}

/// Its ACK had passed before it did.
fn acked_before(s: &Segment<'_>, hole: &Hole, path: Path) -> Verdict {
    let since = s.ts.saturating_sub(hole.ts);
    let late = since < path.reordered_within();
    Verdict {
        kind: if late { Kind::OutOfOrder } else { Kind::RetransmissionSpurious },
        side: None,
        proves: if late {
            "the capture has its acknowledgement before it"
        } else {
            "it had been acknowledged, though this tap had not seen it"
        },
        proof_frame: Some(hole.frame),
        times: 1,
        since: Some(since),
    }
}

/// It had not passed, and later ones had.
fn skipped(fwd: &Sender, s: &Segment<'_>, end: u32, hole: &Hole, path: Path) -> Verdict {
    let since = s.ts.saturating_sub(hole.ts);
    let by_clock =
        s.options.timestamps.map(|(value, _)| value).zip(hole.tsval).filter(|(value, skipper)| value != skipper);
    let by_id = s.id.zip(hole.id).filter(|(id, skipper)| fwd.ids.count_up() && id != skipper);
    let (resent, proves) = if let Some((value, skipper)) = by_clock {
        let resent = before(skipper, value);
        (resent, if resent { "its timestamp is newer than that of the segment that skipped it" } else { EARLIER })
    } else if let Some((id, skipper)) = by_id {
        let resent = (id.wrapping_sub(skipper) as i16) > 0;
        (
            resent,
            if resent { "its IP identification is newer than that of the segment that skipped it" } else { EARLIER_ID },
        )
    } else {
        let resent = since >= path.reordered_within();
        (resent, if resent { "it came a round trip after the segment that skipped it" } else { SOON })
    };
    let kind = if resent { prompted(fwd, s, end, since, path) } else { Kind::OutOfOrder };
    Verdict {
        kind,
        side: resent.then_some(Side::Source),
        proves,
        proof_frame: Some(hole.frame),
        times: 1,
        since: Some(since),
    }
}

const EARLIER: &str = "its timestamp is older than that of the segment that overtook it";
const EARLIER_ID: &str = "its IP identification is older than that of the segment that overtook it";
const SOON: &str = "it came too soon after the segment that overtook it to have been sent again";

/// It had passed, and is not acknowledged.
fn seen(fwd: &mut Sender, s: &Segment<'_>, end: u32, path: Path) -> Verdict {
    let passed = passed(fwd, s);
    if passed.is_none() && fwd.flight.before_all(s.seq) {
        return Verdict {
            kind: Kind::Retransmission,
            side: None,
            proves: "its bytes come before all that this tap saw; it may have been overtaken",
            proof_frame: None,
            times: 1,
            since: None,
        };
    }
    let since = passed.map_or_else(|| s.ts.saturating_sub(fwd.said.next_ts), |(_, ts, _)| s.ts.saturating_sub(ts));
    if let Some(sent) = fwd.flight.sent(s.seq) {
        (sent.times, sent.last_ts) = (sent.times.saturating_add(1), s.ts);
    }
    Verdict {
        kind: prompted(fwd, s, end, since, path),
        side: Some(Side::Destination),
        proves: "it had passed this tap, and its acknowledgement had not",
        proof_frame: passed.and_then(|(.., frame)| frame),
        times: passed.map_or(2, |(times, ..)| times + 1),
        since: Some(since),
    }
}

/// How often it passed, when last, and the frame of the first time.
fn passed(fwd: &mut Sender, s: &Segment<'_>) -> Option<(u32, i64, Option<u64>)> {
    let again = fwd.again.iter().rev().find(|again| not_after(again.start, s.seq) && before(s.seq, again.end));
    let again = again.map(|again| (again.times, again.ts, None));
    let sent = fwd.flight.sent(s.seq).map(|sent| (u32::from(sent.times), sent.last_ts, Some(sent.frame)));
    sent.or(again)
}

/// What made the sender send again.
fn prompted(fwd: &Sender, s: &Segment<'_>, end: u32, since: i64, path: Path) -> Kind {
    let asked = &fwd.asked;
    let told = asked.dup_acks >= 2 || asked.sacked_to.is_some_and(|to| before(s.seq, to));
    let answer = path.sender.map_or(ANSWER, |sender| sender.saturating_mul(2).clamp(ANSWER, TIMER));
    // After a timer all that had been under way is sent again as it comes (RFC 6582, 4), whatever is asked for meanwhile.
    if fwd.recovery.is_some_and(|(until, kind)| kind == Kind::RetransmissionRto && before(s.seq, until)) {
        return Kind::RetransmissionRto;
    }
    // Asked long ago and not answered then: the timer it was.
    let fresh = s.ts.saturating_sub(asked.ts) < answer && s.ts.saturating_sub(asked.since) < TIMER;
    if told && fresh {
        return Kind::RetransmissionFast;
    }
    match fwd.recovery {
        Some((until, Kind::RetransmissionFast)) if before(s.seq, until) && since < TIMER => Kind::RetransmissionFast,
        _ if since >= TIMER => Kind::RetransmissionRto,
        _ if fwd.flight.next == Some(end) => Kind::RetransmissionTail,
        _ if path.whole.is_some_and(|whole| since >= whole.saturating_mul(2)) && !told => Kind::RetransmissionRto,
        _ => Kind::Retransmission,
    }
}
