//! One segment, as the analysis of a connection needs it.

use super::options::Options;
use crate::packet::Tcp;
use crate::tables::captured::Captured;
use crate::track::conversations::{FIN, RST, SYN};

/// RFC 3168: congestion experienced.
const CE: u8 = 0b11;

/// From one time to a later one; `None` when the clock went back in between.
pub fn span(from: i64, to: i64) -> Option<i64> {
    to.checked_sub(from).filter(|span| *span >= 0)
}

/// A segment that passed the tap.
#[derive(Debug, Clone, Copy)]
pub struct Segment<'a> {
    pub frame: u64,
    pub ts: i64,
    pub seq: u32,
    pub ack: u32,
    /// Payload bytes on the wire.
    pub len: u32,
    pub window: u16,
    pub flags: u8,
    pub ce: bool,
    /// IPv4 identification; IPv6 has none.
    pub id: Option<u16>,
    pub options: Options<'a>,
    /// The same as captured; a SYN's say more.
    pub raw_options: &'a [u8],
}

impl<'a> Segment<'a> {
    /// A segment with `len` bytes of payload. `ts` stands for the time of one that has none.
    #[inline]
    pub fn of(row: &Captured<'a>, tcp: &Tcp<'a>, len: u32, ts: i64) -> Self {
        let ip = row.packet.ip;
        Self {
            frame: row.frame,
            ts: row.ts.unwrap_or(ts),
            seq: tcp.seq,
            ack: tcp.ack,
            len,
            window: tcp.window,
            flags: tcp.flags,
            ce: ip.is_some_and(|ip| ip.ecn == CE),
            id: ip.and_then(|ip| ip.id).filter(|&id| id != 0), // Linux sends 0 where fragments are forbidden
            options: Options::read(tcp.options),
            raw_options: tcp.options,
        }
    }

    /// How long it came after that; `None` when the clock went back in between.
    pub fn since(&self, ts: i64) -> Option<i64> {
        span(ts, self.ts)
    }

    pub const fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// SYN, FIN or RST is set.
    pub const fn opens_or_ends(&self) -> bool {
        self.flags & (SYN | FIN | RST) != 0
    }

    /// It takes sequence numbers: data, SYN or FIN.
    pub const fn takes_space(&self) -> bool {
        self.len > 0 || self.has(SYN | FIN)
    }

    /// The sequence number after it.
    pub const fn end(&self) -> u32 {
        let flags = self.has(SYN) as u32 + self.has(FIN) as u32;
        self.seq.wrapping_add(self.len).wrapping_add(flags)
    }
}
