//! Conversations of connection managers, as one tap sees them.

use proptest::prelude::*;

use super::*;
use crate::packet::Packet;
use crate::rdma::{Bth, Deth, Encapsulation};

const A: Address = Address::V4([192, 0, 2, 1]);
const B: Address = Address::V4([192, 0, 2, 2]);
const MS: i64 = 1_000_000;
const SEND: u8 = 3;

#[derive(Default)]
struct Tap {
    frame: u64,
    mads: Mads,
}

impl Tap {
    fn datagram(&mut self, ts: i64, (src, dst): (Address, Address), q_key: u32, payload: &[u8]) -> Option<Connection> {
        self.frame += 1;
        let bth = Bth {
            opcode: 0x64,
            solicited: false,
            mig_req: false,
            pad_count: 0,
            p_key: 0xffff,
            fecn: false,
            becn: false,
            dest_qp: 1,
            ack_req: false,
            psn: 0,
        };
        let deth = Some(Deth { q_key, src_qp: 1 });
        let encapsulation = Encapsulation::RoceV2;
        let roce =
            Roce { encapsulation, bth, reth: None, aeth: None, deth, immediate: None, payload_len: None, whole: None };
        let packet = Packet { src: Some(src), dst: Some(dst), roce: Some(roce), payload, ..Packet::default() };
        let row = Sighting { source: "tap", frame: self.frame, ts: Some(ts), packet: &packet };
        self.mads.on_datagram(&row, &roce)
    }

    fn mad(
        &mut self,
        ts: i64,
        way: (Address, Address),
        [class, method]: [u8; 2],
        attribute: u16,
        data: &[u8],
    ) -> Option<Connection> {
        let mut bytes = vec![1, class, 2, method, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9];
        bytes.extend(attribute.to_be_bytes());
        bytes.extend([0; 6]);
        bytes.extend(data);
        self.datagram(ts, way, 0x8001_0000, &bytes)
    }

    fn cm(&mut self, ts: i64, way: (Address, Address), attribute: u16, local: u32, remote: u32) -> Option<Connection> {
        let mut data = [0; 232];
        data[..4].copy_from_slice(&local.to_be_bytes());
        data[4..8].copy_from_slice(&remote.to_be_bytes());
        match attribute {
            cm::REQ => (data[34], data[46], data[47], data[50], data[95]) = (0x11, 100, 5, 3 << 4 | 1, 14 << 3),
            cm::REP => (data[14], data[22], data[27]) = (0x21, 200, 2 << 5),
            _ => {}
        }
        self.mad(ts, way, [mad::CM, SEND], attribute, &data)
    }

    fn rows(self) -> Vec<CmEvent> {
        self.mads.finish()
    }
}

#[test]
fn a_clock_that_steps_back_leaves_the_time_to_an_answer_unknown() {
    let mut tap = Tap::default();
    tap.cm(9 * MS, (A, B), cm::REQ, 7, 0);
    tap.cm(8 * MS, (A, B), cm::REQ, 7, 0);
    tap.cm(5 * MS, (B, A), cm::REP, 8, 7);
    let events = tap.mads.finish();
    assert_eq!(events.iter().map(|event| event.answer_frame).collect::<Vec<_>>(), [Some(3), Some(3), None]);
    assert!(events.iter().all(|event| event.answered_after.is_none() && event.since_last.is_none()));
}

#[test]
fn request_and_reply_make_a_connection_of_both_ends() {
    let mut tap = Tap::default();
    assert_eq!(tap.cm(0, (A, B), cm::REQ, 7, 0), None);
    let connection = tap.cm(2 * MS, (B, A), cm::REP, 8, 7).unwrap();
    assert_eq!(connection.active, End { qp: 0x11, starting_psn: Some(200), rnr_retry: Some(2) });
    assert_eq!(connection.passive, End { qp: 0x21, starting_psn: Some(100), rnr_retry: Some(1) });
    assert_eq!((connection.ack_timeout, connection.retry_count, connection.path_mtu), (Some(14), Some(5), Some(1024)));
    assert!(connection.paths.contains(&(A, B)));
    tap.cm(3 * MS, (A, B), cm::RTU, 7, 8);
    let rows = tap.rows();
    let found: Vec<_> = rows.iter().map(|row| (row.answer_frame, row.answered_after)).collect();
    assert_eq!(found, [(Some(2), Some(2 * MS)), (Some(3), Some(MS)), (None, None)]);
}

#[test]
fn a_request_that_is_sent_again_is_counted_and_answered_with_the_others() {
    let mut tap = Tap::default();
    for ts in [0, 6000, 12_000] {
        tap.cm(ts * MS, (A, B), cm::REQ, 7, 0);
    }
    tap.cm(12_005 * MS, (B, A), cm::REP, 8, 7);
    let rows = tap.rows();
    let retries: Vec<_> = rows.iter().map(|row| (row.retry, row.first_frame, row.since_last)).collect();
    assert_eq!(retries, [(0, 1, None), (1, 1, Some(6000 * MS)), (2, 1, Some(6000 * MS)), (0, 4, None)]);
    assert!(rows[..3].iter().all(|row| row.answer_frame == Some(4)));
}

#[test]
fn a_reply_after_a_delay_still_makes_the_connection() {
    let mut tap = Tap::default();
    tap.cm(0, (A, B), cm::REQ, 7, 0);
    tap.cm(MS, (B, A), cm::MRA, 8, 7);
    assert!(tap.cm(9 * MS, (B, A), cm::REP, 8, 7).is_some());
}

#[test]
fn the_copy_of_a_mirror_is_no_retry() {
    let mut tap = Tap::default();
    for ts in [0, 3_000, 6000 * MS, 6000 * MS + 3_000] {
        tap.cm(ts, (A, B), cm::REQ, 7, 0);
    }
    let found: Vec<_> = tap.rows().iter().map(|row| (row.retry, row.copy)).collect();
    assert_eq!(found, [(0, false), (0, true), (1, false), (1, true)]);
}

#[test]
fn a_reply_whose_request_nobody_saw_joins_nothing() {
    let mut tap = Tap::default();
    tap.cm(0, (A, B), cm::REQ, 7, 0);
    assert_eq!(tap.cm(MS, (B, A), cm::REP, 8, 9), None);
    assert_eq!(tap.cm(MS, (A, B), cm::REP, 8, 7), None, "the requester does not answer itself");
    assert!(tap.rows().iter().all(|row| row.answer_frame.is_none()));
}

#[test]
fn other_datagrams_are_named_and_joined_by_their_transaction() {
    let mut tap = Tap::default();
    tap.mad(0, (A, B), [0x03, 0x01], 0x35, &[]);
    tap.mad(MS, (B, A), [0x03, 0x81], 0x35, &[]);
    tap.mad(2 * MS, (A, B), [0x04, 0x01], 0x12, &[]);
    let rows = tap.rows();
    assert_eq!((rows[0].answer_frame, rows[2].answer_frame), (Some(2), None));
    let names: Vec<_> = rows
        .iter()
        .map(|row| (mad::class_name(row.class), mad::attribute_name(row.class, row.attribute).unwrap()))
        .collect();
    assert_eq!(names, [("SA", "PathRecord"), ("SA", "PathRecord"), ("PerfMgt", "PortCounters")]);
}

#[test]
fn a_datagram_of_a_user_is_no_management() {
    let mut tap = Tap::default();
    assert_eq!(
        tap.datagram(0, (A, B), 0x11, &[1, 7, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0x10, 0, 0, 0, 0, 0, 0]),
        None
    );
    assert_eq!(tap.rows().len(), 0);
}

proptest! {
    #[test]
    fn any_bytes_are_a_row_or_none(payloads in prop::collection::vec((any::<bool>(), prop::collection::vec(any::<u8>(), 0..64)), 1..50)) {
        let mut tap = Tap::default();
        let whole = payloads.iter().filter(|(_, bytes)| bytes.len() >= mad::HEADER && bytes[0] == 1).count();
        for (forward, bytes) in &payloads {
            tap.datagram(0, if *forward { (A, B) } else { (B, A) }, 0x8001_0000, bytes);
        }
        prop_assert_eq!(tap.rows().len(), whole);
    }

    #[test]
    fn any_order_of_messages_is_taken(messages in prop::collection::vec((any::<bool>(), 0x10u16..0x1b, 0u32..3, 0u32..3), 1..200)) {
        let mut tap = Tap::default();
        let count = messages.len();
        for (ts, (forward, attribute, local, remote)) in (0..).zip(messages) {
            tap.cm(ts * 100 * MS, if forward { (A, B) } else { (B, A) }, attribute, local, remote);
        }
        prop_assert_eq!(tap.rows().len(), count);
    }
}
