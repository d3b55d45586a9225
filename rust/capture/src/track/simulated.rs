//! Tests of the tracker against a small model of one reliable queue pair with faults of known place: whatever the
//! random numbers, a fault before the tap is told from one after it, and a sound network is called sound.
//!
//! The model follows what the Linux software device does on the wire: acknowledgements only for packets that ask, one
//! NAK for a gap and then silence until the missing packet comes, every duplicate acknowledged with the last PSN in
//! order, go-back-N of all that is outstanding. `selective` makes it resend only what was asked for.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use proptest::prelude::*;

use super::episode::Draft;
use super::ip_ids::IpIds;
use super::psn;
use super::recoveries::loss_recovery;
use super::request_stream::{Answer, Request, RequestStream};
use super::settle::settle;
use crate::tables::loss_episodes::{Kind, Side};

const TO_TAP: i64 = 5_000;
const TO_RECEIVER: i64 = 3_000;
const TIMER: i64 = 400_000;
const MESSAGE: u32 = 4;
const WINDOW: u32 = 32;

/// Chances of each fault for each packet, in ten thousandths.
#[derive(Debug, Clone, Copy, Default)]
struct Faults {
    data_before_tap: u32,
    data_after_tap: u32,
    answer_before_tap: u32,
    answer_after_tap: u32,
    overtaken_before_tap: u32,
    overtaken_after_tap: u32,
    capture: u32,
    selective: bool,
    /// The timer is shorter than the round trip. One message at a time: with more under way no tap sees the round trip.
    short_timer: bool,
    not_ready: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Send,
    DataAtTap { psn: u32, ack_req: bool, id: u16 },
    DataAtReceiver { psn: u32, ack_req: bool },
    AnswerAtTap { psn: u32, kind: u8, id: u16 },
    AnswerAtSender { psn: u32, kind: u8 },
    Timer { generation: u32 },
}

const ACK: u8 = 0;
const NAK: u8 = 1;
const RNR: u8 = 2;

struct Model {
    faults: Faults,
    random: u64,
    now: i64,
    order: u64,
    events: BinaryHeap<Reverse<(i64, u64, Event)>>,
    start: u32,
    total: u32,
    next: u32,
    unacked: u32,
    sent_up_to: u32,
    resend: Vec<u32>,
    id: u16,
    generation: u32,
    pacing: bool,
    answer_id: u16,
    answer_ids: IpIds,
    answers_lost_before_tap: u64,
    expected: u32,
    nak_open: bool,
    early: BTreeSet<u32>,
    asked: BTreeSet<u32>,
    frame: u64,
    captured_away: u64,
    stream: RequestStream,
}

impl Model {
    fn new(faults: Faults, start: u32, total: u32, seed: u64) -> Self {
        Self {
            faults,
            random: seed | 1,
            now: 0,
            order: 0,
            events: BinaryHeap::new(),
            start,
            total,
            next: 0,
            unacked: 0,
            sent_up_to: 0,
            resend: Vec::new(),
            id: 7,
            generation: 0,
            pacing: false,
            answer_id: 65_000,
            answer_ids: IpIds::default(),
            answers_lost_before_tap: 0,
            expected: 0,
            nak_open: false,
            early: BTreeSet::new(),
            asked: BTreeSet::new(),
            frame: 0,
            captured_away: 0,
            stream: RequestStream::default(),
        }
    }

    fn chance(&mut self, of_ten_thousand: u32) -> bool {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random % 10_000 < u64::from(of_ten_thousand)
    }

    fn at(&mut self, delay: i64, event: Event) {
        self.order += 1;
        self.events.push(Reverse((self.now + delay, self.order, event)));
    }

    fn run(mut self) -> Outcome {
        self.wake();
        self.arm();
        let mut steps = 0;
        while let Some(Reverse((time, _, event))) = self.events.pop() {
            self.now = time;
            self.step(event);
            steps += 1;
            if steps > 2_000_000 || self.unacked >= self.total {
                break;
            }
        }
        assert!(self.unacked >= self.total, "the model must finish: {} of {}", self.unacked, self.total);
        let (_, unseen) = self.stream.finish();
        settle(&mut self.stream, true);
        Outcome {
            drafts: self.stream.drafts.clone(),
            unseen,
            captured_away: self.captured_away,
            answers_lost_before_tap: self.answers_lost_before_tap,
            stream: self.stream,
        }
    }

    fn step(&mut self, event: Event) {
        match event {
            Event::Send => self.send(),
            Event::DataAtTap { psn, ack_req, id } => {
                if self.chance(self.faults.capture) {
                    self.captured_away += 1;
                } else {
                    self.frame += 1;
                    self.stream.on_request(&Request {
                        frame: self.frame,
                        ts: self.now,
                        opcode: if ack_req { 0x08 } else { 0x07 },
                        psn: psn::add(self.start, psn),
                        ack_req,
                        dma_len: None,
                        payload_len: Some(1024),
                        ip_id: Some(id),
                        ttl: None,
                        corrupt: false,
                    });
                }
                if !self.chance(self.faults.data_after_tap) {
                    let late = if self.chance(self.faults.overtaken_after_tap) { 2_500 } else { 0 };
                    self.at(TO_RECEIVER + late, Event::DataAtReceiver { psn, ack_req });
                }
            }
            Event::DataAtReceiver { psn, ack_req } => self.receive(psn, ack_req),
            Event::AnswerAtTap { psn, kind, id } => {
                self.frame += 1;
                let answer = match kind {
                    NAK => Answer::SequenceNak,
                    RNR => Answer::ReceiverNotReady(12),
                    _ => Answer::Ack,
                };
                let skipped = self.answer_ids.on_packet(Some(id));
                self.stream.on_answer(self.frame, self.now, psn::add(self.start, psn), skipped, answer);
                if !self.chance(self.faults.answer_after_tap) {
                    self.at(TO_TAP, Event::AnswerAtSender { psn, kind });
                }
            }
            Event::AnswerAtSender { psn, kind } => self.answered(psn, kind),
            Event::Timer { generation } => {
                if generation == self.generation {
                    self.go_back(self.unacked);
                    self.arm();
                }
            }
        }
    }

    /// Packets leave one after the other, never two at once.
    fn wake(&mut self) {
        if !self.pacing {
            self.pacing = true;
            self.at(0, Event::Send);
        }
    }

    fn send(&mut self) {
        self.pacing = false;
        let psn = if let Some(psn) = self.resend.pop() {
            psn
        } else if self.next < self.total
            && self.next < self.unacked + if self.faults.short_timer { MESSAGE } else { WINDOW }
        {
            self.next += 1;
            self.next - 1
        } else {
            return;
        };
        self.sent_up_to = self.sent_up_to.max(psn + 1);
        self.id = self.id.wrapping_add(1);
        let event =
            Event::DataAtTap { psn, ack_req: psn % MESSAGE == MESSAGE - 1 || psn + 1 == self.total, id: self.id };
        if !self.chance(self.faults.data_before_tap) {
            let late = if self.chance(self.faults.overtaken_before_tap) { 2_500 } else { 0 };
            self.at(TO_TAP + late, event);
        }
        self.pacing = true;
        self.at(700, Event::Send);
    }

    fn receive(&mut self, psn: u32, ack_req: bool) {
        if psn < self.expected {
            self.answer(self.expected - 1, ACK);
        } else if psn == self.expected {
            if self.chance(self.faults.not_ready) {
                self.nak_open = true;
                self.answer(psn, RNR);
                return;
            }
            self.nak_open = false;
            self.expected += 1;
            while self.early.remove(&self.expected) {
                self.expected += 1;
            }
            if ack_req || self.faults.selective {
                self.answer(self.expected - 1, ACK);
            }
        } else if self.faults.selective {
            self.early.insert(psn);
            if self.asked.insert(self.expected) {
                self.answer(self.expected, NAK);
            }
        } else if !self.nak_open {
            self.nak_open = true;
            self.answer(psn.min(self.expected), NAK);
        }
    }

    fn answer(&mut self, psn: u32, kind: u8) {
        self.answer_id = self.answer_id.wrapping_add(1);
        let event = Event::AnswerAtTap { psn, kind, id: self.answer_id };
        if self.chance(self.faults.answer_before_tap) {
            self.answers_lost_before_tap += 1;
        } else {
            self.at(TO_RECEIVER, event);
        }
    }

    fn answered(&mut self, psn: u32, kind: u8) {
        if kind == ACK {
            if psn + 1 > self.unacked {
                self.unacked = psn + 1;
                self.arm();
            }
        } else if psn >= self.unacked {
            self.unacked = psn;
            if self.faults.selective && kind == NAK {
                self.resend.push(psn);
            } else {
                self.go_back(psn);
            }
            self.arm();
        }
        self.wake();
    }

    fn go_back(&mut self, psn: u32) {
        if self.faults.selective {
            self.resend = vec![psn];
        } else {
            self.next = psn;
        }
        self.wake();
    }

    fn arm(&mut self) {
        self.generation += 1;
        let timer = if self.faults.short_timer { 9_000 } else { TIMER };
        let generation = self.generation;
        self.at(timer, Event::Timer { generation });
    }
}

struct Outcome {
    drafts: Vec<Draft>,
    unseen: u64,
    captured_away: u64,
    answers_lost_before_tap: u64,
    stream: RequestStream,
}

impl Outcome {
    fn others(&self, kind: Kind, side: Option<Side>) -> Vec<&Draft> {
        self.drafts.iter().filter(|draft| draft.kind != kind || draft.side != side).collect()
    }

    fn count(&self, kind: Kind, side: Option<Side>) -> usize {
        self.drafts.iter().filter(|draft| draft.kind == kind && draft.side == side).count()
    }

    fn by_nak(&self) -> usize {
        self.drafts.iter().filter(|draft| draft.nak_frame.is_some()).count()
    }
}

fn run(faults: Faults, seed: u64) -> Outcome {
    Model::new(faults, 0x00ff_ff00, 3000, seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)).run()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_sound_network_gives_no_episode(seed in any::<u64>()) {
        let outcome = run(Faults::default(), seed);
        prop_assert_eq!(outcome.drafts.len(), 0);
        prop_assert_eq!((outcome.unseen, outcome.stream.counts.gaps), (0, 0));
        prop_assert_eq!(outcome.stream.counts.distinct_psns, 3000);
    }

    #[test]
    fn loss_before_the_tap_is_on_the_source_side(seed in any::<u64>(), rate in 20u32..300) {
        let outcome = run(Faults { data_before_tap: rate, ..Faults::default() }, seed);
        prop_assert!(outcome.by_nak() > 0);
        prop_assert!(outcome.others(Kind::Loss, Some(Side::Source)).is_empty(), "{:?}", outcome.others(Kind::Loss, Some(Side::Source)));
        prop_assert_eq!(outcome.unseen, 0);
    }

    #[test]
    fn loss_after_the_tap_is_on_the_destination_side(seed in any::<u64>(), rate in 20u32..300) {
        let outcome = run(Faults { data_after_tap: rate, ..Faults::default() }, seed);
        prop_assert!(outcome.by_nak() > 0);
        let right = outcome.count(Kind::Loss, Some(Side::Destination)) + outcome.count(Kind::NoAnswer, Some(Side::Destination));
        prop_assert_eq!(right, outcome.drafts.len(), "{:?}", outcome.drafts);
        prop_assert!(outcome.by_nak() < 3 || loss_recovery(&outcome.drafts) == Some("go-back-n"));
        prop_assert_eq!(outcome.stream.counts.gaps, 0);
    }

    #[test]
    fn the_side_holds_when_only_the_missing_packet_is_sent_again(seed in any::<u64>(), before in any::<bool>()) {
        let faults = Faults { selective: true, ..Faults::default() };
        let (faults, side) = if before {
            (Faults { data_before_tap: 100, ..faults }, Side::Source)
        } else {
            (Faults { data_after_tap: 100, ..faults }, Side::Destination)
        };
        let outcome = run(faults, seed);
        let wrong: Vec<_> = outcome.drafts.iter().filter(|draft| draft.nak_frame.is_some() && draft.side != Some(side)).collect();
        prop_assert!(outcome.by_nak() > 3);
        prop_assert!(wrong.len() * 20 <= outcome.by_nak(), "{} of {}: {:?}", wrong.len(), outcome.by_nak(), wrong);
        prop_assert_eq!(loss_recovery(&outcome.drafts), Some("selective-repeat"));
    }

    #[test]
    fn what_the_capture_loses_is_counted_and_is_no_loss(seed in any::<u64>(), rate in 20u32..500) {
        let outcome = run(Faults { capture: rate, ..Faults::default() }, seed);
        prop_assert_eq!(outcome.drafts.len(), 0);
        prop_assert!(outcome.unseen <= outcome.captured_away);
        prop_assert!(outcome.unseen + 2 >= outcome.captured_away, "{} of {}", outcome.unseen, outcome.captured_away);
    }

    #[test]
    fn lost_acknowledgements_are_never_called_lost_data(seed in any::<u64>(), before in any::<bool>(), rate in 500u32..4000) {
        let faults = if before {
            Faults { answer_before_tap: rate, ..Faults::default() }
        } else {
            Faults { answer_after_tap: rate, ..Faults::default() }
        };
        let outcome = run(faults, seed);
        prop_assert_eq!(outcome.count(Kind::Loss, Some(Side::Source)), 0, "{:?}", outcome.drafts);
        prop_assert_eq!(outcome.count(Kind::Loss, Some(Side::Destination)), 0, "{:?}", outcome.drafts);
        let missing = outcome.stream.answer_ids.missing();
        prop_assert!(missing <= outcome.answers_lost_before_tap);
        prop_assert!(before || missing == 0);
        prop_assert!(!before || missing * 4 >= outcome.answers_lost_before_tap, "{} of {}", missing, outcome.answers_lost_before_tap);
        let wrong = if before { Side::Destination } else { Side::Source };
        prop_assert_eq!(outcome.count(Kind::AckLoss, Some(wrong)), 0, "{:?}", outcome.drafts);
    }

    #[test]
    fn lost_answers_do_not_turn_the_side_of_lost_data(seed in any::<u64>(), before in any::<bool>(), rate in 300u32..2000) {
        let faults = if before {
            Faults { data_before_tap: 100, answer_after_tap: rate, ..Faults::default() }
        } else {
            Faults { data_after_tap: 100, answer_before_tap: rate, ..Faults::default() }
        };
        let outcome = run(faults, seed);
        let wrong = if before { Side::Destination } else { Side::Source };
        prop_assert!(outcome.by_nak() > 3);
        prop_assert_eq!(outcome.count(Kind::Loss, Some(wrong)), 0, "{:?}", outcome.drafts);
        prop_assert!(!before || outcome.count(Kind::NoAnswer, Some(wrong)) == 0, "every answer passed this tap");
    }

    #[test]
    fn a_few_drops_of_the_capture_leave_losses_after_the_tap_where_they_were(seed in any::<u64>()) {
        let outcome = run(Faults { data_after_tap: 100, capture: 100, ..Faults::default() }, seed);
        let right = outcome.count(Kind::Loss, Some(Side::Destination));
        let wrong = outcome.count(Kind::Loss, Some(Side::Source));
        prop_assert!(wrong * 4 <= right, "{} of {}", wrong, right + wrong);
    }

    #[test]
    fn overtaking_is_called_by_its_name(seed in any::<u64>(), before in any::<bool>()) {
        let faults = if before {
            Faults { overtaken_before_tap: 200, ..Faults::default() }
        } else {
            Faults { overtaken_after_tap: 200, ..Faults::default() }
        };
        let outcome = run(faults, seed);
        prop_assert!(outcome.by_nak() > 3);
        let side = if before { Side::Source } else { Side::Destination };
        prop_assert!(outcome.others(Kind::Reorder, Some(side)).is_empty(), "{:?}", outcome.others(Kind::Reorder, Some(side)));
    }

    #[test]
    fn a_timer_below_the_round_trip_is_called_by_its_name(seed in any::<u64>()) {
        let outcome = run(Faults { short_timer: true, ..Faults::default() }, seed);
        prop_assert!(outcome.drafts.len() > 3);
        prop_assert!(outcome.others(Kind::ShortTimer, None).is_empty(), "{:?}", outcome.others(Kind::ShortTimer, None));
    }

    #[test]
    fn a_receiver_without_buffers_is_no_loss(seed in any::<u64>()) {
        let outcome = run(Faults { not_ready: 100, ..Faults::default() }, seed);
        prop_assert!(outcome.drafts.len() > 3);
        prop_assert_eq!(outcome.count(Kind::ReceiverNotReady, None), outcome.drafts.len(), "{:?}", outcome.drafts);
    }
}

/// In these runs a repeat is lost again and the timer repeats it, so that the sender continues two runs later.
#[test]
fn a_repeat_that_is_lost_too_does_not_turn_the_side_of_the_next_loss() {
    for seed in [8_788_249_857_563_397_060, 13_855_554_437_586_269_154] {
        let outcome = run(Faults { selective: true, data_after_tap: 100, ..Faults::default() }, seed);
        let wrong =
            outcome.drafts.iter().filter(|draft| draft.nak_frame.is_some() && draft.side != Some(Side::Destination));
        assert_eq!(wrong.count(), 0);
    }
}
