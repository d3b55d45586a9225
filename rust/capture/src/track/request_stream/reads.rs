//! READ: one request takes as many PSNs as its response has packets, and the responses are its acknowledgement
//! (IBTA vol. 1, 9.7.5.1.2).

use super::super::outstanding::LONGEST_GAP;
use super::super::psn;
use super::RequestStream;

/// PSNs that a READ of `len` bytes takes; bounded, for a length may be anything.
pub(super) fn spanned(len: u32, mtu: u32) -> u32 {
    len.div_ceil(mtu).clamp(1, LONGEST_GAP / 2)
}

impl RequestStream {
    pub(super) fn learn_path_mtu(&mut self, opcode: u8, payload_len: Option<u32>) {
        // FIRST and MIDDLE packets of SEND, WRITE are full (IBTA 9.7.1).
        if matches!(opcode & 0x1f, 0x00 | 0x01 | 0x06 | 0x07) {
            self.path_mtu =
                payload_len.filter(|len| len.is_power_of_two() && (256..=4096).contains(len)).or(self.path_mtu);
        }
    }

    /// Numbers of PSNs that a READ of `len` bytes may take: one when the path MTU is known, else one for each MTU.
    pub(super) fn spans(&self, len: u32) -> Vec<u32> {
        let known = self.path_mtu.into_iter();
        let any = [4096, 2048, 1024, 512, 256].into_iter().filter(|_| self.path_mtu.is_none());
        known.chain(any).map(|mtu| spanned(len, mtu)).collect()
    }

    pub(super) fn take_for_read(&mut self, first: u32, last: u32) {
        let run = self.run;
        for step in 1..=psn::ahead(first, last) {
            if let Some(slot) = self.ring.reach(psn::add(first, step)) {
                slot.read = true;
                slot.run = run;
            }
        }
        if psn::newer(last, self.frontier) {
            self.frontier = last;
        }
        if psn::newer(last, self.run_newest) {
            self.run_newest = last;
        }
        self.last_read = Some((last, 1));
    }

    /// Message bytes that come by for the first time.
    pub(super) fn count_response(&mut self, psn: u32, len: u32) {
        if self.ring.get(psn).is_none_or(|slot| slot.response_frame == 0) {
            self.counts.response_bytes += u64::from(len);
        }
    }

    pub(super) fn on_response(&mut self, frame: u64, ts: i64, psn: u32, first: bool, full: Option<u32>) {
        if let Some(mtu) = full {
            self.path_mtu = Some(mtu);
            if let Some((read, len)) = self.last_read {
                self.take_for_read(read, psn::add(read, spanned(len, mtu) - 1));
            }
        }
        // What comes sooner after the requester went back than the way there and back still answers the run before.
        let old = self.back.of_at_least(3).is_some_and(|back| (ts - self.run_began) * 10 < back * 9);
        let run = self.run - u32::from(old && self.run > 1);
        let Some(slot) = self.ring.reach(psn) else { return };
        slot.read = true;
        if slot.response_frame == 0 || slot.response_run != run {
            slot.response_frame = frame;
        }
        slot.response_run = run;
        let contiguous = match self.acked {
            None => true,
            Some(acked) if psn::add(acked, 1) == psn => true,
            // A response acknowledges all requests before it (IBTA 9.7.5.1.2), if no earlier response is missing.
            Some(acked) => {
                first
                    && psn::newer(psn, acked)
                    && self.ring.range(psn::add(acked, 1), psn).all(|(_, slot)| !slot.read || slot.response_frame != 0)
            }
        };
        if contiguous {
            self.advance(ts, psn);
        } else if self.acked.is_some_and(|acked| psn::newer(psn, acked)) {
            let requests = self.beyond_hole.map_or(0, |(_, requests)| requests);
            self.beyond_hole = Some((psn, requests));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Answer, Request, RequestStream};
    use crate::tables::loss_episodes::{Kind, Side};
    use crate::track::settle::settle;

    const READ: u8 = 0x0c;
    const ATOMIC: u8 = 0x13;
    const WRITE_ONLY: u8 = 0x0a;
    const MTU: u32 = 1024;

    /// A tap that sees READ requests of `len` bytes and response packets, ten microseconds apart.
    #[derive(Default)]
    struct Tap {
        frame: u64,
        stream: RequestStream,
    }

    impl Tap {
        fn read(&mut self, psn: u32, packets: u32) -> &mut Self {
            self.request(READ, psn, packets * MTU)
        }

        fn request(&mut self, opcode: u8, psn: u32, len: u32) -> &mut Self {
            self.frame += 1;
            self.stream.on_request(&Request {
                frame: self.frame,
                ts: self.frame as i64 * 10_000,
                opcode,
                psn,
                ack_req: true,
                dma_len: Some(len),
                payload_len: Some(0),
                ip_id: None,
                ttl: None,
                corrupt: false,
            });
            self
        }

        fn responses(&mut self, first: bool, psns: impl IntoIterator<Item = u32>) -> &mut Self {
            for (index, psn) in psns.into_iter().enumerate() {
                self.frame += 1;
                let answer = Answer::Response { first: first && index == 0, full: Some(MTU), len: MTU };
                self.stream.on_answer(self.frame, self.frame as i64 * 10_000, psn, None, answer);
            }
            self
        }

        fn ack(&mut self, psn: u32) -> &mut Self {
            self.frame += 1;
            self.stream.on_answer(self.frame, self.frame as i64 * 10_000, psn, None, Answer::Ack);
            self
        }

        fn episodes(&mut self) -> Vec<(Kind, Option<Side>, bool, u32)> {
            self.stream.finish();
            settle(&mut self.stream, true);
            self.stream.drafts.iter().map(|d| (d.kind, d.side, d.hurt_response, d.psn)).collect()
        }
    }

    #[test]
    fn a_read_takes_the_psns_of_its_responses_and_leaves_no_gap() {
        let mut tap = Tap::default();
        tap.read(100, 8).read(108, 8).read(116, 1).read(117, 4).responses(true, 100..108).responses(true, 108..116);
        assert_eq!(tap.stream.counts.gaps, 0);
        assert_eq!(tap.episodes(), []);
        assert_eq!(tap.stream.finish().1, 0);
    }

    #[test]
    fn a_response_that_passed_and_is_asked_for_again_was_lost_after_the_tap() {
        let mut tap = Tap::default();
        tap.read(100, 8).read(108, 8).responses(true, 100..108).responses(true, [108]);
        tap.read(103, 5).read(108, 8).responses(false, 103..108).responses(true, 108..116);
        assert_eq!(tap.episodes(), [(Kind::Loss, Some(Side::Destination), true, 103)]);
    }

    #[test]
    fn responses_beyond_a_hole_are_given_up_and_prove_nothing_of_the_next_round() {
        let mut tap = Tap::default();
        tap.read(100, 8).responses(true, 100..103).responses(false, 104..108);
        tap.read(103, 5).responses(false, 103..105).responses(false, 106..108);
        tap.read(105, 3).responses(false, 105..108);
        let before = (Kind::Loss, Some(Side::Source), true);
        let found: Vec<_> = tap.episodes().into_iter().map(|(kind, side, hurt, _)| (kind, side, hurt)).collect();
        assert_eq!(found, [before, before]);
    }

    #[test]
    fn a_response_that_never_came_by_and_is_asked_for_again_was_lost_before_the_tap() {
        let mut tap = Tap::default();
        tap.read(100, 8).read(108, 8).responses(true, 100..103).responses(false, 104..108).responses(true, [108]);
        tap.read(103, 5).read(108, 8).responses(false, 103..108).responses(true, 108..116);
        assert_eq!(tap.episodes(), [(Kind::Loss, Some(Side::Source), true, 103)]);
        assert_eq!(tap.stream.finish().1, 0, "what was asked for again is no drop of the capture");
    }

    #[test]
    fn the_last_responses_of_a_read_that_never_came_by_were_lost_before_the_tap() {
        let mut tap = Tap::default();
        tap.read(100, 8).responses(true, 100..106).read(106, 2).responses(false, [106, 107]);
        assert_eq!(tap.episodes(), [(Kind::Loss, Some(Side::Source), true, 106)]);
    }

    #[test]
    fn an_atomic_whose_answer_passed_and_is_asked_for_again_lost_it_after_the_tap() {
        let mut tap = Tap::default();
        tap.request(ATOMIC, 7, 0).responses(true, [7]).request(ATOMIC, 8, 0).responses(true, [8]);
        tap.request(ATOMIC, 8, 0).responses(true, [8]);
        assert_eq!(tap.episodes(), [(Kind::Loss, Some(Side::Destination), true, 8)]);
    }

    #[test]
    fn an_atomic_that_was_executed_before_a_later_one_lost_its_answer_before_the_tap() {
        let mut tap = Tap::default();
        tap.request(ATOMIC, 7, 0).responses(true, [7]).request(ATOMIC, 8, 0).request(ATOMIC, 9, 0);
        tap.responses(true, [9]).request(ATOMIC, 8, 0).responses(true, [8, 9]);
        assert_eq!(tap.episodes(), [(Kind::Loss, Some(Side::Source), true, 8)]);
    }

    #[test]
    fn an_acknowledgement_of_a_later_write_does_not_bring_a_lost_response_back() {
        let mut tap = Tap::default();
        tap.read(100, 8).request(WRITE_ONLY, 108, 0).responses(true, 100..103).responses(false, 104..108).ack(108);
        tap.read(103, 5).ack(108).responses(false, 103..108);
        assert_eq!(tap.episodes(), [(Kind::Loss, Some(Side::Source), true, 103)]);
    }

    #[test]
    fn a_read_without_any_response_cannot_be_told_from_a_lost_request() {
        let mut tap = Tap::default();
        tap.read(100, 8).responses(true, 100..108).read(108, 8).read(108, 8).read(108, 8).responses(true, 108..116);
        assert_eq!(tap.episodes(), [(Kind::NoAnswer, Some(Side::Destination), false, 108)]);
    }

    #[test]
    fn a_response_that_nobody_misses_was_lost_by_the_capture() {
        let mut tap = Tap::default();
        tap.read(0, 8).responses(true, [0, 1, 2, 4, 5, 6, 7]);
        for read in 1..12 {
            tap.read(read * 8, 8).responses(true, read * 8..read * 8 + 8);
        }
        assert_eq!(tap.episodes(), []);
        assert_eq!(tap.stream.finish().1, 1);
    }
}
