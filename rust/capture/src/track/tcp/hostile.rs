//! Tests of the tracker on captures that are incomplete, odd or made to break it.

use proptest::prelude::*;

use super::talk::{MS, MSS, Segment, Talk};
use crate::decode::decode;
use crate::track::conversations::{ACK, FIN, RST, SYN};

#[test]
fn a_capture_of_one_side_says_what_it_can() {
    let mut talk = Talk::default();
    for at in 0..50_u32 {
        talk.reply(i64::from(at) * MS, 1 + at * MSS, 1, MSS);
    }
    talk.reply(500 * MS, 1 + 30 * MSS, 1, MSS);
    let told = talk.told();
    let connection = told.only();
    assert_eq!((connection.server.packets, connection.client.packets), (51, 0));
    assert!(!connection.client_known, "the higher port is a guess");
    assert_eq!(connection.opened, "before capture");
    assert_eq!((connection.server.retransmissions, connection.gaps), (1, 0));
    assert_eq!(connection.server.round_trip_min, None);
    assert_eq!(connection.window_full, None, "without a SYN nobody knows how windows are scaled");
}

#[test]
fn a_start_in_the_middle_invents_no_loss() {
    let mut talk = Talk::default();
    talk.ack(0, 500, 90_000).reply(MS, 90_000, 500, MSS).ack(2 * MS, 500, 90_000 + MSS);
    let told = talk.told();
    assert_eq!(told.kinds(), Vec::<&str>::new());
    assert_eq!(told.only().server.round_trip_min, Some(MS));
}

#[test]
fn ports_used_again_are_another_connection() {
    let mut talk = Talk::default();
    talk.handshake(MS, MS);
    talk.at(5 * MS, &Segment { seq: 1, ack: 1, flags: RST | ACK, ..Segment::default() });
    talk.at(900 * MS, &Segment { seq: 77_000, flags: SYN, ..Segment::default() });
    talk.at(901 * MS, &Segment { from_client: false, seq: 5, ack: 77_001, flags: SYN | ACK, ..Segment::default() });
    let told = talk.told();
    assert_eq!(told.connections.len(), 2);
    assert_eq!(told.connections[1].handshake_to_server, Some(MS));
    assert_eq!(told.connections[0].ended, "rst by client");
}

#[test]
fn a_syn_ack_that_answers_after_a_reset_begins_anew() {
    let mut talk = Talk::default();
    let syn = Segment { flags: SYN, ..Segment::default() };
    talk.at(0, &syn).at(MS, &Segment { from_client: false, seq: 0, ack: 1, flags: RST | ACK, ..Segment::default() });
    talk.at(500 * MS, &syn);
    talk.at(
        501 * MS,
        &Segment { from_client: false, seq: 3_000_000_000, ack: 1, flags: SYN | ACK, ..Segment::default() },
    );
    talk.ack(502 * MS, 1, 3_000_000_001).reply(503 * MS, 3_000_000_001, 1, MSS).ack(504 * MS, 1, 3_000_000_001 + MSS);
    let told = talk.told();
    assert_eq!(told.connections.len(), 1);
    assert_eq!((told.only().server.retransmissions, told.only().out_of_order, told.only().gaps), (0, 0, 0));
}

#[test]
fn segments_without_a_time_give_counts_and_no_times() {
    let mut talk = Talk::default();
    for segment in [
        Segment { flags: SYN, ..Segment::default() },
        Segment { from_client: false, ack: 1, flags: SYN | ACK, ..Segment::default() },
        Segment { seq: 1, ack: 1, len: 10, ..Segment::default() },
    ] {
        talk.row(None, &segment, Some(segment.len));
    }
    let told = talk.told();
    let connection = told.only();
    assert_eq!((connection.client.packets, connection.client.bytes), (2, 10));
    assert_eq!((connection.handshake_to_server, connection.first_ts, connection.stalls), (None, None, None));
}

#[test]
fn a_clock_that_steps_back_gives_no_round_trip() {
    let mut talk = Talk::default();
    talk.handshake(-5 * MS, 2 * MS);
    let told = talk.told();
    assert_eq!((told.only().handshake_to_server, told.only().handshake_to_client), (None, Some(2 * MS)));
    assert_eq!(told.only().client.round_trip_min, None);
}

#[test]
fn no_event_lasts_less_than_no_time_when_the_clock_steps_back() {
    let back = |talk: &mut Talk| {
        let told = talk.told();
        let spans: Vec<_> = told.events.iter().filter_map(|event| event.duration).filter(|span| *span < 0).collect();
        assert_eq!(spans, Vec::<i64>::new(), "{:?}", told.kinds());
        told
    };
    let closed = |ts: i64| (ts, Segment { window: 0, seq: 1, ack: 1, ..Segment::default() });

    let mut windows = Talk::default();
    windows.handshake(MS, MS);
    let (ts, shut) = closed(50 * MS);
    windows.at(ts, &shut).at(20 * MS, &Segment { window: 60_000, ..shut.clone() });
    let told = back(&mut windows);
    assert_eq!((told.event("zero-window-end").duration, told.only().client.zero_window_time), (None, None));

    let mut open_to_the_end = Talk::default();
    open_to_the_end.handshake(MS, MS).at(ts, &shut).reply(30 * MS, 1, 1, MSS);
    back(&mut open_to_the_end);

    let mut resent = Talk::default();
    resent.handshake(MS, MS).reply(90 * MS, 1, 1, MSS).reply(20 * MS, 1, 1, MSS);
    back(&mut resent);

    let mut repeated = Talk::default();
    repeated.handshake(MS, MS).reply(50 * MS, 1, 1, MSS);
    for ts in [60, 40, 20] {
        repeated.ack(ts * MS, 1, 1);
    }
    back(&mut repeated);
}

#[test]
fn a_segment_of_unknown_length_is_a_problem_and_no_row() {
    let mut talk = Talk::default();
    talk.row(Some(0), &Segment::default(), None);
    let told = talk.told();
    assert!(told.connections.is_empty());
    assert_eq!(told.problems.len(), 1);
}

#[test]
fn more_events_than_are_kept_are_counted_and_said() {
    let mut talk = Talk::default();
    talk.handshake(MS, MS);
    for round in 0..5000_i64 {
        talk.reply((10 + round * 500) * MS, 1, 1, MSS);
    }
    let told = talk.told();
    assert_eq!(told.only().server.retransmissions, 4999);
    assert_eq!(told.events.len(), 4096);
    assert_eq!(told.problems.len(), 1);
}

#[test]
fn more_under_way_than_is_remembered_is_said() {
    let mut talk = Talk::default();
    talk.handshake(MS, MS);
    for at in 0..3000_u32 {
        talk.reply(10 * MS, 1 + at * MSS, 1, MSS);
    }
    assert_eq!(talk.told().problems.len(), 1);
}

/// Ethernet, IPv4, TCP with timestamps, 20 bytes of payload.
fn frame() -> Vec<u8> {
    let mut bytes = vec![2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 8, 0];
    bytes.extend([0x45, 0, 0, 72, 0, 1, 0, 0, 64, 6, 0, 0, 192, 0, 2, 1, 198, 51, 100, 1]);
    bytes.extend([0x9c, 0x40, 1, 187, 0, 0, 0, 9, 0, 0, 0, 7, 0x80, 0x18, 1, 0, 0, 0, 0, 0]);
    bytes.extend([1, 1, 8, 10, 0, 0, 0, 5, 0, 0, 0, 6]);
    bytes.extend([7; 20]);
    bytes
}

#[test]
fn a_segment_cut_anywhere_has_its_whole_length_or_none() {
    let whole = frame();
    for len in 0..=whole.len() {
        let packet = decode(1, &whole[..len], whole.len() as u32);
        let Some(tcp) = packet.tcp else { continue };
        assert_eq!(packet.payload_len, Some(20), "cut at {len}");
        let segment = super::segment::Segment::of(
            &crate::tables::captured::Captured {
                source: "",
                frame: 1,
                ts: Some(0),
                interface: 0,
                captured_len: len as u32,
                wire_len: whole.len() as u32,
                link_type: 1,
                packet,
            },
            &tcp,
            20,
            0,
        );
        assert_eq!(segment.end(), 29);
        assert_eq!(segment.options.timestamps, (len >= 66).then_some((5, 6)), "cut at {len}");
    }
}

fn any_segment() -> impl Strategy<Value = (Segment, i64)> {
    let number = prop_oneof![0_u32..40, any::<u32>(), Just(u32::MAX), Just(1 << 31)];
    let flags = prop_oneof![Just(ACK), Just(ACK), Just(SYN), Just(SYN | ACK), Just(FIN | ACK), Just(RST), any::<u8>()];
    let options = prop_oneof![
        Just(Vec::new()),
        proptest::collection::vec(any::<u8>(), 0..40),
        (number.clone(), number.clone()).prop_map(|(a, b)| super::talk::sack(&[(a, b), (b, a)])),
        (number.clone(), number.clone()).prop_map(|(a, b)| super::talk::clock(a, b)),
    ];
    let len = prop_oneof![Just(0_u32), 1_u32..20, any::<u32>()];
    let ts = prop_oneof![0_i64..1_000_000_000, any::<i64>()];
    (any::<bool>(), number.clone(), number, flags, len, any::<u16>(), options, any::<u16>(), ts).prop_map(
        |(from_client, seq, ack, flags, len, window, options, id, ts)| {
            let window = window % 3;
            (Segment { from_client, seq, ack, flags, len, window, options, id, ..Segment::default() }, ts)
        },
    )
}

proptest! {
    #[test]
    fn any_segments_are_counted_and_break_nothing(segments in proptest::collection::vec(any_segment(), 0..120)) {
        let mut talk = Talk::default();
        for (segment, ts) in &segments {
            talk.at(*ts, segment);
        }
        let told = talk.told();
        let packets: u64 = told.connections.iter().map(|row| row.client.packets + row.server.packets).sum();
        prop_assert_eq!(packets, segments.len() as u64);
        for row in &told.connections {
            let kinds = row.fast + row.rto + row.tail + row.spurious + row.unexplained;
            prop_assert_eq!(kinds, row.client.retransmissions + row.server.retransmissions);
            prop_assert!(row.client.round_trip_min.is_none_or(|trip| trip >= 0));
        }
    }

    #[test]
    fn the_direction_is_no_matter_of_the_address(swap: bool, seq: u32) {
        let mut talk = Talk::default();
        talk.at(0, &Segment { from_client: !swap, seq, flags: SYN, ..Segment::default() });
        let told = talk.told();
        prop_assert!(told.only().client_known);
        prop_assert_eq!(told.only().client_port == 40_000, !swap);
    }
}
