//! What ERSPAN headers say of the mirror.

use super::build::{IPV4, ipv4, tcp};
use super::wrap::{erspan_ii, erspan_iii, gre, inner_frame, over_ip, over_udp, vxlan};
use super::{cuts_are_told, whole};
use crate::packet::{Mirror, Tunnel};

fn framed() -> Vec<u8> {
    inner_frame(IPV4, &ipv4(6, &tcp(&[], b"data")))
}

fn mirror(packet: &[u8]) -> Mirror {
    whole(1, packet).outer.and_then(|outer| outer.mirror).unwrap()
}

/// Type III with the last 16 bits of its header, a time stamp, and the header of a platform.
fn iii(fields: u16, stamp: u32, platform: &[u8]) -> Vec<u8> {
    let header = [&[0x20, 0, 0, 9][..], &stamp.to_be_bytes(), &[0, 0], &fields.to_be_bytes(), platform].concat();
    over_ip(47, &gre(0x1000, &[5], 0x22eb, &[header, framed()].concat()))
}

#[test]
fn type_i_says_nothing_but_that_it_is_a_mirror() {
    let packet = over_ip(47, &gre(0, &[], 0x88be, &framed()));
    assert_eq!(mirror(&packet), Mirror::default());
}

#[test]
fn type_ii_has_session_number_and_index() {
    let expected = Mirror { session: Some(0x155), seq: Some(7), index: Some(9), ..Mirror::default() };
    assert_eq!(mirror(&over_ip(47, &erspan_ii(false, &framed()))), expected);
}

#[test]
fn type_iii_has_direction_hardware_and_time() {
    let egress = mirror(&iii(0x0008 | 33 << 4, 1000, &[]));
    assert_eq!((egress.egress, egress.hardware), (Some(true), Some(33)));
    let ingress = mirror(&iii(0, 1000, &[]));
    assert_eq!((ingress.egress, ingress.hardware), (Some(false), Some(0)));
    assert_eq!((ingress.session, ingress.seq, ingress.index), (Some(9), Some(5), None));
}

#[test]
fn the_granularity_gives_the_unit_of_the_time() {
    let time = |granularity: u16, stamp| mirror(&iii(granularity << 1, stamp, &[])).time;
    assert_eq!(time(0, 7), Some(700_000), "100 µs");
    assert_eq!(time(1, 7), Some(700), "100 ns");
    assert_eq!(time(2, 7), Some(7), "IEEE 1588, its nanoseconds");
    assert_eq!(time(3, 7), None, "as somebody configured it");
    assert_eq!(time(0, u32::MAX), Some(429_496_729_500_000));
}

#[test]
fn some_platforms_send_the_rest_of_the_time() {
    let time = |granularity: u16, platform: u8, more: u32| {
        let header = [&[platform << 2, 0, 0, 0][..], &more.to_be_bytes()].concat();
        mirror(&iii(granularity << 1 | 1, 7, &header)).time
    };
    assert_eq!(time(1, 3, 2), Some(((2 << 32) + 7) * 100));
    assert_eq!(time(1, 7, 2), Some(((2 << 32) + 7) * 100));
    assert_eq!(time(2, 5, 2), Some(2_000_000_007), "seconds and nanoseconds");
    assert_eq!(time(1, 1, 2), Some(700), "this platform sends a port there");
    assert_eq!(time(0, 3, u32::MAX), None, "more than an i64 holds");
}

#[test]
fn a_tunnel_in_the_mirrored_packet_does_not_hide_the_mirror() {
    let inside = over_udp(4789, &vxlan([8, 0, 0, 0], 3, &framed()));
    let packet = over_ip(47, &erspan_ii(false, &inside));
    let outer = whole(1, &packet).outer.unwrap();
    assert_eq!((outer.tunnel, outer.id), (Tunnel::Vxlan, Some(3)));
    assert_eq!(outer.mirror.map(|mirror| (mirror.session, mirror.seq)), Some((Some(0x155), Some(7))));
}

#[test]
fn a_marker_packet_is_counted_by_its_session_and_not_read() {
    let marker = mirror(&over_ip(47, &erspan_iii(7, false, &[0; 40])));
    assert_eq!((marker.session, marker.seq), (Some(0x2aa), Some(8)));
}

#[test]
fn a_cut_in_the_header_is_told() {
    cuts_are_told(1, &iii(0x0009, 7, &[0x0c, 0, 0, 0, 0, 0, 0, 1]));
}
