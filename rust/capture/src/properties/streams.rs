//! Both directions of TCP connections: what each end sends next, so that a script need not count bytes.

use super::frames::{self, Segment, TCP, Way};
use super::reel::Reel;

pub(super) const FIN: u8 = 0x01;
pub(super) const SYN: u8 = 0x02;
pub(super) const RST: u8 = 0x04;
pub(super) const ACK: u8 = 0x10;

/// One connection: its ports, hosts, and the next sequence number of client and server.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stream {
    pub ports: (u16, u16),
    pub hosts: (u8, u8),
    pub six: bool,
    pub next: [u32; 2],
    /// IP identifications of client and server.
    pub ids: [u16; 2],
}

/// A segment, as far as it is not what comes next.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Odd<'a> {
    pub flags: u8,
    /// From what comes next.
    pub seq: i64,
    /// From what the other end has sent.
    pub ack: i64,
    pub window: u16,
    pub options: &'a [u8],
    /// From the identification that comes next.
    pub id: i64,
    pub class: u8,
    /// Bytes of payload that were on the wire and not captured.
    pub more: usize,
}

impl Stream {
    pub(super) fn of(number: u8, server_port: u16, six: bool) -> Self {
        Self {
            ports: (40_000 + u16::from(number), server_port),
            hosts: (1 + number, 100),
            six,
            next: [u32::MAX - 2000, 1_000_000], // the numbers of the client soon wrap
            ids: [0, u16::MAX - 20],
        }
    }

    /// One end sends a segment, and what it sends next moves on where this segment goes beyond it.
    pub(super) fn send(&mut self, reel: &mut Reel, from_client: bool, payload: &[u8], odd: &Odd<'_>) {
        let own = usize::from(!from_client);
        let seq = self.next[own].wrapping_add(odd.seq as u32);
        let ack = self.next[1 - own].wrapping_add(odd.ack as u32);
        let ends = u32::from(odd.flags & SYN != 0) + u32::from(odd.flags & FIN != 0);
        let end = seq.wrapping_add((payload.len() + odd.more) as u32).wrapping_add(ends);
        if (end.wrapping_sub(self.next[own]) as i32) > 0 {
            self.next[own] = end;
        }
        self.ids[own] = self.ids[own].wrapping_add(1);
        let turn = |(client, server)| if from_client { (client, server) } else { (server, client) };
        let (from, to) = turn(self.hosts);
        let way =
            Way { id: self.ids[own].wrapping_add(odd.id as u16), class: odd.class, ..Way::of(from, to, self.six) };
        let ports = if from_client { self.ports } else { (self.ports.1, self.ports.0) };
        let segment = Segment { ports, seq, ack, flags: odd.flags, window: odd.window, options: odd.options };
        let bytes = frames::ip(way, TCP, &frames::tcp(&segment, payload), odd.more);
        let wire_len = bytes.len() + odd.more;
        reel.push(bytes, wire_len as u32);
    }

    /// One end sends so much, and it does not pass here.
    pub(super) fn skip(&mut self, from_client: bool, len: u32) {
        let own = &mut self.next[usize::from(!from_client)];
        *own = own.wrapping_add(len);
    }

    /// SYN, SYN/ACK, ACK.
    pub(super) fn open(&mut self, reel: &mut Reel) {
        for (from_client, flags) in [(true, SYN), (false, SYN | ACK), (true, ACK)] {
            self.send(reel, from_client, &[], &Odd { flags, window: 60_000, ..Odd::default() });
        }
    }
}
