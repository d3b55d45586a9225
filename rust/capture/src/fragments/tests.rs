use proptest::prelude::*;

use super::*;
use crate::decode::decode;

/// An IPv4 packet with UDP or what follows it: identification, offset in bytes, whether more follow.
fn v4(id: u16, offset: u16, more: bool, payload: &[u8]) -> Vec<u8> {
    ipv4(17, id, offset, more, payload)
}

fn ipv4(protocol: u8, id: u16, offset: u16, more: bool, payload: &[u8]) -> Vec<u8> {
    let total = 20 + payload.len() as u16;
    let place = (offset / 8) | (u16::from(more) << 13);
    let head: [&[u8]; 6] =
        [&[0x45, 0], &total.to_be_bytes(), &id.to_be_bytes(), &place.to_be_bytes(), &[64, protocol], &[0; 2]];
    [head.concat(), vec![192, 0, 2, 1, 192, 0, 2, 2], payload.to_vec()].concat()
}

fn v6(next: u8, id: u32, offset: u16, more: bool, payload: &[u8]) -> Vec<u8> {
    let len = (8 + payload.len()) as u16;
    let place = offset | u16::from(more);
    let head = [&[0x60, 0, 0, 0][..], &len.to_be_bytes(), &[44, 64], &[1; 16], &[2; 16]].concat();
    [head, vec![next, 0], place.to_be_bytes().to_vec(), id.to_be_bytes().to_vec(), payload.to_vec()].concat()
}

fn udp(sport: u16, dport: u16) -> Vec<u8> {
    [&sport.to_be_bytes()[..], &dport.to_be_bytes(), &3000u16.to_be_bytes(), &[0; 10]].concat()
}

/// What became of packets of link type 101, a millisecond apart: ports, frame of the first, and whether it stopped.
type Told = (Option<(u16, u16)>, Option<u64>, bool);

fn told(packets: &[Vec<u8>]) -> Vec<Told> {
    timed(&packets.iter().enumerate().map(|(n, bytes)| (n as i64 * 1_000_000, bytes.clone())).collect::<Vec<_>>())
}

fn timed(packets: &[(i64, Vec<u8>)]) -> Vec<Told> {
    let mut fragments = Fragments::default();
    let one = |(frame, (ts, bytes)): (u64, &(i64, Vec<u8>))| {
        let mut packet = decode(101, bytes, bytes.len() as u32);
        fragments.complete(frame, Some(*ts), &mut packet);
        let datagram = packet.fragment.and_then(|fragment| fragment.datagram).map(Into::into);
        (packet.sport.zip(packet.dport), datagram, packet.stopped == Some(Stopped::Fragment))
    };
    (1..).zip(packets).map(one).collect()
}

#[test]
fn later_fragments_have_the_ports_and_the_frame_of_the_first() {
    let whole = v4(1, 0, false, &udp(9, 10));
    let packets = [
        whole,
        v4(7, 0, true, &udp(53, 54)),
        v4(8, 0, true, &udp(63, 64)),
        v4(7, 16, true, &[0xff; 16]),
        v4(8, 16, false, &[0xff; 4]),
        v4(7, 32, false, &[0xff; 5]),
    ];
    let (dns, other) = (Some((53, 54)), Some((63, 64)));
    assert_eq!(
        told(&packets),
        [
            (Some((9, 10)), None, false),
            (dns, Some(2), false),
            (other, Some(3), false),
            (dns, Some(2), false),
            (other, Some(3), false),
            (dns, Some(2), false),
        ]
    );
}

#[test]
fn ipv6_tells_datagrams_apart_by_32_bits_and_not_by_the_next_header() {
    let packets = [
        v6(17, 0x0001_0007, 0, true, &udp(53, 54)),
        v6(17, 0x0002_0007, 0, true, &udp(63, 64)),
        v6(60, 0x0001_0007, 16, false, &[0; 8]),
        v6(17, 0x0003_0007, 16, false, &[0; 8]),
    ];
    let told = told(&packets);
    assert_eq!(told[2], (Some((53, 54)), Some(1), false));
    assert_eq!(told[3], (None, None, true), "of a datagram that nobody began");
}

#[test]
fn an_ipv6_packet_in_one_piece_with_a_fragment_header_is_no_fragment() {
    assert_eq!(told(&[v6(17, 7, 0, false, &udp(1, 2))]), [(Some((1, 2)), None, false)]);
}

#[test]
fn a_fragment_before_its_first_stays_without_ports_and_says_why() {
    let packets = [v4(7, 16, false, &[0; 8]), v4(7, 0, true, &udp(53, 54))];
    assert_eq!(told(&packets), [(None, None, true), (Some((53, 54)), Some(2), false)]);
}

#[test]
fn another_protocol_pair_or_direction_is_another_datagram() {
    let mut back = v4(7, 16, false, &[0; 8]);
    let (src, dst) = (12..16, 16..20);
    back[src].copy_from_slice(&[192, 0, 2, 2]);
    back[dst].copy_from_slice(&[192, 0, 2, 1]);
    let told = told(&[v4(7, 0, true, &udp(53, 54)), ipv4(6, 7, 16, false, &[0; 8]), back]);
    assert_eq!(told[1..], [(None, None, true), (None, None, true)]);
}

#[test]
fn an_identification_means_another_datagram_after_the_time_that_parts_are_waited_for() {
    let second = 1_000_000_000;
    let first = (0, v4(7, 0, true, &udp(53, 54)));
    let later = |at: i64| (at, v4(7, 16, false, &[0; 8]));
    let told = timed(&[first, later(30 * second), later(31 * second)]);
    assert_eq!((told[1].1, told[2]), (Some(1), (None, None, true)));
    let first = (0, v6(17, 7, 0, true, &udp(53, 54)));
    let later = |at: i64| (at, v6(17, 7, 16, false, &[0; 8]));
    let told = timed(&[first, later(60 * second), later(61 * second)]);
    assert_eq!((told[1].1, told[2]), (Some(1), (None, None, true)), "IPv6 waits a minute");
}

#[test]
fn of_two_datagrams_with_one_identification_the_last_begun_counts() {
    let told = told(&[v4(7, 0, true, &udp(1, 2)), v4(7, 0, true, &udp(3, 4)), v4(7, 16, false, &[0; 8])]);
    assert_eq!(told[2], (Some((3, 4)), Some(2), false));
}

#[test]
fn fragments_of_a_tunnel_are_attributed_to_its_first_and_get_no_ports_of_what_is_inside() {
    let inside = v4(99, 0, false, &[udp(53, 54), vec![0; 32]].concat());
    let outside =
        |offset: usize, more| ipv4(4, 7, offset as u16, more, &inside[offset..(offset + 40).min(inside.len())]);
    let told = told(&[outside(0, true), outside(40, false)]);
    assert_eq!(told, [(Some((53, 54)), Some(1), false), (None, Some(1), false)]);
}

#[test]
fn what_is_remembered_is_bounded() {
    let mut fragments = Fragments::default();
    for id in 0..100_000u32 {
        let bytes = v6(17, id, 0, true, &udp(1, 2));
        fragments.complete(u64::from(id) + 1, None, &mut decode(101, &bytes, bytes.len() as u32));
    }
    assert!(fragments.lately.len() <= MOST && fragments.before.len() <= MOST);
    let bytes = v6(17, 99_000, 8, false, &[0; 8]);
    let mut packet = decode(101, &bytes, bytes.len() as u32);
    fragments.complete(100_001, None, &mut packet);
    assert_eq!(packet.sport, Some(1), "what came last is still there");
}

proptest! {
    #[test]
    fn every_fragment_of_a_datagram_finds_its_first_in_any_order_after_it(
        parts in Just((1u16..20).collect::<Vec<_>>()).prop_shuffle(),
        id in any::<u16>(),
    ) {
        let first = v4(id, 0, true, &udp(7, 8));
        let rest = parts.iter().map(|part| v4(id, part * 16, *part != 19, &[0; 16]));
        for (ports, datagram, stopped) in told(&[first].into_iter().chain(rest).collect::<Vec<_>>()) {
            prop_assert_eq!((ports, datagram, stopped), (Some((7, 8)), Some(1), false));
        }
    }

    #[test]
    fn bytes_that_look_like_ip_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..80), six in any::<bool>()) {
        let mut bytes = bytes;
        if let Some(first) = bytes.first_mut() {
            *first = if six { 0x60 } else { 0x45 };
        }
        if let (true, Some(next)) = (six, bytes.get_mut(6)) {
            *next = 44;
        }
        told(&[bytes.clone(), bytes]);
    }
}
