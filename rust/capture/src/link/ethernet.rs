//! Ethernet II and 802.3, with any VLAN tags; and what follows an ethertype, on whatever link it stood.

use crate::address::Mac;
use crate::packet::{Kind, Layer, Packet, Rest, Stopped, Vlan, Wrapper};
use crate::{net, rdma};

use super::mac_control;

pub(crate) const IPV4: u16 = 0x0800;
const ARP: u16 = 0x0806;
pub(crate) const IPV6: u16 = 0x86dd;
const MAC_CONTROL: u16 = 0x8808;
const ROCE_V1: u16 = 0x8915;
const LLDP: u16 = 0x88cc;
/// IEEE 802.3 annex 57A; the first byte tells which of the slow protocols it is.
const SLOW_PROTOCOLS: u16 = 0x8809;
const LACP: u8 = 1;
/// A label stack, to one or to several receivers (RFC 5332).
pub(crate) const MPLS: [u16; 2] = [0x8847, 0x8848];
/// RFC 2516; the discovery stage, 0x8863, carries no packets.
const PPPOE_SESSION: u16 = 0x8864;
/// RFC 8300.
pub(crate) const NSH: u16 = 0x894f;
/// 802.1Q, 802.1ad, and the two numbers that vendors used before 802.1ad.
const TAGS: [u16; 4] = [0x8100, 0x88a8, 0x9100, 0x9200];
/// Below this the field is the length of an 802.3 frame (IEEE 802.3, 3.2.6).
const FIRST_ETHERTYPE: u16 = 0x0600;
/// A frame without FCS that is no longer than this may end in padding, which only a length field can tell.
const SHORTEST_PAYLOAD: u32 = 46;

pub(crate) fn decode<'a>(rest: &mut Rest<'a>, packet: &mut Packet<'a>) -> Result<(), Stopped> {
    let [d0, d1, d2, d3, d4, d5, s0, s1, s2, s3, s4, s5, t0, t1] = *rest.take::<14>(Layer::Ethernet)?;
    packet.dst_mac = Some(Mac([d0, d1, d2, d3, d4, d5]));
    packet.src_mac = Some(Mac([s0, s1, s2, s3, s4, s5]));
    after_type(u16::from_be_bytes([t0, t1]), rest, packet)
}

/// What follows a type field: tags, then the network layer.
#[inline]
pub(crate) fn after_type<'a>(ethertype: u16, rest: &mut Rest<'a>, packet: &mut Packet<'a>) -> Result<(), Stopped> {
    match ethertype {
        IPV4 | IPV6 => network(ethertype, rest, packet), // nearly all packets: no look at what else it could be
        other => after_tags(other, rest, packet),
    }
}

fn after_tags<'a>(mut ethertype: u16, rest: &mut Rest<'a>, packet: &mut Packet<'a>) -> Result<(), Stopped> {
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
        other => seldom(other, rest, packet),
    }
}

#[cold]
fn seldom(ethertype: u16, rest: &mut Rest<'_>, packet: &mut Packet<'_>) -> Result<(), Stopped> {
    if ethertype == SLOW_PROTOCOLS && rest.captured().first() == Some(&LACP) {
        packet.kind = Kind::Lacp;
        return Ok(());
    }
    let Some(wrapper) = wrapper(ethertype) else {
        return Err(Stopped::NotDecoded { layer: Layer::Ethernet, value: ethertype.into() });
    };
    rest.announce(wrapper);
    Ok(())
}

fn wrapper(ethertype: u16) -> Option<Wrapper> {
    match ethertype {
        PPPOE_SESSION => Some(Wrapper::Pppoe),
        NSH => Some(Wrapper::Nsh),
        other => MPLS.contains(&other).then_some(Wrapper::Mpls),
    }
}

/// Whether bytes of which nobody said what they are have the type field of an Ethernet header where it should be.
pub(crate) fn looks_like_ethernet(bytes: &[u8]) -> bool {
    bytes.get(12..).and_then(<[u8]>::first_chunk).is_some_and(|bytes| {
        let ethertype = u16::from_be_bytes(*bytes);
        [IPV4, ARP, IPV6, ROCE_V1, LLDP, MAC_CONTROL].contains(&ethertype)
            || TAGS.contains(&ethertype)
            || wrapper(ethertype).is_some()
    })
}

/// IEEE 802.2, and inside it the SNAP header that carries an ethertype.
pub(super) fn llc<'a>(rest: &mut Rest<'a>, packet: &mut Packet<'a>) -> Result<(), Stopped> {
    const SNAP: [u8; 3] = [0xaa, 0xaa, 0x03];
    /// The spanning tree protocols (IEEE 802.1D, 7.12.3).
    const BRIDGES: [u8; 3] = [0x42, 0x42, 0x03];
    /// Cisco numbers its own protocols: CDP, and the spanning tree of one VLAN (PVST).
    const CISCO: [u8; 3] = [0, 0, 0x0c];
    const CDP: u16 = 0x2000;
    const PVST: u16 = 0x010b;
    let llc = *rest.take::<3>(Layer::Llc)?;
    packet.payload_len = rest.wire();
    if llc == BRIDGES {
        packet.kind = Kind::Stp;
        return Ok(());
    }
    if llc != SNAP {
        return Err(Stopped::NotDecoded { layer: Layer::Llc, value: llc[0].into() });
    }
    let [oui0, oui1, oui2, t0, t1] = *rest.take::<5>(Layer::Llc)?;
    let ethertype = u16::from_be_bytes([t0, t1]);
    match ([oui0, oui1, oui2], ethertype) {
        (CISCO, CDP) => packet.kind = Kind::Cdp,
        (CISCO, PVST) => packet.kind = Kind::Stp,
        // no second round of tags and LLC: a packet must not decide how deep we recurse
        ([0, 0, 0], FIRST_ETHERTYPE..) => return network(ethertype, rest, packet),
        _ => return Err(Stopped::NotDecoded { layer: Layer::Llc, value: SNAP[0].into() }),
    }
    packet.payload_len = rest.wire();
    Ok(())
}
