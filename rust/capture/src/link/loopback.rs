//! BSD loopback: four bytes of address family before the IP header, in the byte order of whoever captured.

use crate::net;
use crate::packet::{Layer, Packet, Rest, Stopped};

enum Family {
    Ipv4,
    Ipv6,
}

/// 2 is IPv4 everywhere; IPv6 is 24 on `NetBSD` and `OpenBSD`, 28 on `FreeBSD`, 30 on macOS. Families are small numbers,
/// so the two byte orders cannot be confused.
fn family(header: [u8; 4]) -> Result<Family, u32> {
    let (big, little) = (u32::from_be_bytes(header), u32::from_le_bytes(header));
    match big.min(little) {
        2 => Ok(Family::Ipv4),
        24 | 28 | 30 => Ok(Family::Ipv6),
        other => Err(other),
    }
}

/// Whether a packet of link type 12, which means two things, starts with an address family.
pub(super) fn fits(rest: &Rest<'_>) -> bool {
    rest.captured().first_chunk().is_some_and(|header| family(*header).is_ok())
}

pub(super) fn decode<'a>(rest: &mut Rest<'a>, packet: &mut Packet<'a>) -> Result<(), Stopped> {
    let header = *rest.take::<4>(Layer::Loopback)?;
    match family(header) {
        Ok(Family::Ipv4) => net::ipv4::decode(rest, packet),
        Ok(Family::Ipv6) => net::ipv6::decode(rest, packet),
        Err(value) => Err(Stopped::NotDecoded { layer: Layer::Loopback, value }),
    }
}
