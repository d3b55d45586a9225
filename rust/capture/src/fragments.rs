//! Fragments of IP datagrams: only the first has ports, so each later one is given those of the first, and its frame.

use std::collections::HashMap;
use std::num::NonZeroU64;

use crate::address::Address;
use crate::packet::{Fragment, Packet, Stopped};

/// Datagrams whose first fragment is remembered, twice so many at most. The parts of one follow each other closely; what
/// lies further back is forgotten, and a later part then says that its first is not known.
const MOST: usize = 16_384;
/// Time after which an identification means another datagram, in ns: what Linux waits for the parts of one
/// (`net.ipv4.ipfrag_time`), and what RFC 8200, 4.5 says for IPv6.
const LONGEST_V4: u64 = 30_000_000_000;
const LONGEST_V6: u64 = 60_000_000_000;

/// What parts of one datagram have in common (RFC 791, 3.2; RFC 8200, 4.5).
#[derive(PartialEq, Eq, Hash)]
struct Key {
    src: Address,
    dst: Address,
    /// IPv4 only: later parts of an IPv6 datagram may name another header than the first.
    protocol: Option<u8>,
    id: u32,
}

#[derive(Clone, Copy)]
struct First {
    frame: NonZeroU64,
    ts: Option<i64>,
    ports: Option<(u16, u16)>,
}

/// The first fragments that were seen lately.
#[derive(Default)]
pub struct Fragments {
    lately: HashMap<Key, First>,
    before: HashMap<Key, First>,
}

impl Fragments {
    /// Completes a packet that is a fragment; costs one look at all others.
    #[inline]
    pub fn complete(&mut self, frame: u64, ts: Option<i64>, packet: &mut Packet<'_>) {
        if let Some(fragment) = packet.fragment {
            self.fragment(frame, ts, fragment, packet);
        }
    }

    #[cold]
    fn fragment(&mut self, frame: u64, ts: Option<i64>, fragment: Fragment, packet: &mut Packet<'_>) {
        let (Some(key), Some(frame)) = (key(&fragment, packet), NonZeroU64::new(frame)) else { return };
        if !fragment.is_later() {
            let ports = packet.sport.zip(packet.dport).filter(|_| !fragment.of_tunnel);
            self.remember(key, First { frame, ts, ports });
            packet.fragment = Some(Fragment { datagram: Some(frame), ..fragment });
        } else if let Some(first) = self.first(&key, ts) {
            packet.fragment = Some(Fragment { datagram: Some(first.frame), ..fragment });
            (packet.sport, packet.dport) = first.ports.unzip();
            packet.stopped = packet.stopped.filter(|stopped| *stopped != Stopped::Fragment);
        }
    }

    fn first(&self, key: &Key, ts: Option<i64>) -> Option<First> {
        let first = *self.lately.get(key).or_else(|| self.before.get(key))?;
        let longest = if matches!(key.src, Address::V4(_)) { LONGEST_V4 } else { LONGEST_V6 };
        let apart = ts.zip(first.ts).map(|(now, then)| now.abs_diff(then));
        apart.is_none_or(|apart| apart <= longest).then_some(first)
    }

    fn remember(&mut self, key: Key, first: First) {
        if self.lately.len() >= MOST {
            self.before = std::mem::take(&mut self.lately);
        }
        self.lately.insert(key, first);
    }
}

fn key(fragment: &Fragment, packet: &Packet<'_>) -> Option<Key> {
    let outer = packet.outer.as_ref().filter(|_| fragment.of_tunnel);
    let (src, dst, ip) = outer.map_or((packet.src, packet.dst, packet.ip), |outer| (outer.src, outer.dst, outer.ip));
    let (src, dst) = (src?, dst?);
    let protocol = ip.map(|ip| ip.protocol).filter(|_| matches!(src, Address::V4(_)));
    Some(Key { src, dst, protocol, id: fragment.id })
}

#[cfg(test)]
mod tests;
