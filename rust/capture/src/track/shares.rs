//! Two halves of the RDMA traffic, so that two cores can follow it: which host pair belongs to which.
//!
//! What the tracker knows of one host pair says nothing of another, so each half is followed as if it were alone. The
//! halves are the same whether one thread follows both or two follow one each, and so are the tables.

use crate::address::Address;
use crate::link::ETHERNET;

/// Shares of the traffic.
pub const SHARES: usize = 2;

/// What one walker over the capture follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mine {
    /// Everything: it is alone.
    All,
    /// This share, and what else [`Mine::has_rest`] and [`Mine::has_streams`] say.
    Share(usize),
}

impl Mine {
    /// The queue pairs of that share are its own.
    pub fn has(self, share: usize) -> bool {
        match self {
            Self::All => true,
            Self::Share(mine) => mine == share,
        }
    }

    /// What is looked at once for the whole capture: pauses, unreliable traffic, TCP connections, the counts.
    pub fn has_rest(self) -> bool {
        self.has(0)
    }

    /// What looks into payloads: requests, control protocols.
    pub fn has_payloads(self) -> bool {
        self.has(1)
    }
}

/// The share of two hosts, in either order.
#[inline]
pub fn of(a: &Address, b: &Address) -> usize {
    let mixed = (fold(a) ^ fold(b)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 63) as usize
}

fn fold(address: &Address) -> u64 {
    match *address {
        Address::V4(octets) => u64::from(u32::from_be_bytes(octets)).wrapping_mul(0xd6e8_feb8_6659_fd93),
        Address::V6(octets) => {
            let words = u128::from_be_bytes(octets);
            ((words >> 64) as u64).rotate_left(17) ^ (words as u64).wrapping_mul(0xd6e8_feb8_6659_fd93)
        }
        Address::Lid(lid) => u64::from(lid).wrapping_mul(0xd6e8_feb8_6659_fd93),
    }
}

/// The share of a packet from a few of its bytes, where it plainly is reliable `RoCEv2` over IPv4 without a tunnel;
/// `None` where only decoding can tell. It must never differ from [`of`] for the addresses that decoding finds.
#[inline]
pub fn at_a_glance(link_type: u16, data: &[u8]) -> Option<usize> {
    /// The BTH of a packet without VLAN tag and without options.
    const BTH: usize = 14 + 20 + 8;
    let header: &[u8; BTH + 2] = data.first_chunk()?;
    let ipv4 = header[12] == 0x08 && header[13] == 0 && header[14] == 0x45;
    let udp = header[23] == 17 && u16::from_be_bytes([header[20] & 0x3f, header[21]]) == 0;
    let roce = header[36] == 0x12 && header[37] == 0xb7;
    // RC, and CNP, which is judged with the queue pairs; a BTH of another version is no BTH.
    let reliable = matches!((header[BTH] >> 5, header[BTH + 1] & 0x0f), (0 | 4, 0));
    if link_type != ETHERNET || !(ipv4 && udp && roce && reliable) {
        return None;
    }
    let address = |at: usize| Address::V4([header[at], header[at + 1], header[at + 2], header[at + 3]]);
    Some(of(&address(26), &address(30)))
}
