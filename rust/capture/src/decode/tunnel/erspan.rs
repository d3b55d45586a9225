//! ERSPAN, a mirror port sent through a network (draft-foschiano-erspan). Type I has no header of its own.

use super::{Carries, Header};
use crate::packet::{Entered, Layer, Rest, Stopped, Tunnel};

/// The mirror shortened the packet.
const TRUNCATED: u16 = 0x0400;
const SESSION: u16 = 0x03ff;

/// Type II; its version field says 1.
pub(super) fn read_ii(seq: Option<u32>, rest: &mut Rest<'_>) -> Result<Header, Stopped> {
    let [v, _, s0, s1, _, _, _, _] = *rest.take::<8>(Layer::Erspan)?;
    version(v, 1)?;
    Ok(header(u16::from_be_bytes([s0, s1]), seq, Carries::Ethernet))
}

/// Type III; its version field says 2. It may have another 8 bytes of the platform that sent it.
pub(super) fn read_iii(seq: Option<u32>, rest: &mut Rest<'_>) -> Result<Header, Stopped> {
    let [v, _, s0, s1, _, _, _, _, _, _, f0, f1] = *rest.take::<12>(Layer::Erspan)?;
    version(v, 2)?;
    let fields = u16::from_be_bytes([f0, f1]);
    if fields & 1 != 0 {
        rest.skip(8, Layer::Erspan)?;
    }
    let carries = match fields >> 10 & 0x1f {
        0 => Carries::Ethernet,
        2 => match rest.captured().first().map(|first| first >> 4) {
            Some(6) => Carries::Ipv6,
            _ => Carries::Ipv4, // which says what is wrong with any other version
        },
        other => return Err(Stopped::NotDecoded { layer: Layer::Erspan, value: other.into() }),
    };
    Ok(header(u16::from_be_bytes([s0, s1]), seq, carries))
}

fn version(first: u8, expected: u8) -> Result<(), Stopped> {
    let version = first >> 4;
    if version != expected {
        return Err(Stopped::BadField { layer: Layer::Erspan, field: "version", value: version.into() });
    }
    Ok(())
}

fn header(word: u16, seq: Option<u32>, carries: Carries) -> Header {
    let (id, truncated) = (Some(u32::from(word & SESSION)), word & TRUNCATED != 0);
    Header { entered: Entered { tunnel: Tunnel::Erspan, id, seq, truncated }, carries }
}
