//! TCP conversations: which connection a segment belongs to, and which of its ends sent it.

mod pairs;

use crate::address::Address;
use crate::packet::Tcp;
use crate::tables::captured::Captured;
use pairs::{Key, Pairs};

/// Flags of the TCP header (RFC 9293).
pub(super) const FIN: u8 = 0x01;
pub(super) const SYN: u8 = 0x02;
pub(super) const RST: u8 = 0x04;
pub(super) const ACK: u8 = 0x10;
/// RFC 3168.
pub(super) const ECE: u8 = 0x40;
pub(super) const CWR: u8 = 0x80;

/// One end: address and port.
pub(super) type End = (Address, u16);

/// Connections kept, and pairs of ends; segments of further ones are counted as untracked. Each costs the trackers about
/// a kilobyte: a quarter of a million of them are as much memory as a diagnosis may take.
pub(super) const MOST_CONVERSATIONS: usize = 1 << 18;

/// The connection of a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Conversation {
    /// Counts from 0 in the order of first segments, as `tcp.stream` of Wireshark does. Ports that are used again after
    /// a new SYN make a new one.
    pub index: usize,
    /// Sent by the client: the end that sent the SYN, or when none was seen the one with the higher port.
    pub from_client: bool,
}

/// What is known of a pair of ends.
#[derive(Debug, Clone, Copy)]
struct Known {
    key: Key,
    index: u32,
    /// The client is the first of the ends.
    client_first: bool,
    /// The sequence number before the first that each end sent, the first of the ends first: that of its SYN.
    bases: [Option<u32>; 2],
}

/// A pair whose first segment is still to come.
const NEW: u32 = u32::MAX;

/// All of a capture.
#[derive(Debug, Default)]
pub struct Conversations {
    pairs: Pairs<Known>,
    count: u32,
    /// Segments of connections beyond the limit.
    pub untracked: u64,
}

impl Conversations {
    /// The connection of this segment; `None` when its addresses or ports are not known, or the limit is reached.
    pub fn of(&mut self, row: &Captured<'_>, tcp: &Tcp<'_>) -> Option<Conversation> {
        let src = (row.packet.src?, row.packet.sport?);
        let dst = (row.packet.dst?, row.packet.dport?);
        let (key, src_first) = Key::of(src, dst);
        let known = self.pairs.entry(&key, MOST_CONVERSATIONS, || Known {
            key,
            index: NEW,
            client_first: true,
            bases: [None; 2],
        });
        let Some(known) = known else {
            self.untracked += 1;
            return None;
        };
        let from = usize::from(!src_first);
        let opens = tcp.flags & (SYN | ACK) == SYN;
        if known.index == NEW || opens && known.bases[from].is_some_and(|base| base != tcp.seq) {
            if self.count as usize >= MOST_CONVERSATIONS {
                self.untracked += 1;
                return None;
            }
            known.index = self.count;
            self.count += 1;
            known.bases = [None; 2];
            known.client_first = match (tcp.flags & SYN != 0, tcp.flags & ACK != 0) {
                (true, false) => src_first,
                (true, true) => !src_first,
                _ if src.1 == dst.1 => src_first,
                _ => (src.1 > dst.1) == src_first,
            };
        }
        if known.bases[from].is_none() {
            known.bases[from] = Some(if tcp.flags & SYN != 0 { tcp.seq } else { tcp.seq.wrapping_sub(1) });
        }
        Some(Conversation { index: known.index as usize, from_client: known.client_first == src_first })
    }
}

impl pairs::Keyed for Known {
    fn key(&self) -> &Key {
        &self.key
    }
}

#[cfg(test)]
mod tests;
