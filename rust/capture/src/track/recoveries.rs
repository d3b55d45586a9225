//! What one direction of a queue pair gives when the capture is over: its row, and a row for each of its troubles.

use super::direction::Direction;
use super::episode::{Cause, Draft};
use crate::rdma::timers;
use crate::tables::ack_timeouts::AckTimeout;
use crate::tables::loss_episodes::{Kind, LossEpisode};
use crate::tables::rnr_waits::RnrWait;
use crate::tables::roce_qps::RoceQp;

/// The rows of one direction. All carry its number, 0 until [`DirectionRows::number`].
#[derive(Debug)]
#[allow(missing_docs)] // named for their tables
pub struct DirectionRows {
    pub roce_qp: RoceQp,
    pub loss_episodes: Vec<LossEpisode>,
    pub rnr_waits: Vec<RnrWait>,
    pub ack_timeouts: Vec<AckTimeout>,
}

impl DirectionRows {
    /// Gives the direction its number.
    pub fn number(&mut self, qp: u32) {
        self.roce_qp.qp = qp;
        self.loss_episodes.iter_mut().for_each(|row| row.qp = qp);
        self.rnr_waits.iter_mut().for_each(|row| row.qp = qp);
        self.ack_timeouts.iter_mut().for_each(|row| row.qp = qp);
    }
}

/// Where and when: what the rows of one direction share.
pub struct Of<'d> {
    pub source: &'d str,
    /// Times of drafts are counted from here.
    pub began: Option<i64>,
    pub direction: &'d Direction,
}

impl Of<'_> {
    fn ts(&self, since: i64) -> Option<i64> {
        self.began.map(|began| began.saturating_add(since))
    }

    /// The rows of `loss_episodes`.
    pub fn loss_episodes(&self) -> Vec<LossEpisode> {
        let row = |draft: &Draft| LossEpisode {
            source: self.source.to_owned(),
            qp: 0,
            src: self.direction.src,
            dst: self.direction.dst,
            dest_qp: self.direction.dest_qp,
            kind: draft.kind,
            side: draft.side,
            hurt: draft.hurt(),
            recovered_by: draft.recovered_by(),
            psn: draft.psn,
            ts: self.ts(draft.ts),
            sent_frame: draft.sent_frame,
            nak_frame: draft.nak_frame,
            resend_frame: draft.resend_frame,
            wait: elapsed(draft.wait),
            replayed: draft.replayed,
            rounds: draft.rounds,
        };
        self.direction.stream.drafts.iter().map(row).collect()
    }

    /// The rows of `rnr_waits`.
    pub fn rnr_waits(&self) -> Vec<RnrWait> {
        let mut last = None;
        let mut round = 0;
        let row = |(draft, timer_code): (&Draft, u8)| {
            round = if last == Some(draft.psn) { round + 1 } else { 1 };
            last = Some(draft.psn);
            RnrWait {
                source: self.source.to_owned(),
                qp: 0,
                src: self.direction.src,
                dst: self.direction.dst,
                dest_qp: self.direction.dest_qp,
                psn: draft.psn,
                ts: self.ts(draft.ts),
                sent_frame: draft.sent_frame,
                nak_frame: draft.nak_frame,
                timer_code,
                resend_frame: draft.resend_frame,
                wait: elapsed(draft.wait).filter(|_| draft.resend_frame.is_some()),
                round,
            }
        };
        self.direction.stream.drafts.iter().filter_map(|draft| Some((draft, draft.timer?))).map(row).collect()
    }

    /// The rows of `ack_timeouts`.
    pub fn ack_timeouts(&self) -> Vec<AckTimeout> {
        let stream = &self.direction.stream;
        let agreed = self.direction.agreement.and_then(|agreement| agreement.ack_timeout).map(timers::doubling);
        let row = |timer: &super::request_stream::Timer| {
            let draft = stream.drafts.get(timer.episode)?;
            Some(AckTimeout {
                source: self.source.to_owned(),
                qp: 0,
                src: self.direction.src,
                dst: self.direction.dst,
                dest_qp: self.direction.dest_qp,
                psn: timer.psn,
                ts: self.ts(timer.ts),
                frame: timer.frame,
                sent_frame: timer.sent_frame,
                wait: elapsed(timer.wait),
                restarted: timer.restarted,
                silence: elapsed(Some(timer.silence)),
                round: timer.round,
                agreed,
                kind: draft.kind,
                side: draft.side,
                hurt: draft.hurt(),
            })
        };
        stream.timers.iter().filter_map(row).collect()
    }
}

/// What a row says of a time that went by: nothing, when the clock of the capture went back in between.
fn elapsed(span: Option<i64>) -> Option<i64> {
    span.filter(|span| *span >= 0)
}

/// Recoveries by NAK that must tell how the sender recovers.
const LEAST_RECOVERIES: u32 = 3;

/// Share of what was under way that a go-back-N sender sends again at least, and what a selective one sends again at most
/// beside the packet that was lost (localisation rules of single captures; simulated and seen on the Linux software device).
const ALL: f64 = 0.3;
const FEW: f64 = 2.0;

/// How a sender recovers from loss, by its recoveries after sequence NAKs; `None` when they do not tell.
pub fn loss_recovery(drafts: &[Draft]) -> Option<&'static str> {
    let told = |draft: &&Draft| {
        let by_nak = draft.cause == Cause::Nak && draft.resend_frame.is_some() && draft.outstanding > 0;
        by_nak && matches!(draft.kind, Kind::Loss | Kind::Reorder | Kind::Corrupt)
    };
    let (mut recoveries, mut again, mut under_way) = (0, 0, 0);
    for draft in drafts.iter().filter(told) {
        recoveries += 1;
        again += u64::from(draft.replayed.saturating_sub(draft.rounds));
        under_way += u64::from(draft.outstanding.saturating_sub(draft.rounds));
    }
    let mean = |sum: u64| sum as f64 / f64::from(recoveries);
    let (again, under_way) = (mean(again), mean(under_way));
    if recoveries < LEAST_RECOVERIES {
        None
    } else if again > FEW && again >= ALL * under_way {
        Some("go-back-n")
    } else if again <= FEW && FEW < ALL * under_way {
        Some("selective-repeat")
    } else {
        None
    }
}
