//! `RoCEv2` and `RoCEv1`: which packets they are, their headers, their payload.

use super::build::{IPV4, IPV6, bth, ethernet, grh, ipv4, ipv4_fragment, ipv6, roce, udp};
use super::{Layer, Stopped, cuts_are_told, decode, whole};
use crate::packet::{Kind, Packet};
use crate::rdma::opcode;
use crate::rdma::{Aeth, Bth, Deth, Encapsulation, Reth};

const RETH: [u8; 16] = [0, 0, 0x7f, 0, 0x12, 0x34, 0, 0, 0, 0x18, 0x12, 0x34, 0, 1, 0, 0];
const AETH: [u8; 4] = [0x60, 0, 0, 7];

#[test]
fn the_bth_is_read_field_by_field() {
    let mut frame = roce(0x04, 0, &[]);
    frame[43] |= 0x80; // solicited
    frame[46] = 0xc0; // FECN, BECN
    let packet = whole(1, &frame);
    let expected = Bth {
        opcode: 0x04,
        solicited: true,
        mig_req: true,
        pad_count: 0,
        p_key: 0xffff,
        fecn: true,
        becn: true,
        dest_qp: 0x1a2b,
        ack_req: true,
        psn: 0xff_fffe,
    };
    assert_eq!(packet.roce.map(|roce| roce.bth), Some(expected));
    assert_eq!((packet.kind, packet.stopped), (Kind::Roce, None));
}

#[test]
fn every_named_opcode_finds_its_headers_and_its_payload() {
    for code in 0..=255u8 {
        let Some(name) = opcode::name(code) else { continue };
        let shape = opcode::headers(code);
        let mut rest = Vec::new();
        let mut put = |present: bool, bytes: &[u8]| rest.extend(if present { bytes } else { &[] });
        put(shape.xrceth, &[0, 0, 0, 3]);
        put(shape.rdeth, &[0, 0, 0, 4]);
        put(shape.deth, &[0x80, 1, 0, 0, 0, 0, 0, 5]);
        put(shape.feth, &[0, 0, 0, 1]);
        put(shape.reth, &RETH);
        put(shape.atomic_eth, &[6; 28]);
        put(shape.aeth, &AETH);
        put(shape.atomic_ack_eth, &[7; 8]);
        put(shape.imm_dt, &[0, 0, 1, 0]);
        put(shape.ieth, &[8; 4]);
        put(shape.cnp_reserved, &[0; 16]);
        let frame = roce(code, 3, &[rest, vec![0xaa; 8]].concat());
        let packet = whole(1, &frame);
        let Some(read) = packet.roce else { continue };
        assert_eq!(read.deth, shape.deth.then_some(Deth { q_key: 0x8001_0000, src_qp: 5 }), "{name}");
        let reth = Reth { va: 0x7f00_1234_0000, r_key: 0x0018_1234, dma_len: 65_536 };
        assert_eq!(read.reth, shape.reth.then_some(reth), "{name}");
        assert_eq!(read.aeth, shape.aeth.then_some(Aeth { syndrome: 0x60, msn: 7 }), "{name}");
        assert_eq!(read.immediate, shape.imm_dt.then_some(256), "{name}");
        assert_eq!((read.payload_len, packet.payload_len), (Some(5), Some(5)), "{name}: 8 bytes less 3 of padding");
        assert_eq!(packet.stopped, None, "{name}");
        cuts_are_told(1, &frame);
    }
}

#[test]
fn roce_is_known_by_its_destination_port_alone() {
    let packet = [bth(0x11, 0, &AETH), vec![0; 4]].concat();
    let kind = |sport, dport| whole(101, &ipv4(17, &udp(sport, dport, &packet))).kind;
    assert_eq!(kind(69, 4791), Kind::Roce, "a low source port is no TFTP");
    assert_eq!(kind(4791, 4791), Kind::Roce);
    assert_eq!(kind(4791, 33_333), Kind::Udp);
}

#[test]
fn a_cnp_of_either_number_has_no_payload() {
    for code in [0x80, 0x81] {
        let frame = roce(code, 0, &[0; 16]);
        let packet = whole(1, &frame);
        assert_eq!((packet.kind, packet.payload_len, packet.stopped), (Kind::Roce, Some(0), None));
        let cut = decode(1, &frame[..14 + 20 + 8 + 12], frame.len() as u32);
        assert_eq!((cut.kind, cut.payload_len, cut.stopped), (Kind::Roce, Some(0), None), "nothing is missing");
    }
}

#[test]
fn lengths_are_right_in_packets_cut_by_a_snap_length() {
    let frame = roce(0x06, 0, &[&RETH[..], &[0x55; 1024]].concat());
    for len in [58, 64, 96, 128] {
        let packet = decode(1, &frame[..len], frame.len() as u32);
        assert_eq!(packet.roce.and_then(|roce| roce.payload_len), Some(1024), "{len} bytes");
        assert_eq!(packet.roce.and_then(|roce| roce.whole), None);
    }
    let packet = decode(1, &frame[..64], frame.len() as u32);
    assert_eq!(packet.roce.and_then(|roce| roce.reth), None, "64 bytes hold no RETH: no message size is guessed");
    assert_eq!(packet.stopped, Some(Stopped::Truncated { layer: Layer::Reth, need: 16, have: 10 }));
}

#[test]
fn a_packet_cut_inside_the_bth_stays_udp() {
    let frame = roce(0x04, 0, &[1; 8]);
    let packet = decode(1, &frame[..14 + 20 + 8 + 11], frame.len() as u32);
    assert_eq!((packet.kind, packet.dport), (Kind::Udp, Some(4791)));
    assert!(packet.roce.is_none());
    assert_eq!(packet.stopped, Some(Stopped::Truncated { layer: Layer::Bth, need: 12, have: 11 }));
}

#[test]
fn another_transport_version_is_not_roce() {
    let mut frame = roce(0x04, 0, &[1; 8]);
    frame[43] |= 0x05;
    let packet = whole(1, &frame);
    assert_eq!(packet.kind, Kind::Udp);
    assert_eq!(packet.stopped, Some(Stopped::BadField { layer: Layer::Bth, field: "transport version", value: 5 }));
}

#[test]
fn an_opcode_of_a_manufacturer_keeps_its_bth_and_no_payload() {
    let packet_bytes = roce(0xe5, 0, &[1; 40]);
    let packet = whole(1, &packet_bytes);
    assert_eq!(packet.roce.map(|roce| (roce.bth.opcode, roce.payload_len)), Some((0xe5, None)));
    assert_eq!((packet.kind, packet.stopped), (Kind::Roce, None));
}

#[test]
fn a_packet_too_short_for_its_own_headers_has_no_payload_length() {
    let bare = ethernet(IPV4, &ipv4(17, &udp(1, 4791, &bth(0x04, 0, &[])))); // no ICRC
    assert_eq!(whole(1, &bare).roce.map(|roce| roce.payload_len), Some(None));
}

#[test]
fn what_the_icrc_covers_reaches_from_the_ip_header_to_the_end_of_the_datagram() {
    let mut frame = roce(0x11, 0, &AETH);
    let datagram = frame.len() - 14;
    frame.resize(70, 0); // padding
    let covered = whole(1, &frame).roce.and_then(|roce| roce.whole).map(<[u8]>::len);
    assert_eq!(covered, Some(datagram));
    let payload = [bth(0x04, 0, &[1; 64]), vec![0; 4]].concat();
    let first = ipv4_fragment(17, 0x2000, 60, &udp(1, 4791, &payload)[..40]);
    assert!(whole(101, &first).roce.is_some_and(|roce| roce.whole.is_none()), "a fragment is not whole");
}

#[test]
fn roce_over_ipv6_and_roce_v1_are_read_alike() {
    let packet = [bth(0x11, 0, &AETH), vec![0; 4]].concat();
    let v2 = ethernet(IPV6, &ipv6(17, &udp(49_153, 4791, &packet)));
    let v1 = ethernet(0x8915, &grh(&packet));
    let read = |packet: &Packet<'_>| {
        let roce = packet.roce?;
        Some((roce.encapsulation, roce.aeth?.syndrome, packet.src?.to_string(), packet.ip?.ecn, roce.payload_len?))
    };
    let source = "2001:db8::1".to_owned();
    assert_eq!(read(&whole(1, &v2)), Some((Encapsulation::RoceV2, 0x60, source.clone(), 2, 0)));
    assert_eq!(read(&whole(1, &v1)), Some((Encapsulation::RoceV1, 0x60, source, 2, 0)));
    cuts_are_told(1, &v2);
    cuts_are_told(1, &v1);
    let mut other = v1;
    other[14 + 6] = 59;
    assert_eq!(whole(1, &other).stopped, Some(Stopped::NotDecoded { layer: Layer::Grh, value: 59 }));
}
