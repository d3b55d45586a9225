//! What the responder's packets say about the requests: acknowledgements, NAKs, RNR NAKs.

use super::super::episode::{Cause, Draft, Need};
use super::super::ip_ids::Skipped;
use super::super::outstanding::{LONGEST_GAP, Slot};
use super::super::psn;
use super::RequestStream;
use crate::tables::loss_episodes::{Kind, Side};

/// What the responder sent back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// Positive acknowledgement.
    Ack,
    /// RNR NAK, with its timer code: no receive buffer.
    ReceiverNotReady(u8),
    /// NAK for a PSN sequence error: the PSN is the one that the responder waits for.
    SequenceNak,
    /// Any other NAK, with its syndrome: the queue pair is dead.
    FatalNak(u8),
    /// READ response or atomic acknowledgement; true when it opens its message.
    Response {
        /// FIRST, ONLY or an atomic acknowledgement.
        first: bool,
        /// Message bytes, of FIRST and MIDDLE: the path MTU.
        full: Option<u32>,
        /// Message bytes in it.
        len: u32,
    },
}

/// PSNs by which an answer may miss what the tap saw of the requests.
const NEAR: u32 = 32;

impl RequestStream {
    /// An answer passed the tap on its way to the sender of these requests.
    pub fn on_answer(&mut self, frame: u64, ts: i64, psn: u32, skipped: Option<Skipped>, answer: Answer) {
        if !self.started || psn::ahead(self.frontier, psn).min(psn::ahead(psn, self.frontier)) > LONGEST_GAP {
            return;
        }
        self.first_answer.get_or_insert(frame);
        self.heard_at = ts;
        if answer != Answer::Ack {
            self.answer_ids.interrupted();
        }
        match answer {
            Answer::Ack => {
                self.counts.acks += 1;
                self.count_answer(psn, skipped);
                self.judge_ack(ts, psn);
                self.advance(ts, psn);
            }
            Answer::ReceiverNotReady(timer) => {
                self.counts.naks_rnr += 1;
                self.on_receiver_not_ready(frame, ts, psn, timer);
            }
            Answer::SequenceNak => {
                self.counts.naks_sequence += 1;
                self.on_sequence_nak(frame, ts, psn);
                self.advance(ts, psn::add(psn, psn::CIRCLE - 1));
            }
            Answer::FatalNak(syndrome) => {
                self.counts.naks_fatal += 1;
                self.counts.fatal_syndrome.get_or_insert(syndrome);
                self.counts.fatal_frame.get_or_insert(frame);
                if let Some(slot) = self.ring.get_mut(psn) {
                    slot.explained = true;
                }
            }
            Answer::Response { first, full, len } => {
                self.counts.read_responses += 1;
                self.count_response(psn, len);
                self.on_response(frame, ts, psn, first, full);
            }
        }
    }

    /// True when `psn` can be the answer to a request of this stream: it was sent not long ago, or lies between what was
    /// sent, or just before the first or after the last that the tap saw, for those may be the ones that were lost.
    pub fn may_answer(&self, psn: u32) -> bool {
        let near = |from: u32, to: u32| psn::ahead(from, to) <= NEAR;
        self.started && (self.ring.get(psn).is_some() || near(psn, self.ring.base()) || near(self.frontier, psn))
    }

    pub(super) fn on_receiver_not_ready(&mut self, frame: u64, ts: i64, psn: u32, timer: u8) {
        if let Some((of, Some(_))) = self.rnr
            && of == psn
        {
            return;
        }
        let mut draft = Draft::new(Cause::Nak, psn, ts);
        draft.sent(&self.ring.get(psn).copied().unwrap_or_default());
        draft.nak_frame = Some(frame);
        draft.timer = Some(timer);
        draft.is(Kind::ReceiverNotReady, None);
        self.drafts.push(draft);
        self.rnr = Some((psn, Some(self.drafts.len() - 1)));
        if let Some(slot) = self.ring.get_mut(psn) {
            slot.explained = true;
        }
    }

    pub(super) fn on_sequence_nak(&mut self, frame: u64, ts: i64, psn: u32) {
        // rxe sends a sequence NAK right after an RNR NAK for the same PSN: nothing was lost.
        if self.rnr.is_some_and(|(of, _)| of == psn) {
            return;
        }
        if let Some(episode) = self.open_nak {
            // A responder sends one NAK and then waits for that PSN: a second, for a later one, proves that the first
            // arrived without having been sent again.
            if psn::newer(psn, self.drafts[episode].psn) {
                self.drafts[episode].reordered_at(None);
            }
            return;
        }
        let slot = self.ring.get(psn).copied().unwrap_or_default();
        if self.answers_an_earlier_run(ts, psn, &slot) {
            self.stale_nak = self.recovery.map(|recovery| (psn, recovery.episode));
            return;
        }
        // By frame and not by time: clocks step back, and many packets may carry one stamp.
        let next_frame =
            self.ring.get(psn::add(psn, 1)).filter(|next| next.run == self.run && next.seen()).map(|next| next.frame);
        // The NAK may answer the run before, when the sender has gone back meanwhile and not come to this PSN again.
        let in_run =
            slot.run == self.run || (psn::newer(psn, self.run_newest) && slot.run + 1 == self.run && slot.seen());
        let mut draft = Draft::new(Cause::Nak, psn, ts);
        draft.nak_frame = Some(frame);
        if slot.late || (in_run && next_frame.is_some_and(|next| next < slot.frame)) {
            draft.sent(&slot);
            draft.reordered_at(Some(Side::Source));
        } else if in_run {
            draft.sent(&slot);
            draft.is(Kind::Loss, Some(Side::Destination));
        } else if slot.bad_frame != 0 {
            draft.sent_frame = Some(slot.bad_frame);
            draft.is(Kind::Corrupt, Some(Side::Source));
        } else {
            draft.is(Kind::Loss, Some(Side::Source));
        }
        self.drafts.push(draft);
        self.open_nak = Some(self.drafts.len() - 1);
        if let Some(slot) = self.ring.reach(psn) {
            slot.explained = true;
        }
    }

    /// A NAK that comes sooner after the repeat of its PSN than the receiver could have seen it: it is a copy of the one
    /// that was heard already, or the receiver said it again, or the sender's timer was faster than it.
    fn answers_an_earlier_run(&self, ts: i64, psn: u32, slot: &Slot) -> bool {
        let (Some(recovery), Some(back)) = (self.recovery, self.back.of_at_least(3)) else { return false };
        let draft = &self.drafts[recovery.episode];
        if draft.cause == Cause::Nak && psn::newer(psn, draft.psn) {
            // A receiver asks for one PSN and then waits for it: one that asks for a later has got it.
            return false;
        }
        let repeated = slot.run == self.run && slot.seen() && !psn::newer(psn, recovery.high);
        repeated && (0..back * 9 / 10).contains(&(ts - slot.ts))
    }

    /// Follows the identifications of plain acknowledgements while nothing is sent again.
    fn count_answer(&mut self, psn: u32, skipped: Option<Skipped>) {
        let (Some(skipped), None) = (skipped, self.recovery) else {
            self.answer_ids.interrupted();
            return;
        };
        let due = self.answer_ids.last_psn().filter(|last| psn::newer(psn, *last)).map_or(0, |last| {
            let asked = |slot: &Slot| slot.seen() && slot.ack_req;
            self.ring.range(psn::add(last, 1), psn::add(psn, 1)).filter(|(_, slot)| asked(slot)).count()
        });
        self.answer_ids.on_ack(psn, skipped, due as u32);
    }

    /// The first acknowledgement after a resend tells whether the resend was needed.
    pub(super) fn judge_ack(&mut self, ts: i64, psn: u32) {
        let Some(slot) = self.ring.get(psn).copied() else { return };
        let unrequested = slot.seen() && !slot.ack_req && !slot.read;
        let Some(recovery) = &mut self.recovery else {
            self.freely_acked += u64::from(unrequested);
            return;
        };
        if psn::newer(psn, recovery.high) {
            self.recovery = None;
            self.freely_acked += u64::from(unrequested);
            return;
        }
        let draft = &mut self.drafts[recovery.episode];
        if unrequested {
            self.counts.unrequested_acks += 1;
            draft.unrequested_acks += 1;
        }
        if draft.cause != Cause::Timeout || !psn::at_or_after(psn, draft.went_back_to) {
            return;
        }
        if let Some(first) = recovery.judged {
            // The same acknowledgement again: the receiver takes what is sent again for duplicates. If it was not the
            // first to come, those before it answered the originals one by one: they were late, and none was lost.
            if psn == recovery.high && self.acked == Some(psn) {
                draft.need = if first == psn { Need::DataHadArrived } else { Need::AllWereAnswered };
            }
            return;
        }
        recovery.judged = Some(psn);
        let too_soon = match (draft.resend_ts, self.back.of_at_least(3)) {
            (Some(resend), Some(back)) => (ts - resend) * 10 < back * 9,
            _ => false,
        };
        let ahead_of_resend = psn::newer(psn, self.run_newest);
        if too_soon || (ahead_of_resend && psn != recovery.high) {
            // It answers originals that had arrived. One round: the answer was only late. Several: it was lost, and so
            // was what lies behind its PSN.
            if draft.rounds == 1 {
                draft.need = Need::AnswerWasLate;
            }
        } else if ahead_of_resend {
            draft.need = Need::DataHadArrived;
        }
    }

    pub(super) fn advance(&mut self, ts: i64, psn: u32) {
        if self.acked.is_some_and(|acked| !psn::newer(psn, acked)) {
            return;
        }
        self.acked = Some(psn);
        self.advanced_at = Some(ts);
        self.progress_at = Some(ts);
        if let Some(slot) = self.ring.reach(psn)
            && slot.seen()
            && (slot.ack_req || slot.read)
        {
            self.back_any.sample(ts - slot.first_ts);
            if slot.first_frame == slot.frame {
                self.back.sample(ts - slot.first_ts);
                self.round_trips.sample(ts - slot.first_ts);
            }
        }
        if self.rnr.is_some_and(|(of, _)| psn::at_or_after(psn, of)) {
            self.rnr = None;
        }
        self.ring.acknowledged(psn);
    }
}
