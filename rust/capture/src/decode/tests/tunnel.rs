//! Packets inside packets: the innermost is the packet, and the way to it is told.

use proptest::prelude::*;

use super::build::{IPV4, IPV6, bth, ethernet, ipv4, ipv6, tag, tcp, udp};
use super::wrap::{
    between_ends, erspan_ii, erspan_iii, geneve, gre, gtp, inner_frame, mpls, over_ip, over_udp, pppoe, vxlan,
};
use super::{Layer, Packet, Stopped, cuts_are_told, decode, whole};
use crate::address::{Address, Mac};
use crate::packet::{Ip, Kind, Mirror, Outer, Tunnel, Vlan};
use crate::rdma::icrc_ok;

const VNI: [u8; 4] = [8, 0, 0, 0];

/// What carries what, and what must be known of it: tunnel, its name, sequence number, whether there is an outer IP header.
type Case = (&'static str, Vec<u8>, Tunnel, Option<u32>, Option<u32>, bool);

fn segment() -> Vec<u8> {
    ipv4(6, &tcp(&[], b"data"))
}

fn framed() -> Vec<u8> {
    inner_frame(IPV4, &segment())
}

/// Every encapsulation around the same TCP segment.
fn cases() -> Vec<Case> {
    use Tunnel::{Erspan, Geneve, Gre, Gtp, Ipip, Mpls, Nvgre, Pppoe, Vxlan};
    let six = ipv6(6, &tcp(&[], b"data"));
    let nsh = [&[0, 6, 1, 1, 0, 0, 1, 255][..], &[0; 16], &segment()].concat();
    let optional = [0, 5, 0, 0x85, 1, 0x10, 0x09, 0xc0, 2, 0, 0, 0, 0, 0, 0, 0];
    let control_word = [&[0, 0, 0, 7][..], &framed()].concat();
    vec![
        ("MPLS", ethernet(0x8847, &mpls(&[16, 17, 18], &segment())), Mpls, Some(18), None, false),
        ("MPLS multicast, IPv6", ethernet(0x8848, &mpls(&[19], &six)), Mpls, Some(19), None, false),
        ("pseudowire with control word", ethernet(0x8847, &mpls(&[20], &control_word)), Mpls, Some(20), None, false),
        (
            "pseudowire without",
            ethernet(0x8847, &mpls(&[21], &ethernet(IPV4, &segment()))),
            Mpls,
            Some(21),
            None,
            false,
        ),
        ("MPLS in IP", over_ip(137, &mpls(&[22], &segment())), Mpls, Some(22), None, true),
        ("MPLS over UDP", over_udp(6635, &mpls(&[23, 24], &segment())), Mpls, Some(24), None, true),
        ("PPPoE", ethernet(0x8864, &pppoe(0x77, 0x0021, &segment())), Pppoe, Some(0x77), None, false),
        ("PPPoE, IPv6", ethernet(0x8864, &pppoe(0x78, 0x0057, &six)), Pppoe, Some(0x78), None, false),
        ("GRE", over_ip(47, &gre(0, &[], IPV4, &segment())), Gre, None, None, true),
        ("GRE, all fields", over_ip(47, &gre(0xb000, &[1, 2, 3], IPV6, &six)), Gre, Some(2), Some(3), true),
        ("GRE, Ethernet", over_ip(47, &gre(0, &[], 0x6558, &framed())), Gre, None, None, true),
        ("GRE, small key", over_ip(47, &gre(0x2000, &[5], 0x6558, &framed())), Gre, Some(5), None, true),
        (
            "GRE, PPP",
            over_ip(47, &gre(0x3001, &[(46 << 16) | 9, 4], 0x880b, &[&[0xff, 3, 0x21], &segment()[..]].concat())),
            Gre,
            Some(9),
            Some(4),
            true,
        ),
        ("NVGRE", over_ip(47, &gre(0x2000, &[0x0012_3456], 0x6558, &framed())), Nvgre, Some(0x1234), None, true),
        ("ERSPAN I", over_ip(47, &gre(0, &[], 0x88be, &framed())), Erspan, None, None, true),
        ("ERSPAN II", over_ip(47, &erspan_ii(false, &framed())), Erspan, Some(0x155), Some(7), true),
        ("ERSPAN III", over_ip(47, &erspan_iii(0, false, &framed())), Erspan, Some(0x2aa), Some(8), true),
        ("ERSPAN III, platform", over_ip(47, &erspan_iii(0, true, &framed())), Erspan, Some(0x2aa), Some(8), true),
        ("ERSPAN III, IP", over_ip(47, &erspan_iii(2, false, &segment())), Erspan, Some(0x2aa), Some(8), true),
        ("VXLAN", over_udp(4789, &vxlan(VNI, 0x00ab_cdef, &framed())), Vxlan, Some(0x00ab_cdef), None, true),
        ("VXLAN, old port", over_udp(8472, &vxlan(VNI, 1, &framed())), Vxlan, Some(1), None, true),
        ("VXLAN, group policy", over_udp(4789, &vxlan([0x88, 8, 1, 2], 1, &framed())), Vxlan, Some(1), None, true),
        ("VXLAN-GPE, IPv4", over_udp(4790, &vxlan([0x0c, 0, 0, 1], 2, &segment())), Vxlan, Some(2), None, true),
        ("VXLAN-GPE, IPv6", over_udp(4790, &vxlan([0x0c, 0, 0, 2], 2, &six)), Vxlan, Some(2), None, true),
        ("VXLAN-GPE, Ethernet", over_udp(4790, &vxlan([0x0c, 0, 0, 3], 2, &framed())), Vxlan, Some(2), None, true),
        ("VXLAN-GPE, NSH", over_udp(4790, &vxlan([0x0c, 0, 0, 4], 2, &nsh)), Vxlan, Some(2), None, true),
        ("VXLAN-GPE, port of VXLAN", over_udp(4789, &vxlan([0x0c, 0, 0, 3], 2, &framed())), Vxlan, Some(2), None, true),
        ("VXLAN-GPE, no protocol", over_udp(4790, &vxlan(VNI, 2, &framed())), Vxlan, Some(2), None, true),
        ("Geneve", over_udp(6081, &geneve(&[], 0x6558, &framed())), Geneve, Some(0x1234), None, true),
        (
            "Geneve, options, IPv4",
            over_udp(6081, &geneve(&[9; 12], IPV4, &segment())),
            Geneve,
            Some(0x1234),
            None,
            true,
        ),
        ("GTP-U", over_udp(2152, &gtp(0, &[], &segment())), Gtp, Some(0xfeed_beef), None, true),
        ("GTP-U, sequence number", over_udp(2152, &gtp(2, &[0, 5, 0, 0x85], &six)), Gtp, Some(0xfeed_beef), None, true),
        ("GTP-U, extensions", over_udp(2152, &gtp(4, &optional, &segment())), Gtp, Some(0xfeed_beef), None, true),
        ("IPv4 in IPv4", over_ip(4, &segment()), Ipip, None, None, true),
        ("IPv6 in IPv4", over_ip(41, &six), Ipip, None, None, true),
    ]
}

#[test]
fn every_tunnel_gives_its_innermost_packet_and_the_way_to_it() {
    for (name, frame, tunnel, id, seq, routed) in cases() {
        let packet = whole(1, &frame);
        assert_eq!((packet.kind, packet.stopped), (Kind::Tcp, None), "{name}");
        assert_eq!((packet.sport, packet.dport, packet.payload_len), (Some(40_000), Some(80), Some(4)), "{name}");
        assert_eq!(packet.tcp.map(|tcp| tcp.seq), Some(7), "{name}");
        let source = packet.src.map(|address| address.to_string()).unwrap_or_default();
        assert!(["10.0.0.1", "2001:db8::1"].contains(&source.as_str()), "{name}: {source}");
        assert_eq!(packet.ip.map(|ip| (ip.dscp, ip.ecn, ip.ttl, ip.protocol)), Some((26, 2, 64, 6)), "{name}");
        let ends = routed.then_some((Address::V4([192, 0, 2, 7]), Address::V4([192, 0, 2, 8])));
        let marks = routed.then_some((0, 3, 9));
        let outer = packet.outer.unwrap();
        assert_eq!((outer.depth, outer.tunnel, outer.id, outer.seq), (1, tunnel, id, seq), "{name}");
        assert_eq!((outer.src.zip(outer.dst), outer.truncated), (ends, false), "{name}");
        assert_eq!(outer.ip.map(|ip| (ip.dscp, ip.ecn, ip.ttl)), marks, "{name}");
    }
}

#[test]
fn a_tunnel_cut_anywhere_says_where() {
    for (_, frame, ..) in cases() {
        cuts_are_told(1, &frame);
    }
}

#[test]
fn what_was_decoded_of_a_cut_inner_packet_is_kept() {
    let frame = over_udp(4789, &vxlan(VNI, 9, &framed()));
    let (inner, ip) = (14 + 20 + 8 + 8, 14 + 20 + 8 + 8 + 14);
    let at = |len: usize| decode(1, &frame[..len], frame.len() as u32);
    let nothing = at(inner);
    assert_eq!(nothing.stopped, Some(Stopped::Truncated { layer: Layer::Ethernet, need: 14, have: 0 }));
    assert_eq!((nothing.kind, nothing.src, nothing.src_mac, nothing.sport), (Kind::Other, None, None, None));
    assert_eq!(nothing.outer.map(|outer| (outer.id, outer.src)), Some((Some(9), Some(Address::V4([192, 0, 2, 7])))));
    assert_eq!(nothing.payload_len, Some(58), "the frame inside, on the wire");
    assert_eq!(at(ip).src_mac, Some(Mac([6, 0, 0, 0, 0, 6])));
    assert_eq!(at(ip).stopped, Some(Stopped::Truncated { layer: Layer::Ipv4, need: 20, have: 0 }));
    let ports = at(ip + 24);
    assert_eq!((ports.src, ports.sport, ports.dport), (Some(Address::V4([10, 0, 0, 1])), Some(40_000), Some(80)));
    let header = at(inner - 3);
    assert_eq!(header.stopped, Some(Stopped::Truncated { layer: Layer::Vxlan, need: 8, have: 5 }));
    assert_eq!((header.kind, header.dport, header.outer), (Kind::Udp, Some(4789), None));
}

#[test]
fn an_inner_packet_that_is_not_ip_is_named() {
    let arp = over_udp(4789, &vxlan(VNI, 9, &inner_frame(0x0806, &[0; 46])));
    let packet = whole(1, &arp);
    assert_eq!((packet.kind, packet.src, packet.ip, packet.stopped), (Kind::Arp, None, None, None));
    assert_eq!(packet.outer.and_then(|outer| outer.dst), Some(Address::V4([192, 0, 2, 8])));
    let stopped =
        |frame: &[u8]| (whole(1, frame).stopped, whole(1, frame).outer.is_some(), whole(1, frame).src.is_some());
    let not = |layer, value| Some(Stopped::NotDecoded { layer, value });
    assert_eq!(stopped(&over_ip(47, &gre(0, &[], 0, &[]))), (not(Layer::Gre, 0), false, true), "a keepalive");
    assert_eq!(stopped(&ethernet(0x8864, &pppoe(1, 0xc021, &[1; 8]))), (not(Layer::Ppp, 0xc021), false, false));
    assert_eq!(stopped(&ethernet(0x8847, &mpls(&[13], &[0x10; 40]))), (not(Layer::Mpls, 1), false, false));
    assert_eq!(stopped(&over_ip(47, &erspan_iii(7, false, &[0; 40]))), (not(Layer::Erspan, 7), true, false));
    assert_eq!(stopped(&over_udp(2152, &gtp(0, &[], &[0x10; 40]))), (not(Layer::Gtp, 1), false, true));
    let bad = |layer, field, value| Some(Stopped::BadField { layer, field, value });
    assert_eq!(stopped(&over_ip(47, &gre(2, &[], IPV4, &[]))), (bad(Layer::Gre, "version", 2), false, true));
    assert_eq!(stopped(&over_ip(47, &gre(0x4000, &[0], IPV4, &[]))), (bad(Layer::Gre, "routing bit", 1), false, true));
    let mut other = erspan_ii(false, &framed());
    other[8] = 0x20;
    assert_eq!(stopped(&over_ip(47, &other)), (bad(Layer::Erspan, "version", 2), false, true));
}

#[test]
fn a_bare_acknowledgement_of_pptp_carries_nothing() {
    let packet = whole(1, &over_ip(47, &gre(0x2081, &[9, 4], 0x880b, &[]))).stopped;
    assert_eq!(packet, None);
}

#[test]
fn macs_and_tag_are_those_of_the_innermost_ethernet_header() {
    let tagged = |payload: &[u8], ethertype| ethernet(0x8100, &tag(3, 100, ethertype, payload));
    let mirror =
        tagged(&between_ends(47, &erspan_ii(true, &inner_frame(0x8100, &tag(5, 200, IPV4, &segment())))), IPV4);
    let packet = whole(1, &mirror);
    assert_eq!((packet.src_mac, packet.vlan), (Some(Mac([6, 0, 0, 0, 0, 6])), Some(Vlan { id: 200, pcp: 5 })));
    assert!(packet.outer.is_some_and(|outer| outer.truncated));
    let untagged = tagged(&between_ends(47, &erspan_ii(false, &framed())), IPV4);
    assert_eq!((whole(1, &untagged).vlan, whole(1, &untagged).ethertype), (None, Some(IPV4)));
    let routed = tagged(&mpls(&[16], &segment()), 0x8847);
    let packet = whole(1, &routed);
    assert_eq!((packet.src_mac, packet.vlan), (Some(Mac([2, 0, 0, 0, 0, 1])), Some(Vlan { id: 100, pcp: 3 })));
}

#[test]
fn the_icrc_of_roce_in_a_tunnel_covers_the_inner_ip_header() {
    // An ACK with its ICRC, as in rdma/icrc.rs, from the IP header on.
    const ACK: &str =
        "45680030000140003f1127520a0000020a000001c00112b7001c00001140ffff0000003c00fffffe1f000007a98491a4";
    let digits: Vec<u8> = ACK.bytes().filter_map(|c| (c as char).to_digit(16)).map(|d| d as u8).collect();
    let ack: Vec<u8> = digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect();
    let frame = inner_frame(IPV4, &ack);
    let mut damaged = ack.clone();
    damaged[40] ^= 1;
    for (wrapped, fits) in [
        (over_udp(4789, &vxlan(VNI, 1, &frame)), true),
        (over_ip(47, &erspan_ii(false, &frame)), true),
        (over_ip(4, &ack), true),
        (ethernet(0x8847, &mpls(&[16], &ack)), true),
        (over_ip(4, &damaged), false),
    ] {
        let packet = whole(1, &wrapped);
        assert_eq!((packet.kind, packet.payload_len), (Kind::Roce, Some(0)));
        assert_eq!(packet.roce.as_ref().and_then(icrc_ok), Some(fits));
        assert_eq!(packet.ip.map(|ip| ip.ecn), Some(0), "of the inner header");
        let cut = decode(1, &wrapped[..wrapped.len() - 1], wrapped.len() as u32);
        assert_eq!(cut.roce.as_ref().and_then(icrc_ok), None, "a cut packet cannot be checked");
    }
}

#[test]
fn a_mirror_that_shortens_leaves_lengths_to_the_inner_headers() {
    let packet = [bth(0x04, 0, &[7; 1024]), vec![0xcc; 4]].concat();
    let frame = inner_frame(IPV4, &ipv4(17, &udp(49_153, 4791, &packet)));
    let mirrored = over_ip(47, &erspan_ii(true, &frame[..100]));
    let packet = whole(1, &mirrored);
    assert_eq!((packet.kind, packet.payload_len, packet.stopped), (Kind::Roce, Some(1024), None));
    assert!(packet.roce.is_some_and(|roce| roce.whole.is_none()));
}

/// A segment inside this many IPv4 headers more.
fn nested(depth: usize) -> Vec<u8> {
    (0..depth).fold(segment(), |packet, _| between_ends(4, &packet))
}

#[test]
fn tunnels_nest_to_the_limit_and_no_further() {
    for depth in 1..=8 {
        let frame = ethernet(IPV4, &nested(depth));
        let packet = whole(1, &frame);
        assert_eq!((packet.kind, packet.stopped), (Kind::Tcp, None), "{depth}");
        assert_eq!(packet.outer.map(|outer| usize::from(outer.depth)), Some(depth));
    }
    let ninth = ethernet(IPV4, &nested(9));
    let packet = whole(1, &ninth);
    assert_eq!(packet.stopped, Some(Stopped::TooDeep { layer: Layer::Ipv4 }));
    assert_eq!((packet.outer.map(|outer| outer.depth), packet.tcp), (Some(8), None));
    assert_eq!(packet.ip.map(|ip| ip.protocol), Some(4), "the last packet that was reached");
    assert_eq!(whole(1, &ethernet(IPV4, &nested(3000))).stopped, packet.stopped);
    let mut boxes = framed();
    for _ in 0..9 {
        boxes = over_udp(4789, &vxlan(VNI, 1, &boxes));
    }
    assert_eq!(whole(1, &boxes).stopped, Some(Stopped::TooDeep { layer: Layer::Vxlan }));
    cuts_are_told(1, &boxes);
}

#[test]
fn different_tunnels_nest_and_the_outermost_addresses_stay() {
    let user = over_udp(4789, &vxlan(VNI, 77, &framed()));
    let labelled = ethernet(0x8847, &mpls(&[16], &ipv6(47, &erspan_ii(true, &user))));
    let packet = whole(1, &labelled);
    let v6 = |last| Some(Address::V6([0x20, 1, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, last]));
    let expected = Outer {
        depth: 3,
        tunnel: Tunnel::Vxlan,
        id: Some(77),
        seq: Some(7),
        src: v6(1),
        dst: v6(2),
        ip: Some(Ip { dscp: 26, ecn: 2, ttl: 64, id: None, protocol: 47 }),
        truncated: true,
        mirror: Some(Mirror { session: Some(0x155), seq: Some(7), index: Some(9), ..Mirror::default() }),
    };
    assert_eq!((packet.kind, packet.outer), (Kind::Tcp, Some(expected)));
    cuts_are_told(1, &labelled);
}

fn check(frame: &[u8], wire_len: u32) -> Packet<'_> {
    let packet = decode(1, frame, wire_len);
    assert!(packet.outer.is_none_or(|outer| (1..=8).contains(&outer.depth)));
    assert!(packet.payload_len.is_none() || packet.stopped.is_some() || packet.payload_len <= Some(65_535));
    let _ = (packet.roce.as_ref().and_then(icrc_ok), packet.stopped.map(|stopped| stopped.to_string()));
    packet
}

proptest! {
    #[test]
    fn arbitrary_bytes_behind_a_tunnel_header_do_no_harm(
        case in 0..cases().len(),
        keep in 14..90_usize,
        tail in proptest::collection::vec(any::<u8>(), 0..120),
        more in 0..2000_u32,
    ) {
        let (_, frame, ..) = cases().swap_remove(case);
        let made = [&frame[..keep.min(frame.len())], &tail[..]].concat();
        check(&made, made.len() as u32 + more);
    }

    #[test]
    fn changed_bytes_in_a_tunnel_header_do_no_harm(
        case in 0..cases().len(),
        changes in proptest::collection::vec((12..80_usize, any::<u8>()), 1..6),
    ) {
        let (_, mut frame, ..) = cases().swap_remove(case);
        for (at, byte) in changes {
            if let Some(place) = frame.get_mut(at) {
                *place = byte;
            }
        }
        check(&frame, frame.len() as u32);
        for len in 0..frame.len() {
            check(&frame[..len], frame.len() as u32);
        }
    }
}
