//! Which direction gives credit to which, and the facts of each such pair.

use std::collections::HashMap;

use super::super::credits::{Data, Peer, Seen, Stall, State};
use super::super::direction::Direction;
use super::{QueuePairs, Way};
use crate::address::Address;

/// Low five bits of the opcode (IBTA vol. 1, table 38).
const WRITE_LAST_IMM: u8 = 0x09;
const WRITE_ONLY: u8 = 0x0a;
const WRITE_ONLY_IMM: u8 = 0x0b;

/// What there is to say of one pair of data and credit.
#[derive(Debug)]
pub struct Pair {
    /// Where the data goes.
    pub data: Way,
    /// Where the credit goes.
    pub cts: Way,
    /// The credit comes on another queue pair of the two hosts, which may give it for several.
    pub elsewhere: bool,
    /// Messages that ended.
    pub messages: u64,
    /// Records.
    pub records: u64,
    /// The last data.
    pub last_data: Seen,
    /// The last record.
    pub last_cts: Option<Seen>,
    /// Credits that the sender has at least; none when that cannot be counted.
    pub left: Option<u64>,
    /// The longest time without data, before the end.
    pub stall: Option<Stall>,
    /// From the last data to the end of the capture.
    pub end: Stall,
}

impl QueuePairs {
    /// A request is about to be followed: has its direction been silent for longer than ever?
    #[inline]
    pub(super) fn before_request(&mut self, index: usize, frame: u64, now: i64) {
        let direction = &self.directions[index];
        if direction.credits.messages > 0 {
            let longest = direction.credits.stall.map_or(0, |stall| stall.length);
            if now - direction.stream.last_sent().1 > longest {
                self.directions[index].credits.stall = Some(self.judge(index, Some(frame), now));
            }
        }
    }

    /// A request that was not sent before was followed.
    #[inline]
    pub(super) fn after_new_request(&mut self, index: usize, opcode: u8, seen: Seen, len: Option<u32>) {
        match opcode & 0x1f {
            WRITE_ONLY => self.directions[index].credits.on_write_only(seen, len),
            WRITE_LAST_IMM | WRITE_ONLY_IMM => {
                let peer = self.directions[index].peer.or_else(|| self.reverse_of(index));
                // Taken out, for the peer is one of the same list.
                let mut own = std::mem::take(&mut self.directions[index].credits);
                own.on_message(peer.and_then(|peer| self.directions.get(peer)).map(|peer| &peer.credits));
                let direction = &mut self.directions[index];
                (direction.credits, direction.peer) = (own, peer);
            }
            _ => {}
        }
    }

    /// The other direction of the same queue pair.
    fn reverse_of(&self, index: usize) -> Option<usize> {
        let direction = &self.directions[index];
        let way = (direction.dst, direction.src, direction.src_qp?);
        self.traffic[*self.ways.get(&way)?].requests
    }

    fn judge(&self, index: usize, resumed: Option<u64>, until: i64) -> Stall {
        let direction = &self.directions[index];
        let peer = direction.peer.or_else(|| self.reverse_of(index)).and_then(|peer| self.directions.get(peer));
        let data = Data {
            last: direction.stream.last_sent(),
            resumed,
            until,
            acknowledged: direction.stream.all_acknowledged(),
            from_start: from_start(direction) && peer.is_some_and(from_start),
        };
        let peer = peer.map(|peer| Peer {
            credits: &peer.credits,
            unacknowledged: peer.src_qp.is_some() && peer.stream.all_acknowledged().is_none(),
            went_back: peer.stream.went_back(),
        });
        direction.credits.judge(&data, peer.as_ref())
    }

    /// All pairs of data and credit, when the capture has ended at `ended`.
    pub(super) fn credit_pairs(&self, ended: i64) -> Vec<Pair> {
        let mut records: HashMap<(Address, Address), Vec<&Direction>> = HashMap::new();
        for direction in self.directions.iter().filter(|direction| only_records(direction)) {
            records.entry((direction.src, direction.dst)).or_default().push(direction);
        }
        let mut pairs = Vec::new();
        for (index, direction) in self.directions.iter().enumerate() {
            if direction.credits.messages == 0 || direction.src_qp.is_none() {
                continue;
            }
            let own = direction.peer.or_else(|| self.reverse_of(index));
            let found = match own.and_then(|own| Some((own, self.directions.get(own)?))) {
                Some((_, peer)) if only_records(peer) => Some((peer, false)),
                Some(_) => None, // what flows back is something else
                None => match records.get(&(direction.dst, direction.src)).map(Vec::as_slice) {
                    Some([peer]) => Some((*peer, true)),
                    _ => None, // none, or nobody knows which
                },
            };
            let Some((peer, elsewhere)) = found else { continue };
            let mut end = self.judge(index, None, ended);
            let unacknowledged = peer.src_qp.is_some() && peer.stream.all_acknowledged().is_none();
            if elsewhere && unacknowledged && end.state == State::Unknown {
                (end.state, end.proof) = (State::CtsUnacked, (peer.credits.last_cts().map(|(frame, _)| frame), None));
            }
            let counted = from_start(direction) && from_start(peer);
            pairs.push(Pair {
                data: (direction.src, direction.dst, direction.dest_qp),
                cts: (peer.src, peer.dst, peer.dest_qp),
                elsewhere,
                messages: direction.credits.messages,
                records: peer.credits.cts,
                last_data: direction.stream.last_sent(),
                last_cts: peer.credits.last_cts(),
                left: (!elsewhere).then(|| direction.credits.left(&peer.credits, counted)),
                stall: direction.credits.stall,
                end,
            });
        }
        pairs
    }
}

/// What flows this way is credit and nothing else.
fn only_records(direction: &Direction) -> bool {
    direction.credits.is_cts(direction.stream.counts.distinct_psns)
}

/// The first request of the queue pair was seen: the connection manager named its PSN, or it is that of NCCL, which begins
/// with 0 both ways.
fn from_start(direction: &Direction) -> bool {
    let agreed = direction.agreement.and_then(|agreement| agreement.starting_psn);
    direction.stream.counts.lives == 1 && direction.first_psn == agreed.unwrap_or(0)
}
