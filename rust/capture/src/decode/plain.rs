//! The shape of nearly every packet in a capture of RDMA traffic, decoded in one step: Ethernet, at most one VLAN tag, IPv4
//! without options, UDP port 4791, and the headers of a reliable connection.
//!
//! It gives what the general way would give, or nothing. A property test holds that.

use crate::address::{Address, Mac};
use crate::link::{ETHERNET, ethernet};
use crate::net;
use crate::packet::{Ip, Kind, Packet, Vlan};
use crate::rdma::headers;

const VLAN_TAG: [u8; 2] = [0x81, 0x00];
const IPV4: [u8; 2] = [0x08, 0x00];
/// Version 4 and a header of five words.
const VERSION_AND_LENGTH: u8 = 0x45;
const ROCE_V2: [u8; 2] = [0x12, 0xb7];
/// Bytes of Ethernet header, VLAN tag, IPv4 and UDP header.
const ETHERNET_LEN: usize = 14;
const TAG_LEN: usize = 4;
const IP_LEN: usize = 20;
const UDP_LEN: usize = 8;

/// A packet of that shape, whole down to the last of its headers.
#[allow(clippy::inline_always)] // measured: the packet is not carried through memory
#[inline(always)]
pub(super) fn roce(link_type: u16, data: &[u8]) -> Option<Packet<'_>> {
    if link_type != ETHERNET {
        return None;
    }
    let frame: &[u8; ETHERNET_LEN] = data.first_chunk()?;
    let (ethertype, mut at) = ([frame[12], frame[13]], ETHERNET_LEN);
    let mut vlan = None;
    if ethertype != IPV4 {
        let &[tci0, tci1, t0, t1] = data.get(ETHERNET_LEN..)?.first_chunk::<TAG_LEN>()?;
        if ethertype != VLAN_TAG || [t0, t1] != IPV4 {
            return None;
        }
        let tci = u16::from_be_bytes([tci0, tci1]);
        vlan = Some(Vlan { id: tci & 0x0fff, pcp: (tci >> 13) as u8 });
        at += TAG_LEN;
    }
    let header: &[u8; IP_LEN + UDP_LEN] = data.get(at..)?.first_chunk()?;
    let fragment = u16::from_be_bytes([header[6], header[7]]) & 0x3fff; // offset, and more to come
    if header[0] != VERSION_AND_LENGTH || header[9] != net::UDP || fragment != 0 {
        return None;
    }
    if [header[22], header[23]] != ROCE_V2 {
        return None;
    }
    let total = u32::from(u16::from_be_bytes([header[2], header[3]]));
    let datagram = u32::from(u16::from_be_bytes([header[24], header[25]]));
    let wire = datagram.checked_sub(UDP_LEN as u32)?;
    // Lengths that contradict each other are judged layer by layer.
    if datagram + IP_LEN as u32 > total {
        return None;
    }
    let message = at + IP_LEN + UDP_LEN;
    let end = data.len().min(message + wire as usize);
    let captured = data.get(message..end)?;
    let whole = if captured.len() == wire as usize { data.get(at..end) } else { None };
    let (roce, payload) = headers::at_once(wire, captured, whole)?;
    let address = |at: usize| Some(Address::V4([header[at], header[at + 1], header[at + 2], header[at + 3]]));
    Some(Packet {
        kind: Kind::Roce,
        src_mac: Some(Mac([frame[6], frame[7], frame[8], frame[9], frame[10], frame[11]])),
        dst_mac: Some(Mac([frame[0], frame[1], frame[2], frame[3], frame[4], frame[5]])),
        ethertype: Some(ethernet::IPV4),
        vlan,
        fragment: None,
        src: address(12),
        dst: address(16),
        ip: Some(Ip {
            dscp: header[1] >> 2,
            ecn: header[1] & 0b11,
            ttl: header[8],
            id: Some(u16::from_be_bytes([header[4], header[5]])),
            protocol: net::UDP,
        }),
        sport: Some(u16::from_be_bytes([header[20], header[21]])),
        dport: Some(u16::from_be_bytes([header[22], header[23]])),
        tcp: None,
        payload_len: roce.payload_len,
        roce: Some(roce),
        pause: None,
        payload,
        outer: None,
        stopped: None,
    })
}
