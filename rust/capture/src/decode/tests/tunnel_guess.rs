//! UDP ports of tunnels that carry something else: without a fitting header the packet stays what it is, plain UDP.

use proptest::prelude::*;

use super::build::{IPV4, ipv4, tcp};
use super::wrap::{geneve, gtp, inner_frame, mpls, over_udp, vxlan};
use super::{cuts_are_told, whole};
use crate::address::Address;
use crate::packet::Kind;

fn frame() -> Vec<u8> {
    inner_frame(IPV4, &segment())
}

fn segment() -> Vec<u8> {
    ipv4(6, &tcp(&[], b"data"))
}

fn stays_udp(port: u16, payload: &[u8]) {
    let frame = over_udp(port, payload);
    let packet = whole(1, &frame);
    assert_eq!((packet.kind, packet.stopped, packet.outer), (Kind::Udp, None, None), "{port}: {payload:02x?}");
    assert_eq!((packet.dport, packet.src), (Some(port), Some(Address::V4([192, 0, 2, 7]))));
    assert_eq!(packet.payload_len, Some(payload.len() as u32), "{port}: {payload:02x?}");
    cuts_are_told(1, &frame);
}

#[test]
fn text_on_any_tunnel_port_is_udp() {
    for port in [4789, 8472, 4790, 6081, 2152, 6635] {
        for len in [0, 1, 3, 4, 7, 8, 40] {
            stays_udp(port, &b"what a lovely day for anything but tunnels"[..len]);
        }
    }
}

#[test]
fn vxlan_needs_a_valid_vni_and_zero_in_every_reserved_bit() {
    for flags in [[0, 0, 0, 0], [9, 0, 0, 0], [8, 1, 0, 0], [8, 0, 0, 1], [0x88, 1, 0, 0], [0x0c, 0, 0, 9]] {
        stays_udp(4789, &vxlan(flags, 1, &frame()));
    }
    let mut reserved = vxlan([8, 0, 0, 0], 1, &frame());
    reserved[7] = 1;
    stays_udp(4789, &reserved);
    stays_udp(8472, &reserved);
}

#[test]
fn vxlan_gpe_needs_data_of_a_known_protocol() {
    for flags in [[4, 0, 0, 1], [0x0d, 0, 0, 1], [0x1c, 0, 0, 1], [0x0c, 0, 0, 6], [8, 0, 0, 1], [0x0c, 1, 0, 1]] {
        stays_udp(4790, &vxlan(flags, 1, &segment()));
    }
}

#[test]
fn geneve_needs_version_0_and_a_known_protocol() {
    let good = geneve(&[0; 8], 0x6558, &frame());
    for (at, byte) in [(0, 0x42), (1, 0x01), (2, 0x77), (7, 1), (0, 0x3f)] {
        let mut changed = good.clone();
        changed[at] = byte;
        stays_udp(6081, &changed);
    }
}

#[test]
fn gtp_needs_version_1_a_users_packet_and_its_length() {
    let good = gtp(0, &[], &segment());
    for (at, byte) in [(0, 0x50), (0, 0x20), (0, 0x38), (1, 0x01), (1, 0xfe), (2, 0x7f)] {
        let mut changed = good.clone();
        changed[at] = byte;
        stays_udp(2152, &changed);
    }
}

#[test]
fn a_label_stack_needs_a_bottom_time_to_live_and_a_known_content() {
    stays_udp(6635, &mpls(&[16, 17], &[0x10; 40]));
    stays_udp(6635, &[0, 1, 0, 64].repeat(10));
    let mut dead = mpls(&[16, 17], &segment());
    dead[3] = 0;
    stays_udp(6635, &dead);
}

#[test]
fn the_source_port_says_nothing() {
    let mut answer = over_udp(9999, &vxlan([8, 0, 0, 0], 1, &frame()));
    answer[34..36].copy_from_slice(&4789_u16.to_be_bytes());
    assert_eq!((whole(1, &answer).kind, whole(1, &answer).outer), (Kind::Udp, None));
}

proptest! {
    #[test]
    fn a_cut_says_so_or_changes_nothing(
        port in proptest::sample::select(vec![4789, 8472, 4790, 6081, 2152, 6635_u16]),
        payload in proptest::collection::vec(any::<u8>(), 0..80),
    ) {
        cuts_are_told(1, &over_udp(port, &payload));
    }
}
