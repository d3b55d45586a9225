//! Times that RDMA headers and messages hold as codes of five bits.

/// A time of 4.096 us times two to the code, in ns: the local ACK timeout (IBTA vol. 1, 9.7.6.1.3) and the times of the
/// connection manager (12.7.34).
pub const fn doubling(code: u8) -> i64 {
    4096 << (code & 0x1f)
}

/// The largest code whose time is not longer than `wait` in ns; `None` when even that of code 1 is.
pub fn longest_within(wait: i64) -> Option<u8> {
    (1..=31).rev().find(|code| doubling(*code) <= wait)
}

/// RNR timers in units of 10 us (IBTA vol. 1, table 45). Code 0 is the longest.
const RNR: [i64; 32] = [
    65_536, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096,
    6144, 8192, 12_288, 16_384, 24_576, 32_768, 49_152,
];

/// How long a sender must wait after an RNR NAK with this timer code, in ns.
pub fn receiver_not_ready(code: u8) -> i64 {
    RNR[usize::from(code & 0x1f)] * 10_000
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_the_times_of_the_standard() {
        assert_eq!((doubling(14), doubling(20)), (67_108_864, 4_294_967_296));
        assert_eq!(receiver_not_ready(0), 655_360_000);
        assert_eq!((receiver_not_ready(1), receiver_not_ready(5), receiver_not_ready(6)), (10_000, 60_000, 80_000));
        assert_eq!((receiver_not_ready(12), receiver_not_ready(31)), (640_000, 491_520_000));
    }

    #[test]
    fn a_wait_between_two_codes_fits_the_smaller() {
        assert_eq!(longest_within(134_217_728), Some(15));
        assert_eq!(longest_within(136_000_000), Some(15));
        assert_eq!(longest_within(134_217_727), Some(14));
        assert_eq!((longest_within(8191), longest_within(-1), longest_within(i64::MAX)), (None, None, Some(31)));
    }
}
