//! The network and transport layers: IPv4, IPv6 with its extension headers, UDP, TCP.

pub(crate) mod ipv4;
pub(crate) mod ipv6;
mod tcp;
mod udp;

use crate::packet::{Ip, Kind, Layer, Packet, Rest, Stopped, Wrapper};

/// Protocol numbers (IANA).
pub(crate) const ICMP: u8 = 1;
pub(crate) const TCP: u8 = 6;
pub(crate) const UDP: u8 = 17;
pub(crate) const ICMPV6: u8 = 58;
const IPV4: u8 = 4;
const IPV6: u8 = 41;
const GRE: u8 = 47;
/// RFC 4023.
const MPLS: u8 = 137;

/// IP of either version, by its first four bits.
pub(crate) fn decode<'a>(rest: &mut Rest<'a>, packet: &mut Packet<'a>) -> Result<(), Stopped> {
    match rest.captured().first().map(|first| first >> 4) {
        Some(6) => ipv6::decode(rest, packet),
        _ => ipv4::decode(rest, packet), // which says what is wrong with any other version
    }
}

/// The octet that was once called type of service: DSCP and ECN (RFC 3168).
fn marks(octet: u8, ttl: u8, id: Option<u16>, protocol: u8) -> Ip {
    Ip { dscp: octet >> 2, ecn: octet & 0b11, ttl, id, protocol }
}

/// What an IP header announced. `start` is where that header began.
#[inline]
fn transport<'a>(
    layer: Layer,
    protocol: u8,
    later_fragment: bool,
    start: usize,
    rest: &mut Rest<'a>,
    packet: &mut Packet<'a>,
) -> Result<(), Stopped> {
    packet.kind = match protocol {
        UDP => Kind::Udp,
        TCP => Kind::Tcp,
        ICMP | ICMPV6 => Kind::Icmp,
        _ => Kind::Other,
    };
    packet.payload_len = rest.wire();
    match protocol {
        _ if later_fragment => Err(Stopped::Fragment),
        UDP => udp::decode(start, rest, packet),
        TCP => tcp::decode(rest, packet),
        ICMP | ICMPV6 => Ok(()),
        other => wrap(layer, other, rest),
    }
}

#[cold]
fn wrap(layer: Layer, protocol: u8, rest: &mut Rest<'_>) -> Result<(), Stopped> {
    rest.announce(match protocol {
        IPV4 => Wrapper::Ipv4,
        IPV6 => Wrapper::Ipv6,
        GRE => Wrapper::Gre,
        MPLS => Wrapper::Mpls,
        other => return Err(Stopped::NotDecoded { layer, value: other.into() }),
    });
    Ok(())
}

/// Source and destination port, which UDP and TCP have in the same place. Read before the rest of the header, so that
/// a packet cut after them still has them.
fn ports(rest: &Rest<'_>, packet: &mut Packet<'_>) {
    if let Some(&[s0, s1, d0, d1]) = rest.captured().first_chunk() {
        packet.sport = Some(u16::from_be_bytes([s0, s1]));
        packet.dport = Some(u16::from_be_bytes([d0, d1]));
    }
}
