//! IP, its fragments and its lengths; UDP; TCP.

use super::build::{IPV4, IPV6, ethernet, ipv4, ipv4_fragment, ipv6, tcp, udp};
use super::{Layer, Stopped, cuts_are_told, decode, whole};
use crate::packet::{Ip, Kind, Tcp};

#[test]
fn ipv4_gives_marks_ttl_and_id() {
    let frame = ethernet(IPV4, &ipv4(17, &udp(5000, 6000, b"hello")));
    let packet = whole(1, &frame);
    assert_eq!(packet.ip, Some(Ip { dscp: 26, ecn: 2, ttl: 64, id: Some(0x1234), protocol: 17 }));
    assert_eq!(packet.src.map(|a| a.to_string()).as_deref(), Some("10.0.0.1"));
    assert_eq!(packet.dst.map(|a| a.to_string()).as_deref(), Some("10.0.0.2"));
    assert_eq!((packet.sport, packet.dport, packet.payload_len), (Some(5000), Some(6000), Some(5)));
    cuts_are_told(1, &frame);
}

#[test]
fn ethernet_padding_is_no_payload() {
    let mut frame = ethernet(IPV4, &ipv4(17, &udp(5000, 6000, b"hello")));
    frame.resize(60, 0);
    assert_eq!(whole(1, &frame).payload_len, Some(5));
    let mut frame = ethernet(IPV4, &ipv4(6, &tcp(&[], b"")));
    frame.resize(60, 0);
    assert_eq!(whole(1, &frame).payload_len, Some(0));
}

#[test]
fn a_total_length_of_0_leaves_the_length_to_the_frame() {
    let frame = ethernet(IPV4, &ipv4_fragment(6, 0x4000, 0, &tcp(&[], &[1; 3000])));
    assert_eq!(whole(1, &frame).payload_len, Some(3000));
}

#[test]
fn the_ip_header_is_believed_over_a_frame_that_a_mirror_has_cut() {
    let frame = ethernet(IPV4, &ipv4(6, &tcp(&[], &[1; 1000])));
    let packet = whole(1, &frame[..96]);
    assert_eq!((packet.payload_len, packet.stopped), (Some(1000), None));
}

#[test]
fn a_later_fragment_has_no_ports() {
    let frame = ethernet(IPV4, &ipv4_fragment(17, 0x20b9, 28, &[0x12, 0xb7, 0x12, 0xb7, 0, 8, 0, 0]));
    let packet = whole(1, &frame);
    assert_eq!(packet.stopped, Some(Stopped::Fragment));
    assert_eq!((packet.kind, packet.sport, packet.payload_len), (Kind::Udp, None, Some(8)));
    cuts_are_told(1, &frame);
}

#[test]
fn the_first_fragment_has_ports_and_no_length_of_the_datagram() {
    let datagram = udp(5000, 6000, &[7; 3000]);
    let frame = ethernet(IPV4, &ipv4_fragment(17, 0x2000, 1500, &datagram[..1480]));
    let packet = whole(1, &frame);
    assert_eq!((packet.sport, packet.payload_len, packet.stopped), (Some(5000), None, None));
}

#[test]
fn fields_that_ip_does_not_allow_are_named() {
    let mut frame = ethernet(IPV4, &ipv4(17, &udp(1, 2, b"")));
    frame[14] = 0x43;
    let words = Stopped::BadField { layer: Layer::Ipv4, field: "header length in words", value: 3 };
    assert_eq!(whole(1, &frame).stopped, Some(words));
    frame[14] = 0x45;
    frame[16..18].copy_from_slice(&[0, 19]);
    let total = Stopped::BadField { layer: Layer::Ipv4, field: "total length", value: 19 };
    assert_eq!(whole(1, &frame).stopped, Some(total));
    let encrypted = whole(1, &ethernet(IPV4, &ipv4(50, &[0; 30]))).stopped;
    assert_eq!(encrypted, Some(Stopped::NotDecoded { layer: Layer::Ipv4, value: 50 }));
}

#[test]
fn ip_options_are_passed_over() {
    let mut packet = ipv4(17, &[&[1; 8][..], &udp(5000, 6000, b"hello")].concat());
    packet[0] = 0x47;
    let decoded = whole(101, &packet);
    assert_eq!((decoded.sport, decoded.payload_len), (Some(5000), Some(5)));
    cuts_are_told(101, &packet);
}

#[test]
fn icmp_of_both_versions_is_one_kind() {
    assert_eq!(whole(101, &ipv4(1, &[8, 0, 0, 0])).kind, Kind::Icmp);
    assert_eq!(whole(101, &ipv6(58, &[128, 0, 0, 0])).kind, Kind::Icmp);
}

#[test]
fn ipv6_extension_headers_are_walked_to_the_transport() {
    let inner = udp(5000, 6000, b"hello");
    let destination = [&[17, 0, 1, 4, 0, 0, 0, 0][..], &inner].concat();
    let authentication = [&[60, 4][..], &[0; 22], &destination].concat();
    let routing = [&[51, 1][..], &[0; 14], &authentication].concat();
    let frame = ethernet(IPV6, &ipv6(0, &[&[43, 0, 1, 4, 0, 0, 0, 0][..], &routing].concat()));
    let packet = whole(1, &frame);
    assert_eq!(packet.ip, Some(Ip { dscp: 26, ecn: 2, ttl: 64, id: None, protocol: 17 }));
    assert_eq!((packet.sport, packet.payload_len, packet.stopped), (Some(5000), Some(5), None));
    cuts_are_told(1, &frame);
}

#[test]
fn ipv6_fragments_behave_as_those_of_ipv4() {
    let later = ipv6(44, &[&[17, 0, 0, 8, 0, 0, 0, 1][..], &[0; 16]].concat());
    let packet = whole(101, &later);
    assert_eq!((packet.stopped, packet.kind, packet.sport), (Some(Stopped::Fragment), Kind::Udp, None));
    let first = ipv6(44, &[&[17, 0, 0, 1, 0, 0, 0, 1][..], &udp(5000, 6000, &[0; 99])[..40]].concat());
    let packet = whole(101, &first);
    assert_eq!((packet.sport, packet.payload_len, packet.stopped), (Some(5000), None, None));
    // What follows in a later fragment is not a header, even if its number is that of one.
    let options = ipv6(44, &[&[60, 0, 0, 8, 0, 0, 0, 1][..], &[0xff; 16]].concat());
    assert_eq!(whole(101, &options).stopped, Some(Stopped::Fragment));
    cuts_are_told(101, &later);
}

#[test]
fn tcp_gives_numbers_flags_and_the_payload_after_options() {
    let frame = ethernet(IPV4, &ipv4(6, &tcp(&[1; 12], b"hello")));
    let packet = whole(1, &frame);
    assert_eq!(packet.tcp, Some(Tcp { seq: 7, ack: 9, flags: 0x18, window: 256, options: &[1; 12] }));
    assert_eq!(packet.payload, b"hello");
    assert_eq!((packet.sport, packet.dport, packet.payload_len), (Some(40_000), Some(80), Some(5)));
    cuts_are_told(1, &frame);
    let cut_in_options = decode(1, &frame[..58], frame.len() as u32);
    assert_eq!((cut_in_options.payload_len, cut_in_options.stopped), (Some(5), None));
}

#[test]
fn ports_survive_a_cut_behind_them() {
    let frame = ethernet(IPV4, &ipv4(6, &tcp(&[], b"hello")));
    let packet = decode(1, &frame[..38], frame.len() as u32);
    assert_eq!((packet.kind, packet.sport, packet.dport), (Kind::Tcp, Some(40_000), Some(80)));
    assert_eq!(packet.stopped, Some(Stopped::Truncated { layer: Layer::Tcp, need: 20, have: 4 }));
}

#[test]
fn a_udp_length_that_contradicts_leaves_the_payload_unknown() {
    let mut packet = ipv4(17, &udp(5000, 6000, b"hello"));
    packet[24..26].copy_from_slice(&[0, 99]);
    assert_eq!((whole(101, &packet).payload_len, whole(101, &packet).stopped), (None, None));
    packet[24..26].copy_from_slice(&[0, 7]);
    let length = Stopped::BadField { layer: Layer::Udp, field: "length", value: 7 };
    assert_eq!(whole(101, &packet).stopped, Some(length));
    packet[24..26].copy_from_slice(&[0, 10]);
    assert_eq!(whole(101, &packet).payload_len, Some(2));
}
