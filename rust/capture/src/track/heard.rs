//! The copies that a mirror makes of answers.

use super::request_stream::A_ROUTER_LATER;
use super::sighting::Sighting;
use crate::rdma::Roce;

/// The last answers of one way, to tell the copies of a mirror: they have a router more behind them.
#[derive(Debug, Default)]
pub struct Heard {
    answers: [Option<HeardAnswer>; 16],
    next: usize,
}

/// Opcode, PSN and AETH (syndrome and MSN) of an answer; its time to live and when it came.
type HeardAnswer = ((u8, u32, Option<(u8, u32)>), u8, i64);

impl Heard {
    /// True when this answer is the copy of one that came just before.
    pub fn again(&mut self, row: &Sighting<'_>, roce: &Roce<'_>, now: i64) -> bool {
        let Some(ttl) = row.packet.ip.map(|ip| ip.ttl) else { return false };
        let what = (roce.bth.opcode, roce.bth.psn, roce.aeth.map(|aeth| (aeth.syndrome, aeth.msn)));
        let original = |(heard, its_ttl, ts): &HeardAnswer| {
            *heard == what && ttl < *its_ttl && (0..=A_ROUTER_LATER).contains(&(now - ts))
        };
        if self.answers.iter().flatten().any(original) {
            return true;
        }
        self.answers[self.next] = Some((what, ttl, now));
        self.next = (self.next + 1) % self.answers.len();
        false
    }
}
