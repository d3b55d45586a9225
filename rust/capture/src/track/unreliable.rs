//! Unreliable connections and datagrams (UC, UD): their loss is silent. A PSN that never comes by was lost before this
//! tap, or by the capture; what is lost after it, this tap cannot know.

use std::collections::HashMap;

use super::psn;
use crate::address::Address;

/// Who numbers the packets: for UD the sending queue pair, for UC the pair of addresses and the receiving one.
type Numbering = (Address, Option<Address>, u32);

#[derive(Debug)]
struct Stream {
    newest: u32,
    receiver: (Address, u32),
    several_receivers: bool,
    gaps: u64,
}

/// All of a capture's unreliable streams.
#[derive(Debug, Default)]
pub struct Unreliable {
    streams: HashMap<Numbering, Stream>,
    /// Packets seen.
    pub requests: u64,
}

/// Longest jump that counts as loss and not as a new life of the queue pair.
const LONGEST_GAP: u32 = 4096;
const MOST_STREAMS: usize = 1 << 18;

impl Unreliable {
    /// A packet passed; `src_qp` is the DETH's, of UD.
    pub fn on_packet(&mut self, src: Address, dst: Address, dest_qp: u32, src_qp: Option<u32>, psn: u32) {
        self.requests += 1;
        let key = src_qp.map_or((src, Some(dst), dest_qp), |qp| (src, None, qp));
        if self.streams.len() >= MOST_STREAMS && !self.streams.contains_key(&key) {
            return;
        }
        let receiver = (dst, dest_qp);
        let first = Stream { newest: psn, receiver, several_receivers: false, gaps: 0 };
        let stream = self.streams.entry(key).or_insert(first);
        stream.several_receivers |= stream.receiver != receiver;
        let step = psn::ahead(stream.newest, psn);
        if (1..=LONGEST_GAP).contains(&step) {
            stream.gaps += u64::from(step - 1);
            stream.newest = psn;
        } else if step > LONGEST_GAP && step < psn::CIRCLE - LONGEST_GAP {
            stream.newest = psn;
        } else if step != 0 {
            // A packet that was overtaken fills its own gap.
            stream.gaps = stream.gaps.saturating_sub(1);
        }
    }

    /// PSNs that never came by. A queue pair that sends to several receivers is left out: the tap need not see them all.
    pub fn gaps(&self) -> u64 {
        self.streams.values().filter(|stream| !stream.several_receivers).map(|stream| stream.gaps).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: Address = Address::V4([10, 0, 0, 1]);
    const B: Address = Address::V4([10, 0, 0, 2]);
    const C: Address = Address::V4([10, 0, 0, 3]);

    #[test]
    fn a_skipped_psn_is_a_gap_and_an_overtaken_one_is_not() {
        let mut unreliable = Unreliable::default();
        for psn in [0x00ff_fffe, 0, 1, 0x00ff_ffff, 3] {
            unreliable.on_packet(A, B, 7, None, psn);
        }
        assert_eq!(unreliable.gaps(), 1);
    }

    #[test]
    fn a_datagram_queue_pair_with_several_receivers_proves_nothing() {
        let mut unreliable = Unreliable::default();
        unreliable.on_packet(A, B, 7, Some(9), 1);
        unreliable.on_packet(A, C, 7, Some(9), 5);
        assert_eq!(unreliable.gaps(), 0);
    }
}
