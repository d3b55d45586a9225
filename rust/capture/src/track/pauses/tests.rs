//! Pauses against arithmetic: quanta of 512 bit times, refreshed, released, run out, cut by the end of the capture.

use std::collections::HashMap;

use proptest::prelude::*;

use super::*;
use crate::packet::Packet;

const PORT: Mac = Mac([2, 0, 0, 0, 0, 1]);
const LONGEST: u16 = 0xffff;

fn frame(pauses: &mut Pauses, number: u64, ts: Option<i64>, priority: Option<u8>, quanta: u16) {
    let (kind, opcode, enabled) = match priority {
        Some(priority) => (Kind::Pfc, Pause::PFC, 1 << priority),
        None => (Kind::Pause, Pause::PAUSE, 0),
    };
    let mut all = [0; 8];
    all[usize::from(priority.unwrap_or(0))] = quanta;
    let pause = Pause { opcode, enabled, quanta: all };
    let packet = Packet { kind, src_mac: Some(PORT), pause: Some(pause), ..Packet::default() };
    let row = Captured {
        source: "tap",
        frame: number,
        ts,
        interface: 0,
        captured_len: 60,
        wire_len: 60,
        link_type: 1,
        packet,
    };
    pauses.on_frame(&row, &pause);
}

fn at_speed(speed: u64) -> Pauses {
    Pauses::new(Settings { link_speed: NonZeroU64::new(speed), ..Settings::default() })
}

/// Pauses of priority 3 at 100 Gbit/s, where a quantum is 5.12 ns; the capture lasts until `last`.
fn paused(frames: &[(i64, u16)], last: i64) -> PauseTime {
    let mut pauses = at_speed(100_000_000_000);
    for (number, (ts, quanta)) in (1..).zip(frames) {
        frame(&mut pauses, number, Some(*ts), Some(3), *quanta);
    }
    pauses.finish("tap", Some((0, last))).remove(0)
}

#[test]
fn the_longest_pause_of_each_speed_is_that_of_the_standard() {
    // 65535 quanta: 3.355 ms at 10G, 335.5 us at 100G, 83.9 us at 400G, 41.9 us at 800G.
    for (gigabits, ns) in [(1, 33_553_920), (10, 3_355_392), (100, 335_539), (400, 83_884), (800, 41_942)] {
        let mut pauses = at_speed(gigabits * 1_000_000_000);
        frame(&mut pauses, 1, Some(0), Some(3), LONGEST);
        let row = pauses.finish("tap", Some((0, 1_000_000_000))).remove(0);
        assert_eq!((row.paused, row.longest, row.beyond), (Some(ns), Some(ns), Some(0)), "{gigabits}G");
        assert_eq!(row.share, Some(ns as f64 / 1e9));
    }
}

#[test]
fn a_refresh_replaces_the_rest_of_the_pause_before_it() {
    let row = paused(&[(0, 1000), (3000, 1000), (6000, 1000)], 1_000_000);
    assert_eq!((row.paused, row.longest, row.longest_frame), (Some(11_120), Some(11_120), Some(1)));
    let shorter = paused(&[(0, 1000), (1000, 100)], 1_000_000);
    assert_eq!(shorter.paused, Some(1512));
}

#[test]
fn a_release_ends_it_and_one_that_comes_too_late_does_not() {
    let row = paused(&[(0, 1000), (2000, 0), (10_000, 1000), (20_000, 0), (30_000, 100)], 1_000_000);
    assert_eq!((row.paused, row.longest, row.longest_frame), (Some(2000 + 5120 + 512), Some(5120), Some(3)));
    assert_eq!((row.xoff_frames, row.xon_frames), (3, 2));
}

#[test]
fn what_lies_beyond_the_last_packet_is_kept_apart() {
    let row = paused(&[(0, 1000)], 2000);
    assert_eq!((row.paused, row.beyond, row.share), (Some(2000), Some(3120), Some(1.0)));
    let row = paused(&[(0, 1000)], 0);
    assert_eq!((row.paused, row.beyond, row.share), (Some(0), Some(5120), None));
}

#[test]
fn without_a_speed_or_a_time_the_length_is_not_known() {
    let mut pauses = Pauses::default();
    frame(&mut pauses, 1, Some(0), None, LONGEST);
    let row = pauses.finish("tap", Some((0, 1000))).remove(0);
    assert_eq!((row.paused, row.longest, row.share, row.beyond), (None, None, None, None));
    assert_eq!(row.unknown, Some(Unknown::LinkSpeed));

    let mut pauses = at_speed(1_000_000_000);
    frame(&mut pauses, 1, Some(0), None, LONGEST);
    frame(&mut pauses, 2, None, None, LONGEST);
    let row = pauses.finish("tap", Some((0, 1000))).remove(0);
    assert_eq!((row.paused, row.unknown), (None, Some(Unknown::Time)));
}

#[test]
fn the_speed_of_a_port_goes_before_that_of_all_links() {
    let fast = NonZeroU64::new(400_000_000_000).unwrap();
    let mut pauses = Pauses::new(Settings {
        link_speed: NonZeroU64::new(100_000_000_000),
        link_speeds: HashMap::from([(PORT, fast)]),
    });
    frame(&mut pauses, 1, Some(0), None, 1000);
    let row = pauses.finish("tap", Some((0, 1_000_000))).remove(0);
    assert_eq!((row.priority, row.link_speed, row.paused), (None, Some(400_000_000_000), Some(1280)));
}

#[test]
fn priorities_of_one_port_are_added_up_apart() {
    let mut pauses = at_speed(100_000_000_000);
    frame(&mut pauses, 1, Some(0), Some(3), 1000);
    frame(&mut pauses, 2, Some(100), Some(4), 100);
    let rows = pauses.finish("tap", Some((0, 1_000_000)));
    let found: Vec<_> = rows.iter().map(|row| (row.priority, row.paused)).collect();
    assert_eq!(found, [(Some(3), Some(5120)), (Some(4), Some(512))]);
}

proptest! {
    #[test]
    fn no_pause_is_longer_than_the_capture_or_than_what_was_asked_for(
        frames in prop::collection::vec((0i64..1_000_000, any::<u16>()), 1..50), last in 0i64..1_000_000,
    ) {
        let mut frames = frames;
        frames.sort_unstable();
        let last = last.max(frames.last().unwrap().0);
        let row = paused(&frames, last);
        let asked: i64 = frames.iter().map(|(_, quanta)| i64::from(*quanta) * 512 / 100).sum();
        // Every nanosecond of the union, one by one.
        let mut until = 0;
        let mut union = 0;
        for (at, (ts, quanta)) in frames.iter().enumerate() {
            until = ts + i64::from(*quanta) * 512 / 100;
            let next = frames.get(at + 1).map_or(last, |next| next.0);
            union += until.min(next) - ts;
        }
        prop_assert_eq!(row.paused, Some(union));
        prop_assert_eq!(row.beyond, Some((until - last).max(0)));
        prop_assert!(union <= last && union <= asked);
        prop_assert!(row.longest.unwrap() <= union);
    }

    #[test]
    fn no_time_is_too_wild(frames in prop::collection::vec((any::<i64>(), any::<u16>()), 1..50), speed in 1u64..) {
        let mut pauses = at_speed(speed);
        for (number, (ts, quanta)) in (1..).zip(&frames) {
            frame(&mut pauses, number, Some(*ts), Some(0), *quanta);
        }
        let (first, last) = (frames.iter().map(|f| f.0).min(), frames.iter().map(|f| f.0).max());
        let row = pauses.finish("tap", first.zip(last)).remove(0);
        prop_assert!(row.paused.unwrap() >= 0 && row.beyond.unwrap() >= 0);
    }
}
