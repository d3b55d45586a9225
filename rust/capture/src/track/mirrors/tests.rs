use proptest::prelude::*;

use super::*;
use crate::packet::{Mirror, Outer, Packet, Tunnel};

/// A mirrored packet from switch 192.0.2.`switch`.
fn mirrored(switch: u8, session: Option<u16>, seq: Option<u32>) -> Packet<'static> {
    let outer = Outer {
        depth: 1,
        tunnel: Tunnel::Erspan,
        id: session.map(u32::from),
        seq,
        src: Some(Address::V4([192, 0, 2, switch])),
        dst: Some(Address::V4([192, 0, 2, 99])),
        ip: None,
        truncated: false,
        mirror: Some(Mirror { session, seq, ..Mirror::default() }),
    };
    Packet { outer: Some(outer), ..Packet::default() }
}

fn rows(packets: &[Packet<'_>]) -> (Vec<MirrorRow>, Option<u64>, Vec<ProblemRow>) {
    let mut mirrors = Mirrors::default();
    for (frame, packet) in (1..).zip(packets) {
        mirrors.on_packet(&Captured {
            source: "x",
            frame,
            ts: None,
            interface: 0,
            captured_len: 0,
            wire_len: 0,
            link_type: 1,
            packet: *packet,
        });
    }
    let (missing, mut problems) = (mirrors.missing(), Vec::new());
    (mirrors.finish("x", &mut problems), missing, problems)
}

/// Of one session: missing, late, copies, restarts.
fn counted(numbers: &[u32]) -> (Option<u64>, u64, Option<u64>, u64) {
    let packets: Vec<Packet<'_>> = numbers.iter().map(|&seq| mirrored(1, Some(5), Some(seq))).collect();
    let [row] = &rows(&packets).0[..] else { unreachable!("one session") };
    assert_eq!(row.packets, numbers.len() as u64);
    (row.missing, row.late, row.copies, row.restarts)
}

#[test]
fn numbers_that_never_came_are_missing_and_the_first_gap_is_named() {
    assert_eq!(counted(&[7, 8, 9]), (Some(0), 0, Some(0), 0));
    assert_eq!(counted(&[7, 9, 13]), (Some(4), 0, Some(0), 0));
    let packets = [7, 8, 11, 20].map(|seq| mirrored(1, Some(5), Some(seq)));
    assert_eq!(rows(&packets).0[0].gap_frame, Some(3));
}

#[test]
fn the_count_goes_on_over_its_end() {
    assert_eq!(counted(&[u32::MAX - 1, u32::MAX, 0, 1]), (Some(0), 0, Some(0), 0));
    assert_eq!(counted(&[u32::MAX, 1]), (Some(1), 0, Some(0), 0));
}

#[test]
fn a_late_packet_is_not_missing_and_a_copy_is_not_late() {
    assert_eq!(counted(&[7, 9, 8, 10]), (Some(0), 1, Some(0), 0));
    assert_eq!(counted(&[7, 9, 8, 8, 9, 10]), (Some(0), 1, Some(2), 0));
    assert_eq!(counted(&[7, 6, 8]), (Some(0), 1, Some(0), 0), "sent before the capture began");
    let far: Vec<u32> = [5].into_iter().chain(7..3000).chain([6]).collect();
    assert_eq!(counted(&far), (Some(1), 1, Some(0), 0), "so late that it may be a copy");
}

#[test]
fn a_switch_that_begins_anew_lost_nothing() {
    assert_eq!(counted(&[1_000_000, 1_000_001, 0, 1, 3]), (Some(1), 0, Some(0), 1));
    assert_eq!(counted(&[0, 1, 70_000, 70_001]), (Some(0), 0, Some(0), 1));
    assert_eq!(counted(&[0, 65_536]), (Some(65_535), 0, Some(0), 0), "the longest gap that is believed");
}

#[test]
fn a_mirror_that_does_not_count_says_nothing_of_loss() {
    assert_eq!(counted(&[0, 0, 0]), (None, 0, None, 0));
    let (rows, missing, _) = rows(&[mirrored(1, None, None), mirrored(1, None, None)]);
    assert_eq!((rows[0].packets, rows[0].missing, missing), (2, None, None));
}

#[test]
fn each_switch_and_session_has_its_own_count() {
    let seq = |switch, session, seq| mirrored(switch, Some(session), Some(seq));
    let packets = [seq(1, 5, 100), seq(2, 5, 900), seq(1, 6, 40), seq(1, 5, 101), seq(2, 5, 903), seq(1, 6, 41)];
    let (rows, missing, _) = rows(&packets);
    let told: Vec<_> = rows.iter().map(|row| (row.session, row.packets, row.missing, row.first_frame)).collect();
    assert_eq!(told, [(Some(5), 2, Some(0), 1), (Some(5), 2, Some(2), 2), (Some(6), 2, Some(0), 3)]);
    assert_eq!(missing, Some(2));
}

#[test]
fn packets_outside_mirrors_have_no_row() {
    let (rows, missing, problems) = rows(&[Packet::default()]);
    assert_eq!((rows, missing, problems), (Vec::new(), None, Vec::new()));
}

#[test]
fn sessions_do_not_fill_the_memory_and_the_limit_is_told() {
    let packets: Vec<Packet<'_>> = (0..4200).map(|n| mirrored((n / 1000) as u8, Some(n % 1000), Some(1))).collect();
    let (rows, _, problems) = rows(&packets);
    assert_eq!((rows.len(), problems.len()), (4096, 1));
    assert!(problems[0].what.starts_with("104 mirrored packets"), "{}", problems[0].what);
}

proptest! {
    #[test]
    fn what_is_dropped_from_a_shuffled_and_copied_stream_is_counted_exactly(
        start in any::<u32>(),
        drops in prop::collection::vec(any::<bool>(), 2..300),
        swaps in prop::collection::vec(any::<prop::sample::Index>(), 0..40),
        copies in prop::collection::vec(any::<prop::sample::Index>(), 0..10),
    ) {
        // The first two and the last one always come: what is lost before or after them nobody can know.
        let last = drops.len() - 1;
        let kept = (0u32..).zip(&drops).filter(|&(n, &drop)| !drop || n < 2 || n as usize == last).map(|(n, _)| n);
        let mut numbers: Vec<u32> = kept.collect();
        let missing = drops.len() - numbers.len();
        for swap in swaps {
            let at = swap.index(numbers.len());
            if at > 1 && at + 1 < numbers.len() {
                numbers.swap(at, at + 1);
            }
        }
        for copy in &copies {
            let at = copy.index(numbers.len());
            numbers.insert(at + 1, numbers[at]);
        }
        let numbers: Vec<u32> = numbers.into_iter().map(|n| start.wrapping_add(n)).collect();
        let (counted, _, copied, restarts) = counted(&numbers);
        prop_assert_eq!((counted, copied, restarts), (Some(missing as u64), Some(copies.len() as u64), 0));
    }
}
