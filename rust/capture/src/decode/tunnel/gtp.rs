//! GTP-U: user traffic of mobile networks (3GPP TS 29.281, section 5).

use super::{Carries, Header, take_guessed};
use crate::packet::{Layer, Rest, Stopped, Tunnel};

pub(super) const PORT: u16 = 2152;

/// A packet of a user; every other type is signalling.
const G_PDU: u8 = 0xff;
/// Extension headers follow.
const EXTENDED: u8 = 0x04;
/// Any of extension header, sequence number, N-PDU number: then four bytes hold all three.
const OPTIONAL: u8 = 0x07;

/// GTP-U, if it is version 1, protocol type 1, a user's packet, and no longer than the datagram.
pub(super) fn guess(rest: &mut Rest<'_>) -> Result<Option<Header>, Stopped> {
    let fixed = take_guessed::<8>(rest, Layer::Gtp, |flags| flags >> 3 == 0b00110)?;
    let Some(&[flags, kind, l0, l1, t0, t1, t2, t3]) = fixed else { return Ok(None) };
    let len = u32::from(u16::from_be_bytes([l0, l1]));
    if kind != G_PDU || rest.wire().is_some_and(|wire| wire < len) {
        return Ok(None);
    }
    rest.limit(len);
    if flags & OPTIONAL != 0 {
        let [_, _, _, mut next] = *rest.take::<4>(Layer::Gtp)?;
        while flags & EXTENDED != 0 && next != 0 {
            next = pass_extension(rest)?;
        }
    }
    let mut ahead = *rest;
    let [first] = *ahead.take::<1>(Layer::Gtp)?;
    let carries = match first >> 4 {
        4 => Carries::Ipv4,
        6 => Carries::Ipv6,
        other => return Err(Stopped::NotDecoded { layer: Layer::Gtp, value: other.into() }),
    };
    Ok(Some(Header::new(Tunnel::Gtp, Some(u32::from_be_bytes([t0, t1, t2, t3])), carries)))
}

/// An extension header: its length in units of 4 bytes is the first byte, the type of the next one the last.
fn pass_extension(rest: &mut Rest<'_>) -> Result<u8, Stopped> {
    let [units] = *rest.take::<1>(Layer::Gtp)?;
    let Some(content) = (usize::from(units) * 4).checked_sub(2) else {
        return Err(Stopped::BadField { layer: Layer::Gtp, field: "extension header length", value: 0 });
    };
    rest.skip(content, Layer::Gtp)?;
    let [next] = *rest.take::<1>(Layer::Gtp)?;
    Ok(next)
}
