//! The short way and the general way say the same of every packet.

use proptest::prelude::*;

use super::super::{layer_by_layer, plain};
use super::build::{IPV4, bth, ethernet, ipv4, ipv6, tag, udp};
use crate::rdma::opcode;
use crate::track::shares;

/// A frame to port 4791 with this opcode and this after the BTH, maybe tagged.
fn frame(code: u8, pad: u8, rest: &[u8], tagged: bool) -> Vec<u8> {
    let packet = ipv4(17, &udp(49_153, 4791, &bth(code, pad, rest)));
    if tagged { ethernet(0x8100, &tag(3, 100, IPV4, &packet)) } else { ethernet(IPV4, &packet) }
}

fn agree(data: &[u8], wire_len: u32) {
    let Some(short) = plain::roce(1, data) else { return };
    assert_eq!(format!("{short:?}"), format!("{:?}", layer_by_layer(1, data, wire_len)));
}

fn glance_is_right(data: &[u8]) {
    let Some(share) = shares::at_a_glance(1, data) else { return };
    let packet = layer_by_layer(1, data, data.len() as u32);
    if let (true, Some(src), Some(dst)) = (packet.roce.is_some(), packet.src, packet.dst) {
        assert_eq!(share, shares::of(&src, &dst));
        assert_eq!(share, shares::of(&dst, &src));
    }
}

#[test]
fn packets_of_reliable_connections_take_the_short_way() {
    for code in 0..=255u8 {
        let headers = opcode::headers(code);
        let rare = headers.deth || headers.xrceth || headers.rdeth || headers.feth || headers.ieth;
        let rare = rare || headers.atomic_eth || headers.atomic_ack_eth || headers.cnp_reserved;
        let known = opcode::name(code).is_some();
        for tagged in [false, true] {
            let short = frame(code, 0, &[7; 64], tagged);
            assert_eq!(plain::roce(1, &short).is_some(), known && !rare, "opcode {code:#04x}, tagged {tagged}");
        }
    }
    let v6 = ethernet(0x86dd, &ipv6(17, &udp(49_153, 4791, &bth(4, 0, &[7; 64]))));
    assert!(plain::roce(1, &v6).is_none());
}

#[test]
fn both_ways_agree_on_every_opcode_cut_anywhere() {
    for code in 0..=255u8 {
        for tagged in [false, true] {
            let whole = frame(code, 2, &(0..40).collect::<Vec<u8>>(), tagged);
            for len in 0..=whole.len() {
                agree(&whole[..len], whole.len() as u32);
                glance_is_right(&whole[..len]);
            }
        }
    }
}

proptest! {
    #[test]
    fn both_ways_agree_on_changed_packets(
        code: u8,
        pad in 0..4u8,
        rest in proptest::collection::vec(any::<u8>(), 0..80),
        tagged: bool,
        changes in proptest::collection::vec((0..100usize, any::<u8>()), 0..4),
        cut in 0..200usize,
        longer in 0..20u32,
        trailer in proptest::collection::vec(any::<u8>(), 0..8),
    ) {
        let mut data = frame(code, pad, &rest, tagged);
        data.extend(trailer);
        for (at, byte) in changes {
            if let Some(place) = data.get_mut(at) {
                *place = byte;
            }
        }
        let wire_len = data.len() as u32 + longer;
        data.truncate(cut.max(20));
        agree(&data, wire_len);
        glance_is_right(&data);
    }
}
