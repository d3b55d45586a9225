//! All RDMA traffic of a capture: queue pairs, in shares that know nothing of each other, and unreliable streams.

use std::array;

use super::found::Found;
use super::mads::{Connection, Mads};
use super::queue_pairs::{Cnps, QueuePairs};
use super::shares::{self, Mine, SHARES};
use super::sighting::Sighting;
use super::totals::Totals;
use super::unreliable::Unreliable;
use crate::rdma::Roce;
use crate::rdma::opcode::Transport;

/// Two years in ns. Times of a hostile capture may lie anywhere; so bounded, their differences and small multiples fit.
const LONGEST_CAPTURE: i64 = 1 << 56;

/// What one walker knows of it.
#[derive(Debug)]
pub struct Rdma {
    mine: Mine,
    shares: [QueuePairs; SHARES],
    unreliable: Unreliable,
    mads: Mads,
    /// Time of the first packet of the capture.
    began: Option<i64>,
    /// Time since then.
    clock: i64,
    /// RDMA packets followed.
    pub packets: u64,
}

impl Default for Rdma {
    fn default() -> Self {
        Self::new(Mine::All)
    }
}

impl Rdma {
    /// Nothing seen yet.
    pub fn new(mine: Mine) -> Self {
        Self {
            mine,
            shares: array::from_fn(|_| QueuePairs::default()),
            unreliable: Unreliable::default(),
            mads: Mads::default(),
            began: None,
            clock: 0,
            packets: 0,
        }
    }

    /// A packet of any kind has this time; one without is as late as the one before it.
    #[inline]
    pub fn on_time(&mut self, ts: i64) {
        let began = *self.began.get_or_insert(ts);
        self.clock = ts.saturating_sub(began).clamp(-LONGEST_CAPTURE, LONGEST_CAPTURE);
    }

    /// An RDMA packet passed the tap, of this share if that is known. False when it is of another walker's share, and passed
    /// over.
    pub fn on_packet(&mut self, row: &Sighting<'_>, roce: &Roce<'_>, share: Option<usize>) -> bool {
        let (Some(src), Some(dst)) = (row.packet.src, row.packet.dst) else {
            self.packets += u64::from(self.mine.has_rest());
            return self.mine.has_rest();
        };
        if self.mine.has_rest() && matches!(Transport::of(roce.bth.opcode), Transport::Uc | Transport::Ud) {
            let src_qp = roce.deth.map(|deth| deth.src_qp);
            self.unreliable.on_packet(src, dst, roce.bth.dest_qp, src_qp, roce.bth.psn);
        }
        let share = share.unwrap_or_else(|| shares::of(&src, &dst));
        let mine = self.mine.has(share);
        if mine {
            self.packets += 1;
            self.shares[share].on_packet(row, roce, self.clock);
        }
        // Every walker sees every datagram: what two ends agree on is for whoever follows them.
        if roce.deth.is_some()
            && let Some(connection) = self.mads.on_datagram(row, roce)
        {
            self.on_connection(&connection);
        }
        mine
    }

    /// Two ends agreed on a connection.
    pub fn on_connection(&mut self, connection: &Connection) {
        for share in &mut self.shares {
            share.on_connection(connection);
        }
    }

    /// Takes over what the walker of the other share found.
    pub fn join(&mut self, other: Self) {
        self.packets += other.packets;
        for (share, (own, others)) in self.shares.iter_mut().zip(other.shares).enumerate() {
            if other.mine.has(share) {
                *own = others;
            }
        }
    }

    /// All rows, those of `roce_qps` in the order of their first packets, and the sums for `capture_health`.
    pub fn finish(self, source: &str) -> (Found, Totals) {
        let mut totals = Totals {
            unreliable_requests: self.unreliable.requests,
            unreliable_gaps: self.unreliable.gaps(),
            mads_untracked: self.mads.untracked,
            ..Totals::default()
        };
        let mut cnps = Cnps::default();
        for share in &self.shares {
            share.add_cnps(&mut cnps);
        }
        let mut directions = Vec::new();
        let mut traffic = Vec::new();
        let mut pairs = Vec::new();
        for share in self.shares {
            let (rows, ways, credit) = share.finish(source, (self.began, self.clock), &cnps, &mut totals);
            directions.extend(rows);
            traffic.extend(ways);
            pairs.extend(credit);
        }
        directions.sort_by_key(|rows| rows.roce_qp.first_frame);
        let mut found = Found { cm_events: self.mads.finish(), ..Found::default() };
        for rows in directions {
            found.add(rows);
        }
        found.add_traffic(source, &traffic, self.began);
        found.add_credits(source, &pairs, self.began);
        found.sort();
        (found, totals)
    }
}
