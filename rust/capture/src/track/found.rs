//! The rows that the queue pairs of a capture give.

use std::collections::HashMap;

use super::credits::Stall;
use super::queue_pairs::{Pair, Traffic};
use super::recoveries::DirectionRows;
use crate::address::Address;
use crate::tables::ack_timeouts::AckTimeout;
use crate::tables::cm_events::CmEvent;
use crate::tables::cnp_rates::CnpRate;
use crate::tables::credits::Credit;
use crate::tables::ecn_marks::EcnMark;
use crate::tables::loss_episodes::LossEpisode;
use crate::tables::rnr_waits::RnrWait;
use crate::tables::roce_qps::RoceQp;

/// Silence that is shorter than this many round trips, or than this time in ns, is how traffic is.
const ROUND_TRIPS: i64 = 4;
const SHORTEST_STALL: i64 = 100_000;

/// Rows, named for their tables.
#[derive(Debug, Default)]
#[allow(missing_docs)]
pub struct Found {
    pub roce_qps: Vec<RoceQp>,
    pub loss_episodes: Vec<LossEpisode>,
    pub rnr_waits: Vec<RnrWait>,
    pub ack_timeouts: Vec<AckTimeout>,
    pub cnp_rates: Vec<CnpRate>,
    pub ecn_marks: Vec<EcnMark>,
    pub cm_events: Vec<CmEvent>,
    pub credits: Vec<Credit>,
}

impl Found {
    /// The rows of one direction, which gets the next number.
    pub fn add(&mut self, mut rows: DirectionRows) {
        rows.number(self.roce_qps.len() as u32); // there are fewer directions than that
        self.roce_qps.push(rows.roce_qp);
        self.loss_episodes.extend(rows.loss_episodes);
        self.rnr_waits.extend(rows.rnr_waits);
        self.ack_timeouts.extend(rows.ack_timeouts);
    }

    /// What is counted for each flow; after all directions were added.
    pub fn add_traffic(&mut self, source: &str, traffic: &[Traffic], began: Option<i64>) {
        let by_sender: HashMap<(Address, u32), u32> =
            self.roce_qps.iter().filter_map(|row| Some(((row.src, row.src_qp?), row.qp))).collect();
        let data: HashMap<(Address, Address, u32), (u32, Option<u64>)> = self
            .roce_qps
            .iter()
            .map(|row| ((row.src, row.dst, row.dest_qp), (row.qp, row.src_qp.map(|_| row.cnps))))
            .collect();
        for flow in traffic {
            let (src, dst, dest_qp) = flow.way;
            if let Some(told) = flow.notified.as_deref() {
                let ts = |since: i64| began.map(|began| began.saturating_add(since));
                self.cnp_rates.push(CnpRate {
                    source: source.to_owned(),
                    src,
                    dst,
                    dest_qp,
                    qp: by_sender.get(&(dst, dest_qp)).copied(),
                    dscp: told.dscp,
                    cnps: told.cnps,
                    first_ts: ts(told.first.1),
                    last_ts: ts(told.last.1),
                    first_frame: told.first.0,
                    last_frame: told.last.0,
                    rate: told.rate(),
                    most_in_1ms: told.in_1ms.most,
                    most_in_10ms: told.in_10ms.most,
                    least_gap: told.least_gap,
                    marks: told.marks(),
                });
            }
            let requests = data.get(&flow.way).filter(|_| flow.requests.is_some());
            let cnps_back = requests.and_then(|(_, cnps)| *cnps);
            let marked = flow.marks.classes().any(|class| class.marked() > 0);
            for class in flow.marks.classes() {
                let congested = if class.marked() > 0 {
                    Some("before this tap")
                } else if !marked && class.capable() > 0 && cnps_back > Some(0) {
                    Some("after this tap")
                } else {
                    None
                };
                self.ecn_marks.push(EcnMark {
                    source: source.to_owned(),
                    src,
                    dst,
                    dest_qp,
                    qp: requests.map(|(qp, _)| *qp),
                    dscp: class.class.0,
                    pcp: class.class.1,
                    counts: class.counts,
                    first_ce: class.first_ce,
                    last_ce: class.last_ce,
                    cnps_back,
                    congested,
                });
            }
        }
    }

    /// Pairs of data and credit; after all directions were added.
    pub fn add_credits(&mut self, source: &str, pairs: &[Pair], began: Option<i64>) {
        let ways = self.roce_qps.iter().map(|row| ((row.src, row.dst, row.dest_qp), row));
        let by_way: HashMap<(Address, Address, u32), &RoceQp> = ways.collect();
        let ts = |since: i64| began.map(|began| began.saturating_add(since));
        for pair in pairs {
            let (Some(data), Some(cts)) = (by_way.get(&pair.data), by_way.get(&pair.cts)) else { continue };
            let patience = data.round_trip_median.unwrap_or(0).saturating_mul(ROUND_TRIPS).max(SHORTEST_STALL);
            let long = |stall: &Stall| stall.length >= patience;
            let (stall, end) = (pair.stall.filter(long), Some(pair.end).filter(long));
            self.credits.push(Credit {
                source: source.to_owned(),
                qp: data.qp,
                src: data.src,
                dst: data.dst,
                dest_qp: data.dest_qp,
                cts_qp: cts.qp,
                cts_elsewhere: pair.elsewhere,
                bytes: data.distinct_bytes,
                messages: pair.messages,
                cts: pair.records,
                left: pair.left,
                data_unacked: data.unanswered,
                cts_unacked: cts.src_qp.map(|_| cts.unanswered),
                last_data_ts: ts(pair.last_data.1),
                last_data_frame: pair.last_data.0,
                last_cts_ts: pair.last_cts.and_then(|(_, at)| ts(at)),
                last_cts_frame: pair.last_cts.map(|(frame, _)| frame),
                end,
                stall,
                stall_ts: stall.and_then(|stall| ts(stall.since.1)),
            });
        }
    }

    /// Brings the rows into the order of time.
    pub fn sort(&mut self) {
        self.loss_episodes.sort_by_key(|row| (row.ts, row.qp));
        self.rnr_waits.sort_by_key(|row| row.nak_frame);
        self.ack_timeouts.sort_by_key(|row| row.frame);
        self.cnp_rates.sort_by_key(|row| row.first_frame);
    }
}
