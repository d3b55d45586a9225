//! Tunnel headers, written like those of [`super::build`]: each function puts its header before what it is given.

use super::build::{IPV4, ethernet, ipv4, udp};

/// GRE with the optional fields that the flags ask for.
pub(super) fn gre(flags: u16, fields: &[u32], protocol: u16, payload: &[u8]) -> Vec<u8> {
    let fields: Vec<u8> = fields.iter().flat_map(|field| field.to_be_bytes()).collect();
    [&flags.to_be_bytes()[..], &protocol.to_be_bytes(), &fields, payload].concat()
}

/// ERSPAN II of session 0x155 inside GRE number 7.
pub(super) fn erspan_ii(truncated: bool, payload: &[u8]) -> Vec<u8> {
    let word = 0x0155 | u16::from(truncated) << 10;
    let header = [&[0x10, 100][..], &word.to_be_bytes(), &[0, 0, 0, 9]].concat();
    gre(0x1000, &[7], 0x88be, &[&header, payload].concat())
}

/// ERSPAN III of session 0x2aa inside GRE number 8.
pub(super) fn erspan_iii(frame_type: u16, platform: bool, payload: &[u8]) -> Vec<u8> {
    let fields = frame_type << 10 | u16::from(platform);
    let header = [&[0x20, 100, 2, 0xaa, 0x11, 0x22, 0x33, 0x44, 0, 0][..], &fields.to_be_bytes()].concat();
    let sub_header = if platform { &[0x0c, 0, 0, 0, 0, 0, 0, 1][..] } else { &[] };
    gre(0x1000, &[8], 0x22eb, &[&header, sub_header, payload].concat())
}

pub(super) fn vxlan(flags: [u8; 4], vni: u32, payload: &[u8]) -> Vec<u8> {
    [&flags[..], &(vni << 8).to_be_bytes(), payload].concat()
}

pub(super) fn geneve(options: &[u8], protocol: u16, payload: &[u8]) -> Vec<u8> {
    let header = [&[options.len() as u8 / 4, 0][..], &protocol.to_be_bytes(), &[0, 0x12, 0x34, 0]].concat();
    [&header, options, payload].concat()
}

/// GTP-U of tunnel endpoint 0xfeedbeef; what its flags announce is in `optional`.
pub(super) fn gtp(flags: u8, optional: &[u8], payload: &[u8]) -> Vec<u8> {
    let len = (optional.len() + payload.len()) as u16;
    [&[0x30 | flags, 0xff][..], &len.to_be_bytes(), &[0xfe, 0xed, 0xbe, 0xef], optional, payload].concat()
}

/// A stack of labels, outermost first.
pub(super) fn mpls(labels: &[u32], payload: &[u8]) -> Vec<u8> {
    let entry = |(at, label): (usize, &u32)| label << 12 | u32::from(at + 1 == labels.len()) << 8 | 64;
    let stack: Vec<u8> = labels.iter().enumerate().flat_map(|label| entry(label).to_be_bytes()).collect();
    [&stack, payload].concat()
}

pub(super) fn pppoe(session: u16, protocol: u16, payload: &[u8]) -> Vec<u8> {
    let len = payload.len() as u16 + 2;
    let header = [&[0x11, 0][..], &session.to_be_bytes(), &len.to_be_bytes(), &protocol.to_be_bytes()].concat();
    [&header, payload].concat()
}

/// An IPv4 packet between two ends that no other packet of these tests has: 192.0.2.7 to 192.0.2.8, DSCP 0, CE, TTL 9.
pub(super) fn between_ends(protocol: u8, payload: &[u8]) -> Vec<u8> {
    let mut packet = ipv4(protocol, payload);
    packet[1] = 3;
    packet[8] = 9;
    packet[12..20].copy_from_slice(&[192, 0, 2, 7, 192, 0, 2, 8]);
    packet
}

/// A frame from one end of a UDP tunnel to the other.
pub(super) fn over_udp(port: u16, payload: &[u8]) -> Vec<u8> {
    ethernet(IPV4, &between_ends(17, &udp(50_000, port, payload)))
}

/// A frame from one end of an IP tunnel to the other.
pub(super) fn over_ip(protocol: u8, payload: &[u8]) -> Vec<u8> {
    ethernet(IPV4, &between_ends(protocol, payload))
}

/// A frame that is itself in a tunnel: 06:00:00:00:00:06 to 06:00:00:00:00:07.
pub(super) fn inner_frame(ethertype: u16, payload: &[u8]) -> Vec<u8> {
    let mut frame = ethernet(ethertype, payload);
    frame[..12].copy_from_slice(&[6, 0, 0, 0, 0, 7, 6, 0, 0, 0, 0, 6]);
    frame
}
