//! From the link layer to the network layer: one file for each kind of link, chosen by the link type of the capture
//! (numbers of the tcpdump.org registry).

mod cooked;
mod erf;
pub(crate) mod ethernet;
mod infiniband;
mod loopback;
mod mac_control;

use crate::net;
use crate::packet::{Layer, Packet, Rest, Stopped};

/// BSD loopback; the address family in the byte order of the capturing machine.
pub const NULL: u16 = 0;
/// Ethernet.
pub const ETHERNET: u16 = 1;
/// Raw IP. 12 and 14 are what old systems wrote for it; 12 is also the loopback of `OpenBSD`.
pub const RAW: u16 = 101;
/// `OpenBSD` loopback; the address family in network byte order.
pub const LOOP: u16 = 108;
/// Linux cooked capture, version 1.
pub const LINUX_SLL: u16 = 113;
/// Endace extensible record format; `ibdump` writes it.
pub const ERF: u16 = 197;
/// Raw IPv4.
pub const IPV4: u16 = 228;
/// Raw IPv6.
pub const IPV6: u16 = 229;
/// Native InfiniBand, from the LRH on.
pub const INFINIBAND: u16 = 247;
/// Linux cooked capture, version 2.
pub const LINUX_SLL2: u16 = 276;

/// Decodes a packet of this link type into `packet`.
#[inline]
pub(crate) fn decode<'a>(link_type: u16, rest: &mut Rest<'a>, packet: &mut Packet<'a>) -> Result<(), Stopped> {
    match link_type {
        ETHERNET => ethernet::decode(rest, packet),
        LINUX_SLL2 => cooked::decode_v2(rest, packet),
        LINUX_SLL => cooked::decode_v1(rest, packet),
        12 if loopback::fits(rest) => loopback::decode(rest, packet),
        RAW | 12 | 14 => net::decode(rest, packet),
        IPV4 => net::ipv4::decode(rest, packet),
        IPV6 => net::ipv6::decode(rest, packet),
        NULL | LOOP => loopback::decode(rest, packet),
        ERF => erf::decode(rest, packet),
        INFINIBAND => infiniband::decode(rest, packet),
        other => Err(Stopped::NotDecoded { layer: Layer::LinkType, value: other.into() }),
    }
}
