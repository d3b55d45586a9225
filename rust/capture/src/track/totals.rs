//! Sums over the queue pairs of a capture, for the audit of it.

use crate::tables::roce_qps::RoceQp;

/// Sums over a capture.
#[derive(Debug, Default, Clone, Copy)]
#[allow(missing_docs)] // as the columns of `capture_health`
pub struct Totals {
    pub requests: u64,
    pub answers: u64,
    pub passed: u64,
    pub followed: u64,
    pub unseen: u64,
    pub duplicates: u64,
    pub one_way: u32,
    pub longest_silence: Option<i64>,
    pub unreliable_requests: u64,
    pub unreliable_gaps: u64,
    pub untracked: u64,
    pub timers_left_out: u64,
    pub mads_untracked: u64,
}

impl Totals {
    /// One more direction.
    pub fn add(&mut self, row: &RoceQp) {
        self.one_way += u32::from(row.src_qp.is_none());
        self.unseen += row.unseen;
        self.duplicates += row.duplicates;
        self.longest_silence = self.longest_silence.max(row.longest_silence);
        if row.src_qp.is_some() {
            let acknowledged = row.distinct_psns.saturating_sub(row.unanswered);
            self.passed += acknowledged + row.read_responses + row.unseen;
            self.followed += row.requests + row.acks + row.naks_sequence + row.naks_rnr + row.naks_fatal;
            self.followed += row.read_responses;
        }
    }
}
