//! PPP (RFC 1661), in `PPPoE` sessions (RFC 2516) and in GRE.

use super::{Carries, Header};
use crate::link::ethernet::MPLS;
use crate::packet::{Layer, Rest, Stopped, Tunnel};

/// Version 1, type 1.
const PPPOE: u8 = 0x11;
/// Address and control field, which links may agree to leave out; no protocol number begins like the address.
const ALL_STATIONS: u8 = 0xff;
const UNNUMBERED: u8 = 0x03;

/// A packet of a `PPPoE` session.
pub(super) fn read_pppoe(rest: &mut Rest<'_>) -> Result<Header, Stopped> {
    let [version, code, s0, s1, l0, l1] = *rest.take::<6>(Layer::Pppoe)?;
    if version != PPPOE {
        return Err(Stopped::BadField { layer: Layer::Pppoe, field: "version and type", value: version.into() });
    }
    if code != 0 {
        return Err(Stopped::NotDecoded { layer: Layer::Pppoe, value: code.into() });
    }
    rest.limit(u16::from_be_bytes([l0, l1]).into());
    Ok(Header::new(Tunnel::Pppoe, Some(u16::from_be_bytes([s0, s1]).into()), read(rest)?))
}

/// The protocol field, and what it announces. Numbers below 256 may be sent in one byte: those are odd, and the first
/// byte of longer ones is even.
pub(super) fn read(rest: &mut Rest<'_>) -> Result<Carries, Stopped> {
    let [mut first] = *rest.take::<1>(Layer::Ppp)?;
    if first == ALL_STATIONS {
        let [control] = *rest.take::<1>(Layer::Ppp)?;
        if control != UNNUMBERED {
            return Err(Stopped::BadField { layer: Layer::Ppp, field: "control field", value: control.into() });
        }
        [first] = *rest.take::<1>(Layer::Ppp)?;
    }
    let protocol =
        if first & 1 == 1 { first.into() } else { u16::from_be_bytes([first, rest.take::<1>(Layer::Ppp)?[0]]) };
    match protocol {
        0x0021 => Ok(Carries::Ipv4),
        0x0057 => Ok(Carries::Ipv6),
        0x0281 => Ok(Carries::Type(MPLS[0])),
        0x0283 => Ok(Carries::Type(MPLS[1])),
        other => Err(Stopped::NotDecoded { layer: Layer::Ppp, value: other.into() }),
    }
}
