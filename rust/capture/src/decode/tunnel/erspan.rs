//! ERSPAN, a mirror port sent through a network (draft-foschiano-erspan). Type I has no header of its own.

use super::{Carries, Header};
use crate::packet::{Entered, Layer, Mirror, Rest, Stopped, Tunnel};

/// The mirror shortened the packet.
const TRUNCATED: u16 = 0x0400;
const SESSION: u16 = 0x03ff;
/// Port index of type II.
const INDEX: u32 = 0x000f_ffff;
/// Type III: an 8-byte header of the platform follows.
const SUBHEADER: u16 = 1;
/// Type III: the packet was leaving the switch.
const EGRESS: u16 = 0x0008;

/// Type I: Ethernet follows at once.
pub(super) fn type_i() -> Header {
    header(0, Mirror::default(), Carries::Ethernet)
}

/// Type II; its version field says 1.
pub(super) fn read_ii(seq: Option<u32>, rest: &mut Rest<'_>) -> Result<Header, Stopped> {
    let [v, _, s0, s1, i0, i1, i2, i3] = *rest.take::<8>(Layer::Erspan)?;
    version(v, 1)?;
    let word = u16::from_be_bytes([s0, s1]);
    let index = u32::from_be_bytes([i0, i1, i2, i3]) & INDEX;
    let mirror = Mirror { session: Some(word & SESSION), seq, index: Some(index), ..Mirror::default() };
    Ok(header(word, mirror, Carries::Ethernet))
}

/// Type III; its version field says 2.
pub(super) fn read_iii(seq: Option<u32>, rest: &mut Rest<'_>) -> Result<Header, Stopped> {
    let [v, _, s0, s1, t0, t1, t2, t3, _, _, f0, f1] = *rest.take::<12>(Layer::Erspan)?;
    version(v, 2)?;
    let (word, fields) = (u16::from_be_bytes([s0, s1]), u16::from_be_bytes([f0, f1]));
    let platform = if fields & SUBHEADER == 0 { None } else { Some(*rest.take::<8>(Layer::Erspan)?) };
    let carries = match fields >> 10 & 0x1f {
        0 => Carries::Ethernet,
        2 => match rest.captured().first().map(|first| first >> 4) {
            Some(6) => Carries::Ipv6,
            _ => Carries::Ipv4, // which says what is wrong with any other version
        },
        // Cisco's switches send marker packets of type 7 that tell the time; the sequence counts them too.
        other => Carries::Unread(Stopped::NotDecoded { layer: Layer::Erspan, value: other.into() }),
    };
    let mirror = Mirror {
        session: Some(word & SESSION),
        seq,
        egress: Some(fields & EGRESS != 0),
        time: time(fields >> 1 & 3, u32::from_be_bytes([t0, t1, t2, t3]), platform),
        hardware: Some((fields >> 4 & 0x3f) as u8),
        index: None,
    };
    Ok(header(word, mirror, carries))
}

/// Nanoseconds of a time stamp of this granularity. The header has 32 bits of it; some platforms send the rest.
fn time(granularity: u16, stamp: u32, platform: Option<[u8; 8]>) -> Option<i64> {
    let (id, more) = platform.map_or((0, 0), |[id, _, _, _, m0, m1, m2, m3]| {
        (id >> 2, u32::from_be_bytes([m0, m1, m2, m3])) // six bits of platform
    });
    let long = match id {
        3 | 7 => u64::from(more) << 32 | u64::from(stamp),
        _ => u64::from(stamp),
    };
    let ns = match granularity {
        0 => long.checked_mul(100_000)?,
        1 => long.checked_mul(100)?,
        // IEEE 1588: the nanoseconds; the seconds are in the header of platform 5.
        2 if id == 5 => u64::from(more) * 1_000_000_000 + u64::from(stamp),
        2 => long,
        _ => return None, // as somebody configured it
    };
    i64::try_from(ns).ok()
}

fn version(first: u8, expected: u8) -> Result<(), Stopped> {
    let version = first >> 4;
    if version != expected {
        return Err(Stopped::BadField { layer: Layer::Erspan, field: "version", value: version.into() });
    }
    Ok(())
}

fn header(word: u16, mirror: Mirror, carries: Carries) -> Header {
    let (id, truncated) = (mirror.session.map(u32::from), word & TRUNCATED != 0);
    Header {
        entered: Entered { tunnel: Tunnel::Erspan, id, seq: mirror.seq, truncated, mirror: Some(mirror) },
        carries,
    }
}
