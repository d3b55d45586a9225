//! How a request relates to what was sent before: new, repeated, doubled on the way, or overtaken?

use super::super::outstanding::Slot;
use super::super::psn;
use super::{Request, RequestStream};
use crate::tables::loss_episodes::{Kind, Side};

/// Longest time, in ns, between a packet and its copy in a mirror of both directions of a switch port. No sender repeats
/// that soon unasked: the shortest timeout is 4.096 us times 2 (IBTA vol. 1, 9.7.6.1.3).
const AT_ONCE: i64 = 8_000;

/// The same, where the copy has a router more behind it.
pub const A_ROUTER_LATER: i64 = 1_000_000;

/// How a request relates to what was sent before.
pub(super) enum Step {
    /// Newer than everything.
    New,
    /// Inside a replay, ahead of the current run.
    Replay,
    /// A copy of one transmission.
    Duplicate,
    /// An original that came late.
    Late,
    /// The sender went back.
    WentBack,
}

impl RequestStream {
    pub(super) fn step(&self, request: &Request) -> Step {
        if psn::newer(request.psn, self.frontier) {
            return Step::New;
        }
        let Some(slot) = self.ring.get(request.psn) else { return Step::WentBack };
        if slot.seen() && self.is_copy(request, slot) {
            return Step::Duplicate;
        }
        if psn::newer(request.psn, self.run_newest) {
            return Step::Replay;
        }
        if self.is_late(request, slot) { Step::Late } else { Step::WentBack }
    }

    /// A PSN behind the newest of the run: the original, overtaken on the way; or the sender's repeat?
    ///
    /// Where the sender counts IP identifications they decide. Else what this run has seen already is a repeat, and
    /// what it skipped is one if there is a reason (a NAK for it), or after the time there and back.
    pub(super) fn is_late(&self, request: &Request, slot: &Slot) -> bool {
        if self.counts_ip_ids()
            && let (Some(id), Some(newest)) = (request.ip_id, self.last_ip_id)
        {
            return id.wrapping_sub(newest) > u16::MAX / 2;
        }
        if slot.run == self.run || slot.read {
            return false;
        }
        let asked_for = self.open_nak.is_some_and(|episode| self.drafts[episode].psn == request.psn);
        let since = request.ts - slot.gap_ts;
        match (asked_for, self.front.lower_quartile(), self.back.of_at_least(3)) {
            (true, Some(front), _) => since * 10 < front * 7,
            (true, None, _) => false,
            (false, _, Some(back)) => since * 10 < back * 14,
            (false, _, None) => true,
        }
    }

    /// The same transmission once more: a mirror, or the network, doubled it. A repeat has an identification of its own,
    /// unless the sender does not count; then only a copy that follows at once can be told.
    pub(super) fn is_copy(&self, request: &Request, slot: &Slot) -> bool {
        match (request.ip_id, slot.ip_id) {
            (Some(id), Some(last)) if self.counts_ip_ids() || (id != 0 && self.ids_same == 0) => id == last,
            _ => {
                let since = request.ts - slot.ts;
                let router = matches!((request.ttl, slot.ttl), (Some(ttl), Some(last)) if ttl < last);
                let unasked = self.open_nak.is_none() && slot.run == self.run;
                router && (0..=A_ROUTER_LATER).contains(&since) || unasked && (0..=AT_ONCE).contains(&since)
            }
        }
    }

    pub(super) fn counts_ip_ids(&self) -> bool {
        self.ids_counted >= 4 && (self.ids_other + self.ids_same) * 8 <= self.ids_counted
    }

    pub(super) fn note_ip_id(&mut self, id: Option<u16>, new: bool) {
        if let (Some(id), Some(last), true) = (id, self.last_ip_id, new) {
            match id.wrapping_sub(last) {
                0 => self.ids_same = self.ids_same.saturating_add(1),
                1..=8 => self.ids_counted = self.ids_counted.saturating_add(1),
                _ => self.ids_other = self.ids_other.saturating_add(1),
            }
        }
        self.last_ip_id = id;
    }

    pub(super) fn on_late(&mut self, request: &Request) {
        let run = self.run;
        if let Some(slot) = self.ring.get_mut(request.psn) {
            if !slot.seen() {
                (slot.first_frame, slot.first_ts) = (request.frame, request.ts);
                self.counts.distinct_psns += 1;
            }
            (slot.frame, slot.ts, slot.run) = (request.frame, request.ts, run);
            (slot.ip_id, slot.ttl) = (request.ip_id, request.ttl);
            slot.ack_req = request.ack_req;
            slot.late = true;
        }
        if let Some(episode) = self.open_nak
            && self.drafts[episode].psn == request.psn
        {
            self.drafts[episode].reordered_at(Some(Side::Source));
        }
    }

    /// One packet came by that never had, nobody had asked for it, and the sender goes on where it was: on another path it
    /// was overtaken, or selective repeat sent it again after a short timer. This tap cannot tell.
    pub(super) fn doubt_lone_repeat(&mut self) {
        let Some(recovery) = self.recovery.filter(|_| self.run_start == self.run_newest) else { return };
        let first_time = self.ring.get(self.run_start).is_some_and(|slot| slot.frame == slot.first_frame);
        let draft = &mut self.drafts[recovery.episode];
        if first_time && draft.by_hole && draft.psn == self.run_start {
            (draft.by_hole, draft.side) = (false, None);
            draft.kind = Kind::NoAnswer;
        }
    }
}
