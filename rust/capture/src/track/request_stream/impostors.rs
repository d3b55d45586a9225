//! What is easily taken for loss, or for loss on the other side: each as one small talk at one tap.

use super::super::settle::settle;
use super::{Answer, Request, RequestStream};
use crate::tables::loss_episodes::{Kind, Side};

const BEFORE: (Kind, Option<Side>) = (Kind::Loss, Some(Side::Source));

/// A tap whose packets come when the test says, in ns, from a sender that does not count IP identifications.
#[derive(Default)]
struct Tap {
    frame: u64,
    stream: RequestStream,
}

impl Tap {
    fn data(&mut self, ts: i64, psn: u32, ack_req: bool, ttl: u8) -> &mut Self {
        self.frame += 1;
        self.stream.on_request(&Request {
            frame: self.frame,
            ts,
            opcode: if ack_req { 0x08 } else { 0x07 },
            psn,
            ack_req,
            dma_len: None,
            payload_len: Some(1024),
            ip_id: Some(0),
            ttl: Some(ttl),
            corrupt: false,
        });
        self
    }

    fn answer(&mut self, ts: i64, psn: u32, answer: Answer) -> &mut Self {
        self.frame += 1;
        self.stream.on_answer(self.frame, ts, psn, None, answer);
        self
    }

    /// Messages of one packet, each answered 20 us later.
    fn messages(&mut self, ts: i64, psns: std::ops::Range<u32>) -> &mut Self {
        for psn in psns {
            let ts = ts + i64::from(psn) * 30_000;
            self.data(ts, psn, true, 64).answer(ts + 20_000, psn, Answer::Ack);
        }
        self
    }

    fn episodes(&mut self) -> Vec<(Kind, Option<Side>)> {
        self.stream.finish();
        settle(&mut self.stream, true);
        self.stream.drafts.iter().map(|draft| (draft.kind, draft.side)).collect()
    }
}

#[test]
fn copies_of_a_mirror_are_no_repeats_where_no_identification_tells() {
    for (lag, ttl) in [(3_000, 64), (15_000, 63)] {
        let mut tap = Tap::default();
        for psn in 0..20 {
            let ts = i64::from(psn) * 1_000_000;
            tap.data(ts, 2 * psn, false, 64).data(ts + 100, 2 * psn + 1, true, 64);
            tap.data(ts + lag, 2 * psn, false, ttl).data(ts + lag + 100, 2 * psn + 1, true, ttl);
            tap.answer(ts + 20_000, 2 * psn + 1, Answer::Ack);
        }
        assert_eq!(tap.stream.counts.duplicates, 40);
        assert_eq!(tap.episodes(), []);
    }
}

#[test]
fn a_clock_that_steps_back_reorders_nothing() {
    let mut tap = Tap::default();
    tap.messages(0, 0..10);
    tap.data(400_000, 10, false, 64).data(350_000, 12, false, 64).answer(370_000, 11, Answer::SequenceNak);
    tap.data(380_000, 11, false, 64).data(330_000, 12, true, 64).answer(350_000, 11, Answer::SequenceNak);
    tap.data(360_000, 11, false, 64).data(361_000, 12, true, 64).answer(381_000, 12, Answer::Ack);
    assert_eq!(tap.episodes(), [BEFORE, (Kind::Loss, Some(Side::Destination))]);
}

#[test]
fn a_nak_that_comes_sooner_than_the_receiver_can_ask_says_nothing_of_the_repeat() {
    let mut tap = Tap::default();
    tap.messages(0, 0..10);
    tap.data(400_000, 10, false, 64).data(401_000, 12, true, 64).answer(421_000, 11, Answer::SequenceNak);
    tap.data(425_000, 11, false, 64).answer(426_000, 11, Answer::SequenceNak);
    tap.data(427_000, 12, true, 64).answer(447_000, 12, Answer::Ack);
    assert_eq!(tap.episodes(), [BEFORE]);
}

#[test]
fn a_nak_for_a_later_packet_is_a_loss_of_its_own_however_soon_it_comes() {
    let mut tap = Tap::default();
    tap.messages(0, 0..10);
    tap.data(400_000, 10, false, 64).data(401_000, 12, false, 64).data(402_000, 13, true, 64);
    tap.answer(421_000, 11, Answer::SequenceNak);
    for psn in 11..14 {
        tap.data(425_000 + i64::from(psn), psn, psn == 13, 64);
    }
    tap.answer(440_000, 12, Answer::SequenceNak); // sooner than any acknowledgement ever came, but 11 must have arrived
    tap.data(445_000, 12, false, 64).data(446_000, 13, true, 64).answer(466_000, 13, Answer::Ack);
    assert_eq!(tap.episodes(), [BEFORE, (Kind::Loss, Some(Side::Destination))]);
}

#[test]
fn a_packet_that_asks_is_not_missed_where_nobody_need_ask() {
    let mut tap = Tap::default();
    for psn in 0..20 {
        let ts = i64::from(psn) * 30_000;
        tap.data(ts, psn, false, 64).answer(ts + 20_000, psn, Answer::Ack);
    }
    for round in 0..4 {
        tap.data(1_000_000 * (round + 1), 20, false, 64);
    }
    assert_eq!(tap.episodes(), [(Kind::NoAnswer, None)]);
}

#[test]
fn a_slow_host_answers_the_originals_one_by_one_and_loses_nothing_in_any_round() {
    let mut tap = Tap::default();
    tap.messages(0, 0..10);
    for round in 0..3 {
        for psn in 10..14 {
            tap.data(1_000_000 * (round + 1) + i64::from(psn), psn, true, 64);
        }
    }
    for (step, psn) in [10, 11, 12, 13, 13, 13, 13, 13, 13].into_iter().enumerate() {
        tap.answer(3_400_000 + step as i64, psn, Answer::Ack);
    }
    assert_eq!(tap.episodes(), [(Kind::LateAnswer, None)]);
}

#[test]
fn a_repeat_older_than_the_capture_proves_nothing() {
    let mut tap = Tap::default();
    tap.data(0, 5, false, 64).data(200, 4, false, 64).data(400, 6, true, 64).answer(20_000, 6, Answer::Ack);
    assert_eq!(tap.episodes(), [(Kind::NoAnswer, None)]);
}
