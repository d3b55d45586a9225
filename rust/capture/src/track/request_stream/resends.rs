//! The sender went back: for a NAK, an RNR NAK, or because its timer expired. Which of them, and for what?

use super::super::episode::{Cause, Draft};
use super::super::outstanding::Slot;
use super::super::psn;
use super::{Recovery, Request, RequestStream};
use crate::rdma::opcode;
use crate::tables::loss_episodes::{Kind, Side};

/// The sender's timer had a request sent again: one row of `ack_timeouts`.
#[derive(Debug, Clone, Copy)]
pub struct Timer {
    /// Index of its draft.
    pub episode: usize,
    /// Times that the sender had gone back for it, this one included.
    pub round: u32,
    /// Where it went back to.
    pub psn: u32,
    /// The resend.
    pub frame: u64,
    /// Its time.
    pub ts: i64,
    /// Last sighting of that PSN before; none when this tap never saw it.
    pub sent_frame: Option<u64>,
    /// Since that sighting.
    pub wait: Option<i64>,
    /// An acknowledgement of something before it passed meanwhile, so that the timer began anew.
    pub restarted: bool,
    /// Since the last packet of the stream, either way.
    pub silence: i64,
}

/// Resends by timer kept of one stream. A queue pair fails after eight; a timer that is too short fires without end.
const MOST_TIMERS: usize = 1 << 12;

impl RequestStream {
    /// The sender went back to `request.psn`: because of a NAK, an RNR NAK, or its timer.
    pub(super) fn on_went_back(&mut self, request: &Request) {
        self.counts.go_backs += 1;
        let newest = self.frontier;
        let mut asked = true;
        let episode = if let Some((_, Some(episode))) = self.rnr {
            episode
        } else if let Some(episode) = self.open_nak {
            episode
        } else if let Some((_, episode)) = self.stale_nak.filter(|(psn, _)| *psn == request.psn) {
            episode
        } else if let Some(episode) = self.another_round(request) {
            asked = false;
            episode
        } else {
            asked = false;
            self.drafts.push(self.judge_timeout(request));
            self.drafts.len() - 1
        };
        let sent = self.ring.get(request.psn).copied().filter(Slot::seen);
        if !asked {
            if let Some(slot) = &sent {
                self.waits.sample(request.ts - slot.ts);
            }
            self.note_timer(request, episode, sent.as_ref());
        }
        if !opcode::wants_data(request.opcode) {
            let outstanding = psn::ahead(request.psn, newest).saturating_add(1);
            self.drafts[episode].outstanding = self.drafts[episode].outstanding.saturating_add(outstanding);
        }
        self.drafts[episode].resent(request.frame, request.ts);
        self.recovery = Some(Recovery { episode, high: newest, judged: None });
        (self.open_nak, self.stale_nak) = (None, None);
        self.rnr = self.rnr.map(|(psn, _)| (psn, None));
        if self.ring.get(request.psn).is_none() && !self.ring.reach_back(request.psn) {
            // Behind everything that is kept: nothing can be said of what lies between.
            self.ring.restart(request.psn);
            self.frontier = request.psn;
        }
        self.previous_newest = self.run_newest;
        self.run += 1;
        self.run_began = request.ts;
        self.run_start = request.psn;
        self.run_newest = request.psn;
        self.beyond_hole = None;
    }

    /// One more row of `ack_timeouts`.
    fn note_timer(&mut self, request: &Request, episode: usize, sent: Option<&Slot>) {
        if self.timers.len() >= MOST_TIMERS {
            self.timers_left_out += 1;
            return;
        }
        // The timer starts anew with each acknowledgement that tells of progress (IBTA vol. 1, 9.7.6.1.3), but when one that
        // passed here came to the sender nobody knows. One for this PSN itself never came, for it was sent again.
        let before_it = self.acked.is_some_and(|acked| psn::newer(request.psn, acked));
        let restarted = before_it && self.progress_at.is_some_and(|at| sent.is_some_and(|slot| at > slot.ts));
        self.timers.push(Timer {
            episode,
            round: self.drafts[episode].rounds,
            psn: request.psn,
            frame: request.frame,
            ts: request.ts,
            sent_frame: sent.map(|slot| slot.frame),
            wait: sent.map(|slot| request.ts - slot.ts),
            restarted,
            silence: request.ts - self.sent_at.max(self.heard_at),
        });
    }

    /// The timer expired again for the same PSN and nothing came of the round before.
    pub(super) fn another_round(&mut self, request: &Request) -> Option<usize> {
        let recovery = self.recovery?;
        let draft = &mut self.drafts[recovery.episode];
        let again = draft.cause == Cause::Timeout && draft.went_back_to == request.psn;
        again.then(|| {
            draft.rounds += 1;
            recovery.episode
        })
    }

    /// Nobody asked for this resend: what does the tap know of the reason?
    pub(super) fn judge_timeout(&self, request: &Request) -> Draft {
        let mut draft = Draft::new(Cause::Timeout, request.psn, request.ts);
        let slot = self.ring.get(request.psn).copied().unwrap_or_default();
        draft.sent(&slot);
        if self.acked.is_none() && self.ring.get(request.psn).is_none() {
            // Older than all that this capture holds, and nothing was answered yet: it began in the middle.
            draft.is(Kind::NoAnswer, None);
            return draft;
        }
        let end = psn::add(self.run_newest, 1);
        if opcode::wants_data(request.opcode) && (slot.read || slot.seen()) {
            draft.hurt_response = true;
            // The responder was at it: it answered what comes later, or the first part of this READ.
            // What it answered before the requester last went back proves nothing: that was given up, and asked for again.
            let answered = |slot: &Slot| slot.response_frame != 0 && slot.response_run == self.run;
            let later = self.ring.range(request.psn, psn::add(self.frontier, 1)).any(|(_, slot)| answered(slot));
            let before = psn::add(request.psn, psn::CIRCLE - 1);
            let in_part = slot.read && !slot.seen() && self.ring.get(before).is_some_and(answered);
            if answered(&slot) {
                draft.sent_frame = Some(slot.response_frame);
                draft.is(Kind::Loss, Some(Side::Destination));
            } else if later || in_part {
                draft.sent_frame = None;
                draft.is(Kind::Loss, Some(Side::Source));
            } else {
                draft.hurt_response = false;
                draft.is(Kind::NoAnswer, Some(Side::Destination));
            }
            return draft;
        }
        if self.acked.is_some_and(|acked| psn::at_or_after(acked, request.psn)) {
            draft.hurt_response = true;
            draft.is(Kind::AckLoss, Some(Side::Destination));
            return draft;
        }
        // The sender goes back to the first PSN that it has no answer for: not behind the last answer that passed here.
        // So this run began there or before, and so did this resend, even where the tap sees it begin later.
        let oldest = self.acked.map_or(request.psn, |acked| psn::add(acked, 1));
        let from = if psn::newer(request.psn, oldest) { oldest } else { request.psn };
        let hole = self.ring.range(from, end).find(|(_, slot)| slot.run != self.run && !slot.read);
        if let Some((psn, slot)) = hole {
            (draft.psn, draft.sent_frame, draft.sent_ts) = (psn, None, None);
            draft.by_hole = slot.bad_frame == 0;
            draft.is(if draft.by_hole { Kind::Loss } else { Kind::Corrupt }, Some(Side::Source));
        } else if self.ring.range(request.psn, end).any(|(_, slot)| slot.ack_req) {
            draft.is(Kind::NoAnswer, Some(Side::Destination));
        } else if self.freely_acked > 0 || (self.run_newest != self.frontier && !self.whole_replay_seen) {
            // Where the responder answers without being asked the requester need not ask, and one that repeats only what
            // is missing does not come to the packet that asks: none is known to be missing.
            draft.is(Kind::NoAnswer, None);
        } else {
            // Nothing that passed this tap asked for an acknowledgement: the packet that did never came by.
            let corrupt = self.ring.get(end).is_some_and(|slot| slot.bad_frame != 0);
            (draft.psn, draft.sent_frame, draft.sent_ts) = (end, None, None);
            draft.by_hole = !corrupt;
            draft.is(if corrupt { Kind::Corrupt } else { Kind::Loss }, Some(Side::Source));
        }
        draft
    }
}
