//! ERF records inside pcap (link type 197): capture cards, and `ibdump` on InfiniBand. Layout after the Endace ERF
//! types reference; the time stamp of the pcap record is the one that is used.

use crate::net;
use crate::packet::{Layer, Packet, Rest, Stopped};

use super::{ethernet, infiniband};

/// ERF counts the FCS of an Ethernet frame in the wire length, and captures it.
const FCS: u32 = 4;

pub(super) fn decode<'a>(rest: &mut Rest<'a>, packet: &mut Packet<'a>) -> Result<(), Stopped> {
    let [_, _, _, _, _, _, _, _, kind, _, _, _, _, _, w0, w1] = *rest.take::<16>(Layer::Erf)?;
    let wire_len = u32::from(u16::from_be_bytes([w0, w1]));
    let mut more = kind & 0x80 != 0;
    while more {
        more = rest.take::<8>(Layer::Erf)?[0] & 0x80 != 0;
    }
    match kind & 0x7f {
        // Ethernet, alone or with a colour, a steering or a hash field in place of the loss counter
        2 | 11 | 16 | 20 => {
            rest.skip(2, Layer::Erf)?;
            *rest = rest.of_wire(wire_len.saturating_sub(FCS));
            ethernet::decode(rest, packet)
        }
        21 => {
            *rest = rest.of_wire(wire_len);
            infiniband::decode(rest, packet)
        }
        22 => {
            *rest = rest.of_wire(wire_len);
            net::ipv4::decode(rest, packet)
        }
        23 => {
            *rest = rest.of_wire(wire_len);
            net::ipv6::decode(rest, packet)
        }
        other => Err(Stopped::NotDecoded { layer: Layer::Erf, value: other.into() }),
    }
}
