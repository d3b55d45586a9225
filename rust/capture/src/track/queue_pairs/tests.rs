//! Whole packets in, rows out: pairing, notifications, unreliable traffic, and what only one direction can show.

mod credits;

use proptest::prelude::*;

use super::super::found::Found;
use super::super::mads::{Connection, End};
use super::super::pairing::kernel_source_port;
use super::super::rdma::Rdma;
use super::*;
use crate::packet::{Ip, Kind as PacketKind, Packet};
use crate::rdma::{Aeth, Bth, Deth, Encapsulation};
use crate::tables::loss_episodes::{Kind, LossEpisode, Side};
use crate::tables::roce_qps::RoceQp;

const A: Address = Address::V4([192, 0, 2, 1]);
const B: Address = Address::V4([192, 0, 2, 2]);
const SEND_ONLY: u8 = 0x04;
const ACK: u8 = 0x11;
const UD_SEND: u8 = 0x64;
/// AETH syndromes.
const OK: u8 = 0x1f;
const SEQUENCE_ERROR: u8 = 0x60;

/// A capture made of packets one microsecond apart.
#[derive(Default)]
struct Tap {
    frame: u64,
    /// Time of the next packets, instead of one a microsecond after the other.
    stamp: Option<i64>,
    /// Message bytes of the next packets, instead of 64.
    payload: Option<u32>,
    rdma: Rdma,
}

struct Sent {
    from: Address,
    to: Address,
    qp: u32,
    sport: u16,
    opcode: u8,
    psn: u32,
    syndrome: Option<u8>,
    src_qp: Option<u32>,
    ecn: u8,
}

impl Tap {
    fn sent(&mut self, sent: &Sent) {
        self.frame += 1;
        let bth = Bth {
            opcode: sent.opcode,
            solicited: false,
            mig_req: false,
            pad_count: 0,
            p_key: 0xffff,
            fecn: false,
            becn: false,
            dest_qp: sent.qp,
            ack_req: !opcode::is_response(sent.opcode),
            psn: sent.psn,
        };
        let roce = Roce {
            encapsulation: Encapsulation::RoceV2,
            bth,
            reth: None,
            aeth: sent.syndrome.map(|syndrome| Aeth { syndrome, msn: 0 }),
            deth: sent.src_qp.map(|src_qp| Deth { q_key: 1, src_qp }),
            immediate: None,
            payload_len: self.payload.or(Some(64)),
            whole: None,
        };
        let packet = Packet {
            kind: PacketKind::Roce,
            src: Some(sent.from),
            dst: Some(sent.to),
            ip: Some(Ip { dscp: 26, ecn: sent.ecn, ttl: 64, id: None, protocol: 17 }),
            sport: Some(sent.sport),
            dport: Some(4791),
            roce: Some(roce),
            ..Packet::default()
        };
        let ts = self.stamp.or(Some(self.frame as i64 * 1000));
        let row = Sighting { source: "tap", frame: self.frame, ts, packet: &packet };
        if let Some(ts) = ts {
            self.rdma.on_time(ts);
        }
        self.rdma.on_packet(&row, &roce, None);
    }

    fn request(&mut self, qp: u32, sport: u16, psn: u32) {
        let (opcode, syndrome, src_qp) = (SEND_ONLY, None, None);
        self.sent(&Sent { from: A, to: B, qp, sport, opcode, psn, syndrome, src_qp, ecn: 2 });
    }

    fn answer(&mut self, qp: u32, sport: u16, psn: u32, syndrome: u8) {
        let (opcode, syndrome, src_qp) = (ACK, Some(syndrome), None);
        self.sent(&Sent { from: B, to: A, qp, sport, opcode, psn, syndrome, src_qp, ecn: 2 });
    }

    fn found(self) -> Found {
        self.rdma.finish("tap").0
    }

    fn rows(self) -> (Vec<RoceQp>, Vec<LossEpisode>, Totals) {
        let (found, totals) = self.rdma.finish("tap");
        (found.roce_qps, found.loss_episodes, totals)
    }
}

#[test]
fn answers_find_their_requests_by_the_kernels_port_even_when_all_psns_are_alike() {
    let mut tap = Tap::default();
    let pairs = [(0x11, 0x21), (0x12, 0x22), (0x13, 0x23)];
    for psn in 0..3 {
        for (here, there) in pairs {
            tap.request(there, kernel_source_port(here, there), psn);
        }
        for (here, there) in pairs {
            tap.answer(here, kernel_source_port(here, there), psn, OK);
        }
    }
    let (rows, episodes, totals) = tap.rows();
    let found: Vec<_> = rows.iter().map(|row| (row.src_qp, row.dest_qp, row.paired_by, row.acks)).collect();
    assert_eq!(found, pairs.map(|(here, there)| (Some(here), there, Some("source port"), 3)));
    assert_eq!((episodes.len(), totals.one_way, totals.unseen), (0, 0, 0));
}

#[test]
fn the_connection_manager_goes_before_every_other_rule() {
    let mut tap = Tap::default();
    let end = |qp| End { qp, starting_psn: Some(5), rnr_retry: Some(7) };
    for (active, passive) in [(0x11, 0x21), (0x12, 0x22)] {
        tap.rdma.on_connection(&Connection {
            active: end(active),
            passive: end(passive),
            frame: 1,
            paths: vec![(A, B)],
            ack_timeout: Some(14),
            retry_count: Some(7),
            path_mtu: Some(1024),
        });
    }
    tap.request(0x21, 7, 5);
    tap.answer(0x12, 7, 5, OK); // belongs to requests that were not captured, however well it fits
    tap.request(0x22, 7, 5);
    tap.answer(0x11, 7, 5, OK);
    tap.answer(0x12, 7, 5, OK);
    let (rows, _, totals) = tap.rows();
    let found: Vec<_> = rows.iter().map(|row| (row.dest_qp, row.src_qp, row.paired_by, row.acks)).collect();
    assert_eq!(found, [(0x21, Some(0x11), Some("cm"), 1), (0x22, Some(0x12), Some("cm"), 1)]);
    assert_eq!(totals.one_way, 0);
}

#[test]
fn a_nak_for_a_first_packet_that_never_came_by_is_a_loss_before_the_tap() {
    let mut tap = Tap::default();
    let port = kernel_source_port(0x11, 0x21);
    tap.request(0x21, port, 101);
    tap.request(0x21, port, 102);
    tap.answer(0x11, port, 100, SEQUENCE_ERROR);
    for psn in 100..103 {
        tap.request(0x21, port, psn);
        tap.answer(0x11, port, psn, OK);
    }
    let (rows, episodes, totals) = tap.rows();
    let found: Vec<_> = episodes.iter().map(|e| (e.kind, e.side, e.psn, e.nak_frame, e.resend_frame)).collect();
    assert_eq!(found, [(Kind::Loss, Some(Side::Source), 100, Some(3), Some(4))]);
    assert_eq!((rows[0].naks_sequence, totals.unseen), (1, 0));
}

#[test]
fn a_nak_that_is_the_first_answer_pairs_by_the_packet_that_never_came_by() {
    let mut tap = Tap::default();
    let port = kernel_source_port(0x11, 0x21);
    for psn in [100, 102, 103] {
        tap.request(0x21, port, psn);
    }
    tap.answer(0x11, port, 101, SEQUENCE_ERROR);
    for psn in 101..104 {
        tap.request(0x21, port, psn);
        tap.answer(0x11, port, psn, OK);
    }
    let (rows, episodes, _) = tap.rows();
    assert_eq!((rows[0].naks_sequence, rows[0].acks), (1, 3));
    assert_eq!(
        episodes.iter().map(|e| (e.kind, e.side, e.psn)).collect::<Vec<_>>(),
        [(Kind::Loss, Some(Side::Source), 101)]
    );
}

#[test]
fn one_direction_alone_is_counted_and_judged_by_nobody() {
    let mut requests = Tap::default();
    let mut answers = Tap::default();
    for psn in 0..5 {
        requests.request(0x21, 7, psn);
        answers.answer(0x11, 7, psn, OK);
    }
    let (rows, episodes, totals) = requests.rows();
    assert_eq!((rows[0].src_qp, episodes.len(), totals.one_way, totals.requests), (None, 0, 1, 5));
    let (rows, episodes, totals) = answers.rows();
    assert_eq!((rows.len(), episodes.len(), totals.one_way, totals.answers), (0, 0, 1, 5));
}

#[test]
fn notifications_and_marks_belong_to_the_sender_that_must_slow_down() {
    let mut tap = Tap::default();
    let port = kernel_source_port(0x11, 0x21);
    tap.request(0x21, port, 1);
    tap.answer(0x11, port, 1, OK);
    let (syndrome, src_qp) = (None, None);
    let cnp = Sent { from: B, to: A, qp: 0x11, sport: 0, opcode: opcode::CNP, psn: 0, syndrome, src_qp, ecn: 2 };
    tap.sent(&cnp);
    tap.sent(&Sent { from: A, to: B, qp: 0x21, sport: port, opcode: SEND_ONLY, psn: 2, ecn: 3, ..cnp });
    let (rows, _, _) = tap.rows();
    assert_eq!(rows.len(), 1);
    assert_eq!((rows[0].cnps, rows[0].cnp_frame, rows[0].ce, rows[0].ce_frame), (1, Some(3), 1, Some(4)));
    assert_eq!(rows[0].ect, 1);
}

#[test]
fn marks_tell_congestion_before_the_tap_and_notifications_without_marks_after_it() {
    for (ecn, want) in [(3, Some("before this tap")), (2, Some("after this tap")), (0, None)] {
        let mut tap = Tap::default();
        let port = kernel_source_port(0x11, 0x21);
        let (syndrome, src_qp) = (None, None);
        let data = Sent { from: A, to: B, qp: 0x21, sport: port, opcode: SEND_ONLY, psn: 1, syndrome, src_qp, ecn };
        tap.sent(&data);
        tap.answer(0x11, port, 1, OK);
        tap.sent(&Sent { from: B, to: A, qp: 0x11, opcode: opcode::CNP, ecn: 0, ..data });
        let found = tap.found();
        assert_eq!((found.ecn_marks[0].congested, found.ecn_marks[0].cnps_back), (want, Some(1)));
        let told = &found.cnp_rates[0];
        assert_eq!((told.src, told.dst, told.dest_qp, told.qp, told.cnps, told.rate), (B, A, 0x11, Some(0), 1, None));
    }
}

#[test]
fn each_wait_for_a_receive_buffer_is_told_with_the_time_that_was_asked_for() {
    let mut tap = Tap::default();
    let port = kernel_source_port(0x11, 0x21);
    for round in 0..3 {
        tap.stamp = Some(round * 700_000);
        tap.request(0x21, port, 1);
        if round < 2 {
            tap.answer(0x11, port, 1, 0x20 | 0x0c);
        }
    }
    tap.answer(0x11, port, 1, OK);
    let waits = tap.found().rnr_waits;
    let rows: Vec<_> =
        waits.iter().map(|w| (w.psn, w.nak_frame, w.timer_code, w.resend_frame, w.wait, w.round)).collect();
    assert_eq!(rows, [(1, Some(2), 12, Some(3), Some(700_000), 1), (1, Some(4), 12, Some(5), Some(700_000), 2)]);
}

#[test]
fn each_resend_by_timer_is_told_with_how_long_it_ran() {
    let mut tap = Tap::default();
    let port = kernel_source_port(0x11, 0x21);
    tap.request(0x21, port, 1);
    tap.answer(0x11, port, 1, OK);
    tap.request(0x21, port, 2);
    for round in 1..3 {
        tap.stamp = Some(round * 140_000_000);
        tap.request(0x21, port, 2);
    }
    let timeouts = tap.found().ack_timeouts;
    let rows: Vec<_> = timeouts.iter().map(|t| (t.psn, t.frame, t.sent_frame, t.wait, t.round)).collect();
    assert_eq!(rows, [(2, 4, Some(3), Some(140_000_000 - 3000), 1), (2, 5, Some(4), Some(140_000_000), 2)]);
}

#[test]
fn goodput_counts_what_was_acknowledged_once() {
    let mut tap = Tap::default();
    let port = kernel_source_port(0x11, 0x21);
    for psn in [1, 2] {
        tap.request(0x21, port, psn);
        tap.answer(0x11, port, psn, OK);
    }
    tap.request(0x21, port, 3); // not answered
    let row = tap.found().roce_qps.remove(0);
    assert_eq!((row.payload_bytes, row.distinct_bytes, row.sends), (192, 192, 3));
    assert!((row.goodput.unwrap() - 128.0 / 4e-6).abs() < 1.0, "{:?}", row.goodput);
    let mut alone = Tap::default();
    alone.request(0x21, port, 1);
    alone.request(0x21, port, 2);
    assert_eq!(alone.found().roce_qps[0].goodput, None);
}

#[test]
fn datagrams_are_no_queue_pair_of_ours_and_their_gaps_are_counted() {
    let mut tap = Tap::default();
    for psn in [1, 2, 5] {
        let (syndrome, src_qp) = (None, Some(9));
        tap.sent(&Sent { from: A, to: B, qp: 3, sport: 7, opcode: UD_SEND, psn, syndrome, src_qp, ecn: 0 });
    }
    let (rows, episodes, totals) = tap.rows();
    assert_eq!((rows.len(), episodes.len()), (0, 0));
    assert_eq!((totals.unreliable_requests, totals.unreliable_gaps), (3, 2));
}

#[test]
fn answers_that_fit_many_queue_pairs_are_followed_by_none() {
    let mut tap = Tap::default();
    for qp in 0..100 {
        tap.request(qp, 7, 5);
    }
    for qp in 0..100 {
        tap.answer(1000 + qp, 7, 5, OK);
    }
    let (rows, episodes, totals) = tap.rows();
    assert_eq!((rows.len(), episodes.len()), (100, 0));
    assert_eq!((totals.followed, totals.one_way), (0, 200));
}

#[test]
fn an_answer_waits_for_its_own_stream_when_another_one_counts_alike() {
    let mut tap = Tap::default();
    tap.request(0x21, 7, 5);
    tap.answer(0x12, 8, 5, OK); // its request came before the capture
    for psn in 50..54 {
        tap.request(0x22, 9, psn);
        tap.answer(0x12, 8, psn, OK);
    }
    let (rows, _, _) = tap.rows();
    let found: Vec<_> = rows.iter().map(|row| (row.dest_qp, row.src_qp)).collect();
    assert_eq!(found, [(0x21, None), (0x22, Some(0x12))]);
}

#[test]
fn repeats_in_a_capture_of_one_direction_are_blamed_on_no_side() {
    let mut tap = Tap::default();
    for psn in [0, 1, 2, 2, 2, 2] {
        tap.frame += 1000;
        tap.request(0x21, 7, psn);
    }
    let (_, episodes, _) = tap.rows();
    assert_eq!(episodes.iter().map(|e| (e.kind, e.side)).collect::<Vec<_>>(), [(Kind::NoAnswer, None)]);
}

proptest! {
    #[test]
    fn no_time_and_no_order_of_packets_is_too_wild(
        packets in prop::collection::vec((any::<bool>(), 0u32..12, prop::sample::select(vec![OK, SEQUENCE_ERROR, 0x2c, 0x62]), any::<i64>()), 1..200),
    ) {
        let mut tap = Tap::default();
        let count = packets.len() as u64;
        for (request, psn, syndrome, stamp) in packets {
            tap.stamp = Some(stamp);
            if request {
                tap.request(0x21, 7, psn);
            } else {
                tap.answer(0x11, 7, psn, syndrome);
            }
        }
        let (rows, _, totals) = tap.rows();
        prop_assert!(rows.len() <= 1);
        prop_assert_eq!(totals.requests + totals.answers, count);
    }
}

#[test]
fn a_clock_that_steps_back_leaves_waits_and_silences_unknown() {
    let (mut tap, not_ready) = (Tap::default(), Some(0x20));
    let step = |tap: &mut Tap, psn: u32, answer: Option<u8>| {
        tap.stamp = Some(tap.stamp.unwrap_or(1_000_000_000) - 1_000_000);
        match answer {
            None => tap.request(7, 50_000, psn),
            Some(syndrome) => tap.answer(9, 50_000, psn, syndrome),
        }
    };
    for psn in 0..4 {
        step(&mut tap, psn, None);
        step(&mut tap, psn, Some(OK));
    }
    let troubles =
        [(4, None), (5, None), (4, None), (5, None), (5, Some(OK)), (6, None), (7, None), (6, Some(SEQUENCE_ERROR))];
    let waits = [(6, None), (7, None), (7, Some(OK)), (8, None), (8, not_ready), (8, None), (8, Some(OK))];
    for (psn, answer) in troubles.into_iter().chain(waits) {
        step(&mut tap, psn, answer);
    }
    let found = tap.found();
    assert_eq!((found.ack_timeouts.len(), found.rnr_waits.len()), (1, 1));
    assert!(found.loss_episodes.len() >= 2);
    assert!(found.roce_qps.iter().all(|row| row.longest_silence.is_none_or(|silence| silence >= 0)));
    assert!(found.loss_episodes.iter().all(|row| row.wait.is_none()));
    assert!(found.rnr_waits.iter().all(|row| row.wait.is_none()));
    assert!(found.ack_timeouts.iter().all(|row| (row.wait, row.silence) == (None, None)));
}
