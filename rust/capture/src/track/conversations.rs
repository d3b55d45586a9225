//! TCP conversations: which connection a segment belongs to, and which of its ends sent it.

use std::collections::HashMap;

use crate::address::Address;
use crate::packet::Tcp;
use crate::tables::captured::Captured;

/// Flags of the TCP header (RFC 9293).
pub(super) const SYN: u8 = 0x02;
pub(super) const ACK: u8 = 0x10;

/// One end: address and port.
pub(super) type End = (Address, u16);

/// Connections kept; segments of further ones are counted as untracked.
const MOST_CONVERSATIONS: usize = 1 << 20;

/// The connection of a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Conversation {
    /// Counts from 0 in the order of first segments. Ports that are used again after a new SYN make a new one.
    pub index: usize,
    /// Sent by the client: the end that sent the SYN, or when none was seen the one with the higher port.
    pub from_client: bool,
}

/// What is known of a pair of ends.
#[derive(Debug, Clone, Copy)]
struct Known {
    ends: (End, End),
    index: usize,
    /// The client is the first of the ends.
    client_first: bool,
    /// Sequence number of the SYN, from the client.
    opened: Option<u32>,
}

/// All of a capture.
#[derive(Debug, Default)]
pub struct Conversations {
    known: HashMap<(End, End), usize>,
    pairs: Vec<Known>,
    recent: Recent,
    count: usize,
    /// Segments of connections beyond the limit.
    pub untracked: u64,
}

/// Where the pairs of the last segments stand, as in `queue_pairs`.
#[derive(Debug)]
struct Recent(Box<[u32; 4096]>);

impl Default for Recent {
    fn default() -> Self {
        Self(Box::new([u32::MAX; 4096]))
    }
}

impl Conversations {
    /// The connection of this segment; `None` when its addresses or ports are not known, or the limit is reached.
    pub fn of(&mut self, row: &Captured<'_>, tcp: &Tcp<'_>) -> Option<Conversation> {
        let src = (row.packet.src?, row.packet.sport?);
        let dst = (row.packet.dst?, row.packet.dport?);
        let src_first = src <= dst;
        let ends = if src_first { (src, dst) } else { (dst, src) };
        let at = self.place(ends)?;
        let opens = tcp.flags & (SYN | ACK) == SYN;
        let known = &mut self.pairs[at];
        if known.index == usize::MAX || opens && known.opened.is_some_and(|isn| isn != tcp.seq) {
            if self.count >= MOST_CONVERSATIONS {
                self.untracked += 1;
                return None;
            }
            known.index = self.count;
            self.count += 1;
            known.opened = None;
            known.client_first = match (tcp.flags & SYN != 0, tcp.flags & ACK != 0) {
                (true, false) => src_first,
                (true, true) => !src_first,
                _ if src.1 == dst.1 => src_first,
                _ => (src.1 > dst.1) == src_first,
            };
        }
        if opens && known.opened.is_none() {
            // In mid-flow nothing else told who had opened it.
            known.opened = Some(tcp.seq);
        }
        Some(Conversation { index: known.index, from_client: known.client_first == src_first })
    }

    fn place(&mut self, ends: (End, End)) -> Option<usize> {
        let recent = &mut self.recent.0[slot(&ends)];
        if self.pairs.get(*recent as usize).is_some_and(|known| known.ends == ends) {
            return Some(*recent as usize);
        }
        let at = match self.known.get(&ends) {
            Some(at) => *at,
            None if self.pairs.len() >= MOST_CONVERSATIONS => {
                self.untracked += 1;
                return None;
            }
            None => {
                self.pairs.push(Known { ends, index: usize::MAX, client_first: true, opened: None });
                self.known.insert(ends, self.pairs.len() - 1);
                self.pairs.len() - 1
            }
        };
        *recent = at as u32; // fewer than MOST_CONVERSATIONS
        Some(at)
    }
}

fn slot(((a, a_port), (b, b_port)): &(End, End)) -> usize {
    let low = |address: &Address| match *address {
        Address::V4([.., x, y]) | Address::V6([.., x, y]) => u32::from(x) << 8 | u32::from(y),
        Address::Lid(lid) => u32::from(lid),
    };
    let mixed = (u32::from(*a_port) << 16 | u32::from(*b_port)) ^ low(a).rotate_left(11) ^ low(b).rotate_left(21);
    (mixed.wrapping_mul(0x9e37_79b1) >> 20) as usize
}
