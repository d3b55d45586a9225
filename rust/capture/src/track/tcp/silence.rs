//! Times in which nothing went on, and why: who had to act, and what did the first packet after it do?
//!
//! A receiver that closed its window is at fault while it is closed. With nothing on its way and the window open, the
//! application that sends next was idle. When the silence ends with a resend, a loss was its cause. The delayed ACK of RFC 9293
//! (3.8.6.3: at most 500 ms; Linux 40 ms, others 200 ms) shows when a small last segment waits for its ACK and more follows
//! at once (Nagle's rule, RFC 896).

use crate::tables::tcp_events::{Cause, Kind};

/// What is shorter is the ordinary spacing of segments.
pub const SHORTEST: i64 = 1_000_000;
/// Waiting that no rule explains is a stall from here on, as is an idle application: the shortest timer of Linux.
pub const LONG: i64 = 200_000_000;
/// Less than Linux delays an ACK (40 ms), by its tick.
const DELAYED_FROM: i64 = 35_000_000;
/// RFC 9293, 3.8.6.3.
const DELAYED_TO: i64 = 500_000_000;

/// How a connection stood when the silence began.
#[derive(Debug, Clone, Copy)]
#[allow(clippy::struct_excessive_bools)] // independent facts, not states
pub struct Before {
    /// Since the last segment, either way.
    pub silence: i64,
    /// Since the last data, either way.
    pub since_data: Option<i64>,
    /// Data of the end that speaks now is on its way; that of the other.
    pub fwd_outstanding: bool,
    pub rev_outstanding: bool,
    /// A window is closed.
    pub closed: bool,
    /// What is on its way from the other end fills the window.
    pub rev_full: bool,
    /// The last segment of the other end was smaller than its largest.
    pub rev_small: bool,
    pub round_trip: Option<i64>,
}

/// What the first segment after it did.
#[derive(Debug, Clone, Copy)]
pub struct After {
    pub resent: Option<Kind>,
    pub black_hole: bool,
    pub new_data: bool,
    pub acked_new: bool,
}

/// The reason for a silence, how long it was, and whether it still needs the next segment to be one.
pub fn cause(before: &Before, after: After) -> Option<(Cause, i64, bool)> {
    let silence = before.silence;
    if before.closed {
        return None; // told when the window opens
    }
    let trips = |count: i64| before.round_trip.map_or(0, |trip| trip.saturating_mul(count));
    match after.resent {
        Some(Kind::OutOfOrder) => return None,
        Some(Kind::RetransmissionFast | Kind::RetransmissionSpurious) if silence < LONG => return None,
        Some(_) if silence < trips(2) => return None,
        Some(_) => {
            let cause = if after.black_hole { Cause::Pmtu } else { Cause::Loss };
            return Some((cause, silence, false));
        }
        None => {}
    }
    if after.acked_new && !after.new_data && before.rev_outstanding {
        if before.rev_small && (DELAYED_FROM..=DELAYED_TO).contains(&silence) && silence >= trips(4) {
            return Some((Cause::DelayedAck, silence, true));
        }
        let long = silence >= LONG && silence >= trips(3);
        return long.then_some((if before.rev_full { Cause::WindowFull } else { Cause::Unknown }, silence, false));
    }
    if !after.new_data {
        return None;
    }
    if before.fwd_outstanding {
        return (silence >= LONG && silence >= trips(3)).then_some((Cause::Unknown, silence, false));
    }
    let idle = before.since_data.filter(|&idle| idle >= LONG && idle >= trips(2))?;
    Some((Cause::Application, idle, false))
}

/// Times of one kind, added up.
#[derive(Debug, Default, Clone, Copy)]
pub struct Stalls {
    pub count: u32,
    pub total: i64,
    pub longest: Option<i64>,
}

impl Stalls {
    pub fn add(&mut self, duration: i64) {
        self.count = self.count.saturating_add(1);
        self.total = self.total.saturating_add(duration);
        self.longest = Some(self.longest.map_or(duration, |longest| longest.max(duration)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: i64 = 1_000_000;
    const QUIET: Before = Before {
        silence: 300 * MS,
        since_data: Some(300 * MS),
        fwd_outstanding: false,
        rev_outstanding: false,
        closed: false,
        rev_full: false,
        rev_small: false,
        round_trip: Some(MS),
    };
    const DATA: After = After { resent: None, black_hole: false, new_data: true, acked_new: false };
    const ACK: After = After { resent: None, black_hole: false, new_data: false, acked_new: true };

    #[test]
    fn with_nothing_on_its_way_the_application_was_idle() {
        assert_eq!(cause(&QUIET, DATA), Some((Cause::Application, 300 * MS, false)));
        let short = Before { since_data: Some(50 * MS), silence: 50 * MS, ..QUIET };
        assert_eq!(cause(&short, DATA), None, "the spacing of tokens is no stall");
    }

    #[test]
    fn a_closed_window_is_never_the_applications_fault() {
        assert_eq!(cause(&Before { closed: true, ..QUIET }, DATA), None);
    }

    #[test]
    fn a_silence_that_ends_with_a_resend_was_a_loss() {
        let resent = After { resent: Some(Kind::RetransmissionRto), ..DATA };
        assert_eq!(cause(&Before { fwd_outstanding: true, ..QUIET }, resent), Some((Cause::Loss, 300 * MS, false)));
        let large = After { black_hole: true, ..resent };
        assert_eq!(cause(&QUIET, large).map(|(cause, ..)| cause), Some(Cause::Pmtu));
    }

    #[test]
    fn a_small_segment_that_waits_40_ms_for_its_ack_waits_for_a_delayed_one() {
        let waits = Before { silence: 40 * MS, rev_outstanding: true, rev_small: true, ..QUIET };
        assert_eq!(cause(&waits, ACK), Some((Cause::DelayedAck, 40 * MS, true)));
        assert_eq!(cause(&Before { rev_small: false, ..waits }, ACK), None);
        assert_eq!(cause(&Before { round_trip: Some(40 * MS), ..waits }, ACK), None, "the path is as long as that");
    }

    #[test]
    fn an_ack_that_comes_late_for_no_known_reason_is_not_explained() {
        let waits = Before { rev_outstanding: true, ..QUIET };
        assert_eq!(cause(&waits, ACK), Some((Cause::Unknown, 300 * MS, false)));
        assert_eq!(cause(&Before { rev_full: true, ..waits }, ACK), Some((Cause::WindowFull, 300 * MS, false)));
    }
}
