//! The end of a stream: each episode is judged once more, in the light of all the others.

use super::episode::{Cause, Draft, Need};
use super::request_stream::RequestStream;
use crate::tables::loss_episodes::{Kind, Side};

/// Share of NAK episodes that must show reordering before all of a stream's are taken for it. On real runs the marks
/// stood in 19 to 28 % of the episodes of reordered streams and in none of 140 loss episodes.
const REORDER_SHARE: f64 = 0.1;

/// Rounds of the timer that reordering explains: the repeats are overtaken as well. More of them are a fault of their own.
const ROUNDS_BY_REORDERING: u32 = 3;

/// Share of a reordered stream's episodes up to which even long recoveries come from reordering: some repeats must be
/// unlucky each time when there are so many.
const RARE_SHARE: f64 = 0.02;

/// Judges each episode in the light of its whole stream. `other_way`: something passed on the way back.
pub fn settle(stream: &mut RequestStream, other_way: bool) {
    settle_reordering(stream);
    settle_timeouts(stream);
    if !other_way {
        // Nothing at all passes this tap on the way back: that no answer did proves nothing.
        for draft in stream.drafts.iter_mut().filter(|draft| draft.kind == Kind::NoAnswer) {
            draft.is(Kind::NoAnswer, None);
        }
    }
}

/// Reordering looks like loss at most taps and in most episodes. It gives itself away in some: a second NAK in one run,
/// an original that comes late, or an acknowledgement for a resent PSN that had not asked for one, which means that the
/// receiver already had it. So the stream is judged as one.
fn settle_reordering(stream: &mut RequestStream) {
    let telling = stream.freely_acked == 0;
    let by_nak = |draft: &&Draft| draft.cause == Cause::Nak && matches!(draft.kind, Kind::Loss | Kind::Reorder);
    let all = stream.drafts.iter().filter(by_nak).count();
    let marked = stream
        .drafts
        .iter()
        .filter(by_nak)
        .filter(|draft| draft.kind == Kind::Reorder || (telling && draft.unrequested_acks > 0))
        .count();
    if marked == 0 {
        return;
    }
    let whole_stream = marked as f64 >= REORDER_SHARE * all as f64;
    let before_tap = stream.drafts.iter().any(|draft| draft.kind == Kind::Reorder && draft.side == Some(Side::Source));
    let side = if before_tap { Side::Source } else { Side::Destination };
    let many_rounds = stream.drafts.iter().filter(|draft| draft.rounds > ROUNDS_BY_REORDERING).count();
    let rare = many_rounds as f64 <= RARE_SHARE * all as f64;
    for draft in &mut stream.drafts {
        let taken = match draft.cause {
            Cause::Nak => draft.kind == Kind::Loss,
            // A responder that waits for a packet it has been overtaken by answers late, too.
            Cause::Timeout => draft.rounds <= ROUNDS_BY_REORDERING || draft.by_hole || rare,
        };
        if draft.kind == Kind::Reorder || (whole_stream && taken) {
            draft.nothing_lost(Kind::Reorder, Some(side));
        }
    }
}

/// Packets that the timer had sent again, over all different packets, from which on the timer is called too short: one
/// that is fires for nearly all of them.
const SHORT_TIMER_SHARE: f64 = 0.3;

/// A timer that fires before an answer can be back loses nothing. Needs the way there and back: from this tap to the
/// receiver and back, and from this tap to the sender and back.
fn settle_timeouts(stream: &mut RequestStream) {
    let round_trip = match (stream.back_any.of_at_least(3), stream.front.lower_quartile()) {
        (Some(back), Some(front)) => Some(back + front),
        (Some(back), None) => Some(back),
        _ => None,
    };
    let response = |draft: &Draft| draft.kind == Kind::Loss && draft.hurt_response;
    let by_timer = |draft: &&mut Draft| {
        draft.cause == Cause::Timeout && (matches!(draft.kind, Kind::NoAnswer | Kind::AckLoss) || response(draft))
    };
    let replayed: u64 = stream.drafts.iter_mut().filter(by_timer).map(|draft| u64::from(draft.replayed)).sum();
    let pervasive = replayed as f64 >= SHORT_TIMER_SHARE * stream.counts.distinct_psns as f64;
    let shorter = matches!((stream.waits.lower_quartile(), round_trip), (Some(wait), Some(trip)) if wait < trip);
    if stream.unseen() > 0 {
        // This capture has holes of its own, and one of them may be the hole that was judged by.
        for draft in stream.drafts.iter_mut().filter(|draft| draft.by_hole) {
            draft.is(Kind::NoAnswer, None);
        }
    }
    for draft in stream.drafts.iter_mut().filter(by_timer) {
        if response(draft) && !(shorter && pervasive) {
            continue; // what the answers to requests tell is no news of a response that was lost
        }
        let answered = draft.need != Need::Unknown || draft.kind == Kind::AckLoss;
        if shorter && pervasive {
            draft.nothing_lost(Kind::ShortTimer, None);
        } else if (draft.rounds == 1 && answered) || draft.need == Need::AllWereAnswered {
            draft.nothing_lost(Kind::LateAnswer, None);
        } else if draft.kind == Kind::NoAnswer && draft.need == Need::DataHadArrived {
            draft.hurt_response = true;
            draft.is(Kind::AckLoss, Some(Side::Source));
        }
    }
}
