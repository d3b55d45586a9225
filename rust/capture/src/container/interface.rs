//! One capture interface of a pcapng section: how its times and lengths are to be read, and what it dropped
//! (draft-ietf-opsawg-pcapng, 4.2).

use super::Order;
use super::interfaces::Described;
use super::options::Options;

const IF_TSRESOL: u16 = 9;
const IF_FCSLEN: u16 = 13;
const IF_TSOFFSET: u16 = 14;
const NS_PER_S: i128 = 1_000_000_000;

/// An interface.
pub(super) struct Interface {
    /// Its number in the capture.
    pub(super) number: u32,
    pub(super) link_type: u16,
    /// 0 when the interface sets no limit.
    pub(super) snap_len: u32,
    /// Bytes of FCS at the end of every packet.
    pub(super) fcs: u32,
    ticks: Ticks,
    /// Seconds to add to every time.
    offset: i64,
    /// Packets of the last interface statistics block.
    pub(super) received: Option<u64>,
    /// Drops of the last interface statistics block.
    pub(super) dropped_in_total: Option<u64>,
    /// Drops that packet blocks reported one by one.
    pub(super) dropped_between: Option<u64>,
}

/// What one unit of a time stamp is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ticks {
    /// So many nanoseconds.
    Long(u64),
    /// So many of them make a nanosecond.
    Short(u128),
    /// 2^-n seconds.
    Binary(u32),
}

impl Ticks {
    /// From the value of `if_tsresol`: the high bit chooses between powers of 10 and of 2, the others are the negative
    /// exponent.
    fn of(resolution: u8) -> Self {
        let exponent = u32::from(resolution & 0x7f);
        match (resolution & 0x80, exponent) {
            (0, 0..=9) => Self::Long(10u64.pow(9 - exponent)),
            (0, _) => Self::Short(10u128.checked_pow(exponent - 9).unwrap_or(u128::MAX)),
            _ => Self::Binary(exponent),
        }
    }

    /// Nanoseconds of so many units, cut to whole ones.
    fn ns(self, count: u64) -> i128 {
        let count = u128::from(count);
        let ns = match self {
            Self::Long(ns) => count * u128::from(ns),
            Self::Short(part) => count / part,
            Self::Binary(exponent) => (count * NS_PER_S as u128) >> exponent,
        };
        ns as i128 // at most 2^64 * 10^9 < 2^94
    }
}

impl Interface {
    /// From the body of an interface description block; `None` when it is too short to be one.
    pub(super) fn of(order: Order, body: &[u8]) -> Option<Self> {
        let (&[l0, l1, _, _, s0, s1, s2, s3], options) = body.split_first_chunk()?;
        let mut interface = Self {
            number: 0,
            link_type: order.u16([l0, l1]),
            snap_len: order.u32([s0, s1, s2, s3]),
            fcs: 0,
            ticks: Ticks::of(6), // microseconds when the option is absent
            offset: 0,
            received: None,
            dropped_in_total: None,
            dropped_between: None,
        };
        for (code, value) in Options::of(order, options) {
            match (code, value) {
                (IF_TSRESOL, &[resolution]) => interface.ticks = Ticks::of(resolution),
                (IF_FCSLEN, &[len]) => interface.fcs = fcs_bytes(len),
                (IF_TSOFFSET, _) => {
                    if let Ok(seconds) = value.try_into() {
                        interface.offset = order.u64(seconds) as i64;
                    }
                }
                _ => {}
            }
        }
        Some(interface)
    }

    /// As a person knows it.
    pub(super) fn described(&self, order: Order, options: &[u8]) -> Described {
        let mut described = Described {
            link_type: self.link_type,
            snap_len: Some(self.snap_len).filter(|&limit| limit != 0),
            resolution: self.resolution(),
            ..Described::default()
        };
        described.read(order, options);
        described
    }

    /// Nanoseconds since 1970 of a time stamp of this interface; `None` where an `i64` cannot hold them.
    #[inline]
    pub(super) fn time(&self, high: u32, low: u32) -> Option<i64> {
        let count = u64::from(high) << 32 | u64::from(low);
        if let (Ticks::Long(ns), 0) = (self.ticks, self.offset) {
            return count.checked_mul(ns)?.try_into().ok();
        }
        (self.ticks.ns(count) + i128::from(self.offset) * NS_PER_S).try_into().ok()
    }

    /// Nanoseconds of one step of its clock; 1 for everything finer.
    pub(super) fn resolution(&self) -> i64 {
        (self.ticks.ns(1) as i64).max(1)
    }

    /// What this interface reported as dropped: the total and the single reports speak of the same packets.
    pub(super) fn dropped(&self) -> Option<u64> {
        self.dropped_in_total.max(self.dropped_between)
    }

    /// One packet block reports drops since the packet before it.
    pub(super) fn dropped_before_packet(&mut self, count: u64) {
        self.dropped_between = Some(self.dropped_between.unwrap_or(0).saturating_add(count));
    }
}

/// The option counts bytes; older drafts said bits, and no FCS is 16 or 32 bytes long.
fn fcs_bytes(len: u8) -> u32 {
    match len {
        0..=8 => len.into(),
        16 | 32 => u32::from(len) / 8,
        _ => 0,
    }
}
