//! A model of a path with taps: what it loses, doubles and delays is known, and must be found.

use proptest::prelude::*;

use super::sighting::{Flow, Kind, Marks, Sighting, Tap};
use super::{Compared, Flows, compared, doubled};
use crate::address::Address;

const A: Address = Address::V4([192, 0, 2, 1]);
const B: Address = Address::V4([192, 0, 2, 2]);
const SEND_ONLY: u8 = 0x04;
const ACK: u8 = 0x11;
/// ns between two packets, and from one tap to the next.
const STEP: i64 = 10_000;
const HOP: i64 = 3_000;
/// Longer than any packet is under way.
const LATER: i64 = 40 * HOP;

/// Taps on the path from A to B, in this order, each with a clock of its own.
struct Road {
    taps: Vec<Tap>,
    clocks: Vec<(i64, f64)>,
    flows: Flows,
    random: u64,
    key: u64,
    frame: u64,
}

impl Road {
    fn new(clocks: &[(i64, f64)]) -> Self {
        let taps = (0..clocks.len()).map(|number| Tap::empty(&format!("tap{number}"))).collect();
        let mut flows = Flows::default();
        for (src, dst, dest_qp) in [(A, B, 7), (B, A, 9)] {
            flows.all.push(Flow { src, dst, kind: Kind::Rdma, dest_qp, sport: 50_000 });
        }
        Self { taps, clocks: clocks.to_vec(), flows, random: 1, key: 0, frame: 0 }
    }

    fn chance(&mut self, of_a_thousand: u64) -> bool {
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.random >> 33) % 1000 < of_a_thousand
    }

    /// A packet leaves at `t`. It is lost before the tap of this number on its way, if any; the capture there misses it, if
    /// `missed` says so.
    fn send(&mut self, t: i64, there: bool, psn: u32, lost_before: Option<usize>, missed: Option<usize>) {
        self.key += 1;
        self.frame += 1;
        let count = self.taps.len();
        let mut real = t;
        for place in 0..lost_before.unwrap_or(count).min(count) {
            let tap = if there { place } else { count - 1 - place };
            let queue = if self.chance(300) { 2 * HOP } else { 0 };
            real += HOP + queue;
            let (offset, ppm) = self.clocks[tap];
            if missed == Some(tap) {
                continue;
            }
            self.taps[tap].push(Sighting {
                key: self.key.wrapping_mul(0x9e37_79b9_7f4a_7c15),
                ts: real + offset + (real as f64 * ppm / 1e6) as i64,
                frame: self.frame,
                flow: u32::from(!there),
                psn,
                opcode: if there { SEND_ONLY } else { ACK },
                marks: Marks { told_apart: true, accepts: !there, ttl: 64, ..Marks::default() },
            });
        }
        for tap in &mut self.taps {
            tap.first_ts = i64::MIN / 4;
            tap.last_ts = i64::MAX / 4;
        }
    }

    fn found(mut self, order: &[usize]) -> Compared {
        let mut taps: Vec<Option<Tap>> = self.taps.drain(..).map(|tap| Some(tap.sorted())).collect();
        compared(order.iter().filter_map(|&tap| taps[tap].take()).collect(), &self.flows)
    }
}

/// What `segments` says of packets from `src`: taps, lost, missing at the first, missing at the second.
fn rows(found: &Compared, src: Address) -> Vec<(String, String, u64, u64, u64)> {
    let of = found.segments.iter().filter(|row| row.src == src);
    let mut rows: Vec<_> =
        of.map(|row| (row.tap_a.clone(), row.tap_b.clone(), row.lost, row.missing_a, row.missing_b)).collect();
    rows.sort();
    rows
}

proptest! {
    #[test]
    fn losses_lie_between_the_taps_where_they_happened_whatever_the_clocks(
        seed: u64,
        offsets in proptest::collection::vec(-1_000_000_000..1_000_000_000i64, 3),
        ppms in proptest::collection::vec(-50.0..50.0f64, 3),
        order in Just([0usize, 1, 2]).prop_shuffle(),
        percent in 0..30u64,
    ) {
        let clocks: Vec<(i64, f64)> = offsets.into_iter().zip(ppms).collect();
        let mut road = Road::new(&clocks);
        road.random = seed | 1;
        let mut lost = [0, 0];
        for psn in 0..400u32 {
            let t = i64::from(psn) * STEP;
            let before = [1, 2].into_iter().find(|_| road.chance(percent * 10));
            if let Some(before) = before {
                lost[before - 1] += 1;
                road.send(t + LATER, true, psn, None, None); // sent again
            }
            road.send(t, true, psn, before, None);
            road.send(t + 2 * LATER, false, psn, None, None);
        }
        let found = road.found(&order);
        let names = |a: usize, b: usize| (format!("tap{a}"), format!("tap{b}"));
        let row = |(a, b), lost| (names(a, b).0, names(a, b).1, lost, 0, 0);
        prop_assert_eq!(rows(&found, A), vec![row((0, 1), lost[0]), row((1, 2), lost[1])]);
        prop_assert_eq!(rows(&found, B), vec![row((1, 0), 0), row((2, 1), 0)]);
        let witnessed: u64 = found.segments.iter().map(|row| row.witnessed).sum();
        prop_assert_eq!(witnessed, lost[0] + lost[1]);
        for row in &found.tap_clocks {
            prop_assert!(row.reason.is_none(), "{:?}", row);
            let number = |name: &str| name[3..].parse::<usize>().unwrap();
            let ((a, ppm_a), (b, ppm_b)) = (clocks[number(&row.tap_a)], clocks[number(&row.tap_b)]);
            let ahead = b - a + ((ppm_b - ppm_a) * row.at as f64 / 1e6) as i64;
            // The reading of a drifting clock is itself not the true time: a second off is 100 us at 100 ppm.
            let slack = ((a.abs() + 10_000_000) as f64 * 100.0 / 1e6) as i64;
            prop_assert!(row.lower.unwrap() - slack <= ahead && ahead <= row.upper.unwrap() + slack, "{} {:?}", ahead, row);
        }
    }

    #[test]
    fn what_a_capture_misses_is_no_loss_of_the_network(tap in 0..3usize, every in 5..50u32) {
        let mut road = Road::new(&[(0, 0.0), (5_000_000, 0.0), (-7_000_000, 0.0)]);
        let mut missed = 0;
        for psn in 0..300u32 {
            let miss = (psn % every == 3).then_some(tap);
            missed += u64::from(miss.is_some());
            road.send(i64::from(psn) * STEP, true, psn, None, miss);
            road.send(i64::from(psn) * STEP + LATER, false, psn, None, None);
        }
        let found = road.found(&[2, 0, 1]);
        let of_a = || found.segments.iter().filter(|row| row.src == A);
        prop_assert_eq!(of_a().map(|row| row.lost).sum::<u64>(), 0);
        let named = |row: &&crate::tables::segments::Segment, name: &str| row.tap_a == name || row.tap_b == name;
        for row in of_a() {
            let expected_a = if row.tap_a == format!("tap{tap}") { missed } else { 0 };
            let expected_b = if row.tap_b == format!("tap{tap}") { missed } else { 0 };
            prop_assert_eq!((row.missing_a, row.missing_b), (expected_a, expected_b), "{}", named(&row, "tap0"));
        }
    }
}

#[test]
fn packets_of_a_queue_pair_that_goes_another_way_are_not_lost() {
    let mut road = Road::new(&[(0, 0.0), (0, 0.0)]);
    road.flows.all.push(Flow { src: A, dst: B, kind: Kind::Rdma, dest_qp: 70, sport: 50_001 });
    road.flows.all.push(Flow { src: B, dst: A, kind: Kind::Rdma, dest_qp: 90, sport: 50_001 });
    for psn in 0..100u32 {
        road.send(i64::from(psn) * STEP, true, psn, None, None);
        road.send(i64::from(psn) * STEP + 4 * HOP, false, psn, None, None);
    }
    // The other queue pair passes the first tap only, and is answered.
    for psn in 0..50u32 {
        for (flow, later) in [(2, 0), (3, 9 * HOP)] {
            let there = flow == 2;
            road.key += 1;
            road.taps[0].push(Sighting {
                key: road.key.wrapping_mul(0x9e37_79b9_7f4a_7c15),
                ts: i64::from(psn) * STEP + later,
                frame: 1000,
                flow,
                psn,
                opcode: if there { SEND_ONLY } else { ACK },
                marks: Marks { told_apart: true, accepts: !there, ttl: 64, ..Marks::default() },
            });
        }
    }
    let found = road.found(&[0, 1]);
    let there = found.segments.iter().find(|row| row.src == A).unwrap();
    assert_eq!((there.lost, there.elsewhere, there.matched), (0, 50, 100));
}

#[test]
fn answers_of_which_none_passes_a_tap_are_not_lost_before_it() {
    let mut road = Road::new(&[(0, 0.0), (0, 0.0)]);
    road.flows.all.push(Flow { src: B, dst: A, kind: Kind::Rdma, dest_qp: 90, sport: 50_001 });
    for psn in 0..100u32 {
        road.send(i64::from(psn) * STEP, true, psn, None, None);
        // Of this queue pair the tap near A misses one answer in ten: it was lost on its way from the other tap.
        let lost_before = if psn % 10 == 5 { Some(1) } else { None };
        road.send(i64::from(psn) * STEP + 4 * HOP, false, psn, lost_before, None);
    }
    // The answers of the other one pass the tap near B and go back another way.
    for psn in 0..50u32 {
        road.key += 1;
        road.taps[1].push(Sighting {
            key: road.key.wrapping_mul(0x9e37_79b9_7f4a_7c15),
            ts: i64::from(psn) * STEP + 9 * HOP,
            frame: 1000,
            flow: 2,
            psn,
            opcode: ACK,
            marks: Marks { told_apart: true, accepts: true, ttl: 64, ..Marks::default() },
        });
    }
    let found = road.found(&[0, 1]);
    let back = found.segments.iter().find(|row| row.src == B).unwrap();
    assert_eq!((back.lost, back.elsewhere, back.matched), (10, 50, 90));
}

#[test]
fn nothing_is_said_of_the_order_where_packets_go_one_way_only() {
    let mut road = Road::new(&[(0, 0.0), (90_000, 0.0)]);
    for psn in 0..100u32 {
        road.send(i64::from(psn) * STEP, true, psn, (psn % 10 == 0).then_some(1), None);
    }
    let found = road.found(&[0, 1]);
    assert!(found.segments.is_empty(), "{:?}", found.segments);
}

#[test]
fn packets_beyond_the_end_of_a_capture_are_not_lost() {
    let mut road = Road::new(&[(0, 0.0), (0, 0.0)]);
    for psn in 0..100u32 {
        let ended = (psn >= 80).then_some(1);
        road.send(i64::from(psn) * STEP, true, psn, ended, None);
        road.send(i64::from(psn) * STEP + STEP / 3, false, psn, None, ended.map(|_| 1));
    }
    road.taps[1].last_ts = 80 * STEP;
    let found = road.found(&[0, 1]);
    let there = found.segments.iter().find(|row| row.src == A).unwrap();
    assert_eq!((there.matched, there.lost), (80, 0));
}

#[test]
fn a_mirror_of_ingress_and_egress_is_two_taps() {
    let mut tap = Tap::empty("tor");
    let mut flows = Flows::default();
    flows.all.push(Flow { src: A, dst: B, kind: Kind::Rdma, dest_qp: 7, sport: 1 });
    flows.all.push(Flow { src: B, dst: A, kind: Kind::Rdma, dest_qp: 9, sport: 1 });
    for n in 0..200u64 {
        let mut see = |later: i64, ttl: u8| {
            tap.push(Sighting {
                key: n.wrapping_mul(0x9e37_79b9_7f4a_7c15),
                ts: n as i64 * 1_000_000 + later,
                frame: 1 + 2 * n + u64::from(later > 0),
                flow: (n % 2) as u32,
                psn: n as u32,
                opcode: SEND_ONLY,
                marks: Marks { told_apart: true, ttl, ..Marks::default() },
            });
        };
        see(0, 64);
        if n % 20 != 0 {
            see(900, 63);
        }
    }
    tap.first_ts = -1_000_000_000;
    tap.last_ts = 1_000_000_000_000;
    let found = compared(vec![tap.sorted()], &flows);
    let there = found.segments.iter().find(|row| row.src == A).unwrap();
    assert_eq!((there.tap_a.as_str(), there.tap_b.as_str()), ("tor#before", "tor#after"));
    assert_eq!((there.sent, there.lost, there.routers), (100, 10, Some(1)));
    assert_eq!(there.delay_median, Some(900));
}

#[test]
fn a_few_doubled_packets_are_no_mirror() {
    let mut tap = Tap::empty("tor");
    for n in 0..200u64 {
        for copy in 0..=u64::from(n % 10 == 0) {
            tap.push(Sighting {
                key: n.wrapping_mul(0x9e37_79b9_7f4a_7c15),
                ts: n as i64 * 1000 + copy as i64,
                frame: n,
                flow: 0,
                psn: 0,
                opcode: SEND_ONLY,
                marks: Marks { told_apart: true, ..Marks::default() },
            });
        }
    }
    assert!(doubled::split(&mut tap.sorted()).is_none());
}
