//! Every kind of link, and pause frames.

use super::build::{IPV4, bth, ethernet, grh, ipv4, ipv6, tag, tcp, udp};
use super::{Layer, Stopped, cuts_are_told, decode, whole};
use crate::address::{Address, Mac};
use crate::packet::{Kind, Pause, Vlan};

fn segment() -> Vec<u8> {
    ipv4(6, &tcp(&[], b"data"))
}

#[test]
fn ethernet_gives_both_addresses_and_the_type() {
    let frame = ethernet(IPV4, &segment());
    let packet = whole(1, &frame);
    assert_eq!(packet.dst_mac, Some(Mac([2, 0, 0, 0, 0, 2])));
    assert_eq!(packet.src_mac, Some(Mac([2, 0, 0, 0, 0, 1])));
    assert_eq!((packet.ethertype, packet.kind, packet.payload_len), (Some(IPV4), Kind::Tcp, Some(4)));
    cuts_are_told(1, &frame);
}

#[test]
fn the_outermost_of_several_tags_counts() {
    for outer in [0x8100, 0x88a8, 0x9100, 0x9200] {
        let frame = ethernet(outer, &tag(3, 100, 0x8100, &tag(5, 200, IPV4, &segment())));
        let packet = whole(1, &frame);
        assert_eq!(packet.vlan, Some(Vlan { id: 100, pcp: 3 }), "{outer:#x}");
        assert_eq!((packet.ethertype, packet.kind, packet.stopped), (Some(IPV4), Kind::Tcp, None));
        cuts_are_told(1, &frame);
    }
}

#[test]
fn a_pfc_frame_gives_the_time_of_every_priority() {
    let mut times = [0; 16];
    times[6..8].copy_from_slice(&0xffff_u16.to_be_bytes());
    let frame = ethernet(0x8808, &[&[1, 1, 0, 0x18][..], &times, &[0; 26]].concat());
    let packet = whole(1, &frame);
    let quanta = [0, 0, 0, 65_535, 0, 0, 0, 0];
    assert_eq!(packet.kind, Kind::Pfc);
    assert_eq!(packet.pause, Some(Pause { opcode: Pause::PFC, enabled: 0x18, quanta }));
    assert_eq!((packet.payload_len, packet.stopped), (Some(0), None));
    cuts_are_told(1, &frame[..34]);
    for cut in 14..34 {
        let packet = decode(1, &frame[..cut], frame.len() as u32);
        assert_eq!((packet.kind, packet.pause), (Kind::Other, None), "a cut pause frame promises nothing");
    }
}

#[test]
fn an_8023x_pause_has_one_time() {
    let frame = ethernet(0x8808, &[0, 1, 0x12, 0x34, 0, 0]);
    let pause = whole(1, &frame).pause;
    assert_eq!(pause, Some(Pause { opcode: Pause::PAUSE, enabled: 0, quanta: [0x1234, 0, 0, 0, 0, 0, 0, 0] }));
    let other = whole(1, &ethernet(0x8808, &[0, 2, 0, 0])).stopped;
    assert_eq!(other, Some(Stopped::NotDecoded { layer: Layer::MacControl, value: 2 }));
}

#[test]
fn llc_is_told_and_snap_is_looked_through() {
    let netbios = whole(1, &ethernet(38, &[0xf0; 46])).stopped;
    assert_eq!(netbios, Some(Stopped::NotDecoded { layer: Layer::Llc, value: 0xf0 }));
    let snap = [&[0xaa, 0xaa, 3, 0, 0, 0, 8, 0][..], &segment()].concat();
    let frame = ethernet(snap.len() as u16, &snap);
    assert_eq!((whole(1, &frame).kind, whole(1, &frame).payload_len), (Kind::Tcp, Some(4)));
    cuts_are_told(1, &frame);
}

#[test]
fn control_protocols_of_bridges_have_a_kind_of_their_own_and_their_padding_is_left_out() {
    let of = |llc: &[u8], body: &[u8]| {
        let payload = [llc, body, &[0xee; 5]].concat();
        let frame = ethernet((llc.len() + body.len()) as u16, &payload);
        cuts_are_told(1, &frame);
        let packet = whole(1, &frame);
        assert_eq!((packet.stopped, packet.payload), (None, body));
        packet.kind
    };
    assert_eq!(of(&[0x42, 0x42, 3], &[0; 35]), Kind::Stp);
    assert_eq!(of(&[0xaa, 0xaa, 3, 0, 0, 0x0c, 0x01, 0x0b], &[0; 42]), Kind::Stp);
    assert_eq!(of(&[0xaa, 0xaa, 3, 0, 0, 0x0c, 0x20, 0x00], &[2, 180, 0, 0]), Kind::Cdp);
    let dtp = ethernet(8, &[0xaa, 0xaa, 3, 0, 0, 0x0c, 0x20, 0x04]);
    assert_eq!(whole(1, &dtp).stopped, Some(Stopped::NotDecoded { layer: Layer::Llc, value: 0xaa }));
    let lacp = ethernet(0x8809, &[1, 1, 0, 0]);
    let lacp = whole(1, &lacp);
    assert_eq!((lacp.kind, lacp.stopped, lacp.payload), (Kind::Lacp, None, &[1, 1, 0, 0][..]));
    let oam = ethernet(0x8809, &[3, 1, 0, 0]);
    assert_eq!(whole(1, &oam).stopped, Some(Stopped::NotDecoded { layer: Layer::Ethernet, value: 0x8809 }));
}

#[test]
fn arp_and_lldp_are_known_and_others_named() {
    assert_eq!(whole(1, &ethernet(0x0806, &[0; 46])).kind, Kind::Arp);
    assert_eq!(whole(1, &ethernet(0x88cc, &[0; 46])).kind, Kind::Lldp);
    let macsec = ethernet(0x88e5, &[0; 46]);
    let packet = whole(1, &macsec);
    assert_eq!(packet.kind, Kind::Other);
    assert_eq!(packet.stopped, Some(Stopped::NotDecoded { layer: Layer::Ethernet, value: 0x88e5 }));
    assert_eq!(packet.payload_len, None, "46 bytes may be padding");
}

#[test]
fn cooked_captures_of_both_versions_lead_to_ip() {
    let address = [2, 0, 0, 0, 0, 9, 0, 0];
    let v1 = [&[0, 4, 0, 1, 0, 6][..], &address, &[8, 0], &segment()].concat();
    let v2 = [&[8, 0, 0, 0, 0, 0, 0, 3, 0, 1, 4, 6][..], &address, &segment()].concat();
    for (link_type, frame) in [(113, v1), (276, v2)] {
        let packet = whole(link_type, &frame);
        assert_eq!((packet.src_mac, packet.dst_mac), (Some(Mac([2, 0, 0, 0, 0, 9])), None));
        assert_eq!((packet.kind, packet.ethertype, packet.payload_len), (Kind::Tcp, Some(IPV4), Some(4)));
        cuts_are_told(link_type, &frame);
    }
    let netlink = [&[0, 4, 0x03, 0x38, 0, 0][..], &[0; 8], &[0, 16, 1, 2, 3]].concat();
    assert_eq!(whole(113, &netlink).stopped, Some(Stopped::NotDecoded { layer: Layer::Cooked, value: 824 }));
}

#[test]
fn raw_ip_is_told_apart_by_its_version() {
    let (four, six) = (segment(), ipv6(6, &tcp(&[], b"data")));
    for (link_type, packet) in
        [(101, &four), (12, &four), (14, &four), (228, &four), (101, &six), (14, &six), (229, &six)]
    {
        assert_eq!(whole(link_type, packet).kind, Kind::Tcp, "{link_type}");
        cuts_are_told(link_type, packet);
    }
    let wrong = Some(Stopped::BadField { layer: Layer::Ipv6, field: "version", value: 4 });
    assert_eq!(whole(229, &four).stopped, wrong);
    assert_eq!(
        whole(101, &[0x50; 20]).stopped,
        Some(Stopped::BadField { layer: Layer::Ipv4, field: "version", value: 5 })
    );
}

#[test]
fn loopback_families_are_read_in_either_byte_order() {
    let (four, six) = (segment(), ipv6(17, &udp(1, 2, b"")));
    for (link_type, family) in
        [(0, 2_u32.to_le_bytes()), (0, 2_u32.to_be_bytes()), (108, 2_u32.to_be_bytes()), (12, [0, 0, 0, 2])]
    {
        let frame = [&family[..], &four].concat();
        assert_eq!(whole(link_type, &frame).kind, Kind::Tcp);
        cuts_are_told(link_type, &frame);
    }
    for family in [24_u32, 28, 30] {
        assert_eq!(whole(0, &[&family.to_le_bytes()[..], &six].concat()).kind, Kind::Udp);
    }
    assert_eq!(whole(0, &[7, 0, 0, 0]).stopped, Some(Stopped::NotDecoded { layer: Layer::Loopback, value: 7 }));
}

/// An ERF record; the wire length is of what it carries.
fn erf(kind: u8, extensions: &[[u8; 8]], wire_len: u16, payload: &[u8]) -> Vec<u8> {
    let front = [&[0; 8][..], &[kind, 0, 0, 0, 0, 0], &wire_len.to_be_bytes()].concat();
    [front, extensions.concat(), payload.to_vec()].concat()
}

#[test]
fn erf_ethernet_has_padding_before_and_an_fcs_behind() {
    let frame = ethernet(0x1234, &[7; 60]);
    let record = erf(
        0x82,
        &[[0x83, 0, 0, 0, 0, 0, 0, 0], [3, 0, 0, 0, 0, 0, 0, 0]],
        78,
        &[&[0, 0][..], &frame, &[9; 4]].concat(),
    );
    let packet = whole(197, &record);
    assert_eq!((packet.ethertype, packet.payload_len), (Some(0x1234), Some(60)));
    cuts_are_told(197, &record);
    let link = whole(197, &erf(25, &[], 8, &[0; 8])).stopped;
    assert_eq!(link, Some(Stopped::NotDecoded { layer: Layer::Erf, value: 25 }));
}

/// An LRH from LID 5 to LID 9, the packet behind it, and a VCRC.
fn infiniband(next: u8, packet: &[u8]) -> Vec<u8> {
    let words = (8 + packet.len()) as u16 / 4;
    [&[0x20, next, 0, 9][..], &words.to_be_bytes(), &[0, 5], packet, &[0xfc; 2]].concat()
}

#[test]
fn native_infiniband_is_read_with_and_without_grh() {
    let packet = [bth(0x04, 0, &[7; 32]), vec![0xcc; 4]].concat();
    let local = infiniband(2, &packet);
    let decoded = whole(247, &local);
    assert_eq!((decoded.src, decoded.dst), (Some(Address::Lid(5)), Some(Address::Lid(9))));
    assert_eq!((decoded.kind, decoded.payload_len), (Kind::Roce, Some(32)));
    let global = infiniband(3, &grh(&packet));
    let decoded = whole(247, &global);
    assert_eq!(decoded.src.map(|src| src.to_string()), Some("2001:db8::1".to_owned()));
    assert_eq!((decoded.kind, decoded.payload_len), (Kind::Roce, Some(32)));
    assert_eq!(decoded.ip.map(|ip| (ip.dscp, ip.ecn)), Some((26, 2)));
    for frame in [local, global] {
        cuts_are_told(247, &frame);
        let record = erf(21, &[], frame.len() as u16, &frame);
        assert_eq!(whole(197, &record).payload_len, Some(32));
    }
    let raw = whole(247, &infiniband(0, &packet)).stopped;
    assert_eq!(raw, Some(Stopped::NotDecoded { layer: Layer::Lrh, value: 0 }));
}

#[test]
fn an_unknown_link_type_is_a_row_with_a_reason() {
    let packet = whole(105, &[1, 2, 3]);
    assert_eq!(packet.kind, Kind::Other);
    assert_eq!(packet.stopped, Some(Stopped::NotDecoded { layer: Layer::LinkType, value: 105 }));
}
