//! Ethernet II and 802.3, with any VLAN tags; and what follows an ethertype, on whatever link it stood.

use crate::address::Mac;
use crate::packet::{Kind, Layer, Packet, Rest, Stopped, Vlan};
use crate::{net, rdma};

use super::mac_control;

const IPV4: u16 = 0x0800;
const ARP: u16 = 0x0806;
const IPV6: u16 = 0x86dd;
const MAC_CONTROL: u16 = 0x8808;
const ROCE_V1: u16 = 0x8915;
const LLDP: u16 = 0x88cc;
/// 802.1Q, 802.1ad, and the two numbers that vendors used before 802.1ad.
const TAGS: [u16; 4] = [0x8100, 0x88a8, 0x9100, 0x9200];
/// Below this the field is the length of an 802.3 frame (IEEE 802.3, 3.2.6).
const FIRST_ETHERTYPE: u16 = 0x0600;
/// A frame without FCS that is no longer than this may end in padding, which only a length field can tell.
const SHORTEST_PAYLOAD: u32 = 46;

pub(super) fn decode<'a>(rest: &mut Rest<'a>, packet: &mut Packet<'a>) -> Result<(), Stopped> {
    let [d0, d1, d2, d3, d4, d5, s0, s1, s2, s3, s4, s5, t0, t1] = *rest.take::<14>(Layer::Ethernet)?;
    packet.dst_mac = Some(Mac([d0, d1, d2, d3, d4, d5]));
    packet.src_mac = Some(Mac([s0, s1, s2, s3, s4, s5]));
    after_type(u16::from_be_bytes([t0, t1]), rest, packet)
}

/// What follows a type field: tags, then the network layer.
#[inline]
pub(super) fn after_type<'a>(mut ethertype: u16, rest: &mut Rest<'a>, packet: &mut Packet<'a>) -> Result<(), Stopped> {
    while TAGS.contains(&ethertype) {
        let [tci0, tci1, t0, t1] = *rest.take::<4>(Layer::Vlan)?;
        let tci = u16::from_be_bytes([tci0, tci1]);
        packet.vlan = packet.vlan.or(Some(Vlan { id: tci & 0x0fff, pcp: (tci >> 13) as u8 }));
        ethertype = u16::from_be_bytes([t0, t1]);
    }
    if ethertype < FIRST_ETHERTYPE {
        rest.limit(ethertype.into());
        return llc(rest, packet);
    }
    network(ethertype, rest, packet)
}

#[inline]
fn network<'a>(ethertype: u16, rest: &mut Rest<'a>, packet: &mut Packet<'a>) -> Result<(), Stopped> {
    packet.ethertype = Some(ethertype);
    packet.payload_len = rest.wire().filter(|&wire| wire > SHORTEST_PAYLOAD);
    match ethertype {
        IPV4 => net::ipv4::decode(rest, packet),
        IPV6 => net::ipv6::decode(rest, packet),
        MAC_CONTROL => mac_control::decode(rest, packet),
        ROCE_V1 => rdma::grh::decode(rdma::Encapsulation::RoceV1, rest, packet),
        ARP => {
            packet.kind = Kind::Arp;
            Ok(())
        }
        LLDP => {
            packet.kind = Kind::Lldp;
            Ok(())
        }
        other => Err(Stopped::NotDecoded { layer: Layer::Ethernet, value: other.into() }),
    }
}

/// IEEE 802.2, and inside it the SNAP header that carries an ethertype.
pub(super) fn llc<'a>(rest: &mut Rest<'a>, packet: &mut Packet<'a>) -> Result<(), Stopped> {
    const SNAP: [u8; 3] = [0xaa, 0xaa, 0x03];
    let llc = *rest.take::<3>(Layer::Llc)?;
    packet.payload_len = rest.wire();
    if llc != SNAP {
        return Err(Stopped::NotDecoded { layer: Layer::Llc, value: llc[0].into() });
    }
    let [oui0, oui1, oui2, t0, t1] = *rest.take::<5>(Layer::Llc)?;
    let ethertype = u16::from_be_bytes([t0, t1]);
    // Other organisations number their own protocols.
    if [oui0, oui1, oui2] != [0; 3] || ethertype < FIRST_ETHERTYPE {
        return Err(Stopped::NotDecoded { layer: Layer::Llc, value: SNAP[0].into() });
    }
    network(ethertype, rest, packet) // no second round of tags and LLC: a packet must not decide how deep we recurse
}
