//! Receiver-driven traffic as NCCL sends it: who was late, and what proves it.

use super::*;
use crate::tables::credits::Credit;

const S: Address = A;
const R: Address = B;
const QP_S: u32 = 0x11;
const QP_R: u32 = 0x21;
const WRITE_ONLY: u8 = 0x0a;
const WRITE_ONLY_IMM: u8 = 0x0b;
const MS: i64 = 1_000_000;

/// One queue pair of a sender S and a receiver R, at one tap.
struct Nccl {
    tap: Tap,
    data: u32,
    cts: u32,
}

impl Nccl {
    fn from(data: u32, cts: u32) -> Self {
        Self { tap: Tap { stamp: Some(0), ..Tap::default() }, data, cts }
    }

    fn at(&mut self, ts: i64) -> &mut Self {
        self.tap.stamp = Some(ts);
        self
    }

    fn later(&mut self, ns: i64) {
        self.tap.stamp = self.tap.stamp.map(|ts| ts + ns);
    }

    fn packet(&mut self, (from, to): (Address, Address), qp: u32, opcode: u8, psn: u32, payload: u32) {
        self.tap.payload = Some(payload);
        let syndrome = (opcode == ACK).then_some(OK);
        let sport = kernel_source_port(QP_S, QP_R);
        self.tap.sent(&Sent { from, to, qp, sport, opcode, psn, syndrome, src_qp: None, ecn: 2 });
        self.later(10_000);
    }

    fn cts_unanswered(&mut self) -> u64 {
        self.packet((R, S), QP_S, WRITE_ONLY, self.cts, 64);
        self.cts += 1;
        self.tap.frame
    }

    fn cts(&mut self) -> u64 {
        let frame = self.cts_unanswered();
        self.packet((S, R), QP_R, ACK, self.cts - 1, 0);
        frame
    }

    fn data_unanswered(&mut self) -> u64 {
        self.packet((S, R), QP_R, WRITE_ONLY_IMM, self.data, 4096);
        self.data += 1;
        self.tap.frame
    }

    fn data(&mut self) -> u64 {
        let frame = self.data_unanswered();
        self.packet((R, S), QP_S, ACK, self.data - 1, 0);
        frame
    }

    /// Credit and data in turn.
    fn healthy(&mut self, messages: u32) -> &mut Self {
        for _ in 0..messages {
            self.cts();
            self.data();
        }
        self
    }

    /// The capture ends then, with a packet of somebody else.
    fn end(mut self, ts: i64) -> Vec<Credit> {
        self.at(ts).packet((R, S), 0x99, ACK, 0, 0);
        self.tap.found().credits
    }
}

fn told(stall: Option<crate::track::Stall>) -> Option<(&'static str, Option<u64>, Option<u64>)> {
    stall.map(|stall| (stall.state.name(), stall.proof.0, stall.proof.1))
}

#[test]
fn a_healthy_pair_is_one_row_without_any_stall() {
    let mut nccl = Nccl::from(0, 0);
    nccl.healthy(20);
    let end = nccl.tap.stamp.unwrap();
    let rows = nccl.end(end);
    assert_eq!(rows.len(), 1);
    let row = &rows[0];
    assert_eq!((row.src, row.dst, row.dest_qp, row.cts_elsewhere), (S, R, QP_R, false));
    assert_eq!((row.messages, row.cts, row.bytes, row.left), (20, 20, 20 * 4096, Some(0)));
    assert_eq!((row.data_unacked, row.cts_unacked), (0, Some(0)));
    assert_eq!((row.end, row.stall), (None, None));
}

#[test]
fn no_credit_after_all_data_was_acknowledged_means_a_late_receiver() {
    let mut nccl = Nccl::from(0, 0);
    nccl.healthy(5);
    let cts = nccl.cts();
    let data = nccl.data();
    let row = nccl.end(500 * MS).remove(0);
    assert_eq!(told(row.end), Some(("receiver-late", Some(data), Some(cts))));
    assert!(row.end.unwrap().length > 400 * MS);
}

#[test]
fn credit_and_no_data_means_a_late_sender() {
    let mut nccl = Nccl::from(0, 0);
    nccl.healthy(5);
    let cts = nccl.cts();
    let row = nccl.end(500 * MS).remove(0);
    assert_eq!((told(row.end).unwrap().0, told(row.end).unwrap().1, row.left), ("sender-late", Some(cts), Some(1)));
}

#[test]
fn credit_given_long_before_counts_even_when_none_came_since_the_last_data() {
    let mut nccl = Nccl::from(0, 0);
    for _ in 0..7 {
        nccl.cts();
    }
    let cts = nccl.cts();
    let data = nccl.data();
    let row = nccl.end(500 * MS).remove(0);
    assert_eq!(told(row.end), Some(("sender-late", Some(cts), Some(data))));
    assert_eq!(row.left, Some(7));
}

#[test]
fn data_without_acknowledgement_is_neither_end_s_fault() {
    let mut nccl = Nccl::from(0, 0);
    nccl.healthy(5).cts();
    let data = nccl.data_unanswered();
    let row = nccl.end(500 * MS).remove(0);
    assert_eq!(told(row.end), Some(("in-flight-unacked", Some(data), None)));
    assert_eq!(row.data_unacked, 1);
}

#[test]
fn credit_without_acknowledgement_is_a_broken_way_back() {
    let mut nccl = Nccl::from(0, 0);
    nccl.healthy(5).later(MS);
    let cts = nccl.cts_unanswered();
    let row = nccl.end(500 * MS).remove(0);
    assert_eq!((told(row.end), row.cts_unacked), (Some(("cts-unacked", Some(cts), None)), Some(1)));
}

#[test]
fn the_longest_stall_is_told_with_who_made_the_longer_part_of_it() {
    for (receiver, sender, want) in [(80 * MS, 5 * MS, "receiver-late"), (5 * MS, 80 * MS, "sender-late")] {
        let mut nccl = Nccl::from(0, 0);
        nccl.healthy(5);
        let before = nccl.data;
        nccl.cts();
        let last = nccl.data();
        nccl.later(receiver);
        let cts = nccl.cts();
        nccl.later(sender);
        let resumed = nccl.data();
        nccl.healthy(5);
        let end = nccl.tap.stamp.unwrap();
        let row = nccl.end(end).remove(0);
        let proof = if want == "receiver-late" { (Some(last), Some(cts)) } else { (Some(cts), Some(resumed)) };
        assert_eq!(told(row.stall), Some((want, proof.0, proof.1)));
        assert!(row.stall.unwrap().length >= 85 * MS && before == 5);
        assert_eq!(row.end, None);
    }
}

#[test]
fn a_capture_from_the_middle_blames_no_receiver_for_credit_that_may_be_older_than_it() {
    let mut nccl = Nccl::from(5000, 3000);
    nccl.cts();
    nccl.data();
    nccl.cts();
    nccl.data();
    let row = nccl.end(500 * MS).remove(0);
    assert_eq!(told(row.end).unwrap().0, "unknown");
    assert_eq!(row.left, Some(0));

    let mut often = Nccl::from(5000, 3000);
    often.healthy(20);
    assert_eq!(told(often.end(500 * MS)[0].end).unwrap().0, "receiver-late", "it had none left twenty times");

    let mut ahead = Nccl::from(5000, 3000);
    ahead.healthy(2).cts();
    assert_eq!(told(ahead.end(500 * MS)[0].end).unwrap().0, "sender-late", "what is counted is there");
}

#[test]
fn credit_on_another_queue_pair_is_not_counted() {
    let mut nccl = Nccl::from(0, 0);
    for psn in 0..5 {
        nccl.cts();
        nccl.packet((S, R), 0x22, WRITE_ONLY_IMM, psn, 4096);
        nccl.packet((R, S), 0x12, ACK, psn, 0);
    }
    let rows = nccl.end(500 * MS);
    assert_eq!(rows.len(), 1);
    assert_eq!((rows[0].dest_qp, rows[0].cts_elsewhere, rows[0].left), (0x22, true, None));
    assert_eq!(told(rows[0].end).unwrap().0, "unknown");
}

#[test]
fn what_is_not_receiver_driven_is_no_row() {
    for back in [WRITE_ONLY_IMM, SEND_ONLY] {
        let mut other = Nccl::from(0, 0);
        for psn in 0..5 {
            other.packet((R, S), QP_S, back, psn, 64);
            other.packet((S, R), QP_R, ACK, psn, 0);
            other.data();
        }
        assert_eq!(other.end(500 * MS).len(), 0);
    }
    let mut odd = Nccl::from(0, 0);
    for psn in 0..5 {
        odd.packet((R, S), QP_S, WRITE_ONLY, psn, 50);
        odd.packet((S, R), QP_R, ACK, psn, 0);
        odd.data();
    }
    assert_eq!(odd.end(500 * MS).len(), 0);
}
