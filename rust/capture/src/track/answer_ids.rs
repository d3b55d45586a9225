//! Acknowledgements that never came by, though nobody had to send again: a later one covered them.
//!
//! Coalesced acknowledgements look the same, so a skipped one alone means nothing. But a responder that answers each
//! request that asks, and counts the IP identification of what it sends, gives itself away: when exactly as many of its
//! packets are missing as answers were due, those answers were sent, and lost before this tap. Seen on the Linux software
//! device, whose counter stands still between two answers that follow each other closely.

use super::ip_ids::Skipped;

/// The answers of one stream.
#[derive(Debug, Default)]
pub struct AnswerIds {
    last: Option<(u32, Skipped)>,
    fitting: u32,
    other: u32,
    missing: u64,
}

/// Fitting jumps that must have been seen, and the share of all jumps that must fit.
const LEAST_JUMPS: u32 = 3;
const FITTING_SHARE: f64 = 0.8;

impl AnswerIds {
    /// PSN of the last acknowledgement that counts.
    pub fn last_psn(&self) -> Option<u32> {
        self.last.map(|(psn, _)| psn)
    }

    /// An acknowledgement of `psn`; `due` requests up to it asked for one since the last. `skipped` is the reading of all
    /// that the responder sent to this requester, other queue pairs and its own requests included.
    pub fn on_ack(&mut self, psn: u32, skipped: Skipped, due: u32) {
        if let Some((_, last)) = self.last
            && last.lost_count == skipped.lost_count
        {
            let lost = skipped.skipped - last.skipped;
            if due > 1 && lost == u64::from(due - 1) {
                self.fitting += 1;
                self.missing += lost;
            } else if due > 1 || lost > 0 {
                self.other += 1;
            }
        }
        self.last = Some((psn, skipped));
    }

    /// Something else than a plain acknowledgement was sent: its count is not known.
    pub fn interrupted(&mut self) {
        self.last = None;
    }

    /// Answers that were sent and lost before this tap; 0 when the stream does not prove any.
    pub fn missing(&self) -> u64 {
        let all = f64::from(self.fitting + self.other);
        let proven = self.fitting >= LEAST_JUMPS && f64::from(self.fitting) >= FITTING_SHARE * all;
        if proven { self.missing } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pairs of packets missing since the last acknowledgement and answers due since then.
    fn after(jumps: &[(u64, u32)]) -> u64 {
        let mut ids = AnswerIds::default();
        let mut reading = Skipped { skipped: 9, lost_count: 0 };
        ids.on_ack(0, reading, 1);
        for (index, (missing, due)) in jumps.iter().enumerate() {
            reading.skipped += missing;
            ids.on_ack(index as u32 + 1, reading, *due);
        }
        ids.missing()
    }

    #[test]
    fn as_many_packets_missing_as_answers_due_prove_lost_answers() {
        assert_eq!(after(&[(0, 1), (1, 2), (3, 4), (0, 1), (2, 3)]), 6);
    }

    #[test]
    fn coalesced_answers_and_a_counter_shared_with_others_prove_nothing() {
        assert_eq!(after(&[(0, 4), (0, 4), (0, 4), (0, 4)]), 0, "one answer for four requests");
        assert_eq!(after(&[(1, 2), (8, 2), (4, 3), (1, 2), (1, 2)]), 0, "somebody else counts as well");
        assert_eq!(after(&[(1, 2), (1, 2), (1, 2), (2, 1), (4, 1)]), 0, "more is missing than answers");
        assert_eq!(after(&[(1, 2), (1, 2)]), 0, "too few");
        assert_eq!(after(&[(0, 1), (0, 1), (0, 1), (0, 1)]), 0, "nothing is missing");
    }
}
