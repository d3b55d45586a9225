//! Which answers belong to which requests. A BTH names only the queue pair that it goes to, so the two directions of a
//! connection have to be found out.
//!
//! Where the connection manager was heard, REQ and REP name both ends, and nothing else is asked. Else two rules, of which
//! the first that gives exactly one partner wins:
//! 1. Linux drivers derive the UDP source port from both queue pair numbers by a symmetric rule when the flow label is
//!    zero (`rdma_calc_flow_label`, `include/rdma/ib_verbs.h`), so both directions carry the same port, and a candidate
//!    pair can be checked. Equal ports alone, as with a flow label set by `rdma_cm`, are good when only one stream fits.
//! 2. The PSN of the answer was sent by the requests of exactly one stream between the two addresses.

/// A request stream that an answer might belong to.
#[derive(Debug, Clone, Copy)]
pub struct Candidate {
    /// Index of the stream.
    pub stream: usize,
    /// Queue pair to which its requests go.
    pub dest_qp: u32,
    /// UDP source port of its requests.
    pub sport: Option<u16>,
    /// The answer's PSN is among those it sent.
    pub sent_it: bool,
}

/// How the partner was found: the words of `roce_qps.paired_by`.
pub const BY_CM: &str = "cm";
/// See [`BY_CM`].
pub const BY_PORT: &str = "source port";
/// See [`BY_CM`].
pub const BY_ACK: &str = "ack";

/// The UDP source port that Linux gives to a pair of queue pairs whose flow label is zero.
pub const fn kernel_source_port(local_qp: u32, remote_qp: u32) -> u16 {
    let mut v = local_qp as u64 * remote_qp as u64;
    v ^= v >> 20;
    v ^= v >> 40;
    let label = (v & 0xf_ffff) as u32;
    0xc000 | ((label & 0x3fff) ^ (label >> 14)) as u16
}

/// The stream that answers to queue pair `answer_qp` with source port `sport` belong to, and by which rule.
pub fn partner(candidates: &[Candidate], answer_qp: u32, sport: Option<u16>) -> Option<(usize, &'static str)> {
    let same_port = |c: &&Candidate| sport.is_some() && c.sport == sport;
    let by_rule = |c: &&Candidate| same_port(c) && Some(kernel_source_port(c.dest_qp, answer_qp)) == sport && c.sent_it;
    let by_port = |c: &&Candidate| same_port(c) && c.sent_it;
    let by_ack = |c: &&Candidate| c.sent_it;
    only(candidates.iter().filter(by_rule))
        .or_else(|| only(candidates.iter().filter(by_port)))
        .map(|stream| (stream, BY_PORT))
        .or_else(|| only(candidates.iter().filter(by_ack)).map(|stream| (stream, BY_ACK)))
}

fn only<'c>(mut candidates: impl Iterator<Item = &'c Candidate>) -> Option<usize> {
    let first = candidates.next()?;
    candidates.next().is_none().then_some(first.stream)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(stream: usize, dest_qp: u32, sport: u16, sent_it: bool) -> Candidate {
        Candidate { stream, dest_qp, sport: Some(sport), sent_it }
    }

    #[test]
    fn the_kernels_rule_is_symmetric_and_stays_in_the_dynamic_range() {
        // Observed on a real pair of software devices: queue pairs 0x3d and 0x3d use port 52873.
        assert_eq!(kernel_source_port(0x3d, 0x3d), 52873);
        assert_eq!(kernel_source_port(0x13b, 0x6b), kernel_source_port(0x6b, 0x13b));
        assert_eq!(kernel_source_port(0x13b, 0x6b), 50091);
        assert!(kernel_source_port(0x00ff_ffff, 0x00ff_ffff) >= 0xc000);
    }

    #[test]
    fn the_checked_port_beats_equal_ports_and_those_beat_psns() {
        let port = kernel_source_port(0x3d, 0x44);
        let all = [candidate(0, 0x3d, port, true), candidate(1, 0x99, port, true), candidate(2, 0x3d, 7, true)];
        assert_eq!(partner(&all, 0x44, Some(port)), Some((0, BY_PORT)));
        assert_eq!(partner(&all[1..], 0x44, Some(port)), Some((1, BY_PORT)));
        assert_eq!(partner(&all[2..], 0x44, Some(port)), Some((2, BY_ACK)));
    }

    #[test]
    fn two_that_fit_equally_are_none() {
        let all = [candidate(0, 1, 7, true), candidate(1, 2, 7, true)];
        assert_eq!(partner(&all, 0x44, Some(7)), None);
        assert_eq!(partner(&all, 0x44, None), None);
        assert_eq!(partner(&[candidate(0, 1, 7, false)], 0x44, Some(7)), None);
    }
}
