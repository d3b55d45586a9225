//! Congestion notifications on their way to one queue pair: how many, how often.

const MS: i64 = 1_000_000;

/// CNPs below which nothing is said of the marks behind them.
const LEAST: u64 = 10;

/// Share of the time in which a receiver may not send another CNP, above which the count of CNPs says little of the count
/// of marks.
const SATURATED: f64 = 0.8;

/// CNPs to one queue pair. Times are in ns since the capture began.
#[derive(Debug, Clone)]
pub struct Notified {
    /// How many.
    pub cnps: u64,
    /// Frame and time of the first.
    pub first: (u64, i64),
    /// Frame and time of the last.
    pub last: (u64, i64),
    /// DSCP of the first.
    pub dscp: Option<u8>,
    /// Shortest time between two.
    pub least_gap: Option<i64>,
    /// In the busiest bins.
    pub in_1ms: Busiest,
    /// The same.
    pub in_10ms: Busiest,
}

/// The bin of the capture's clock with the most events.
#[derive(Debug, Clone, Copy, Default)]
pub struct Busiest {
    bin: i64,
    count: u64,
    /// In the busiest so far.
    pub most: u64,
}

impl Busiest {
    fn on_event(&mut self, bin: i64) {
        self.count = if bin == self.bin { self.count + 1 } else { 1 };
        self.bin = bin;
        self.most = self.most.max(self.count);
    }
}

impl Notified {
    /// The first CNP.
    pub fn new(frame: u64, now: i64, dscp: Option<u8>) -> Self {
        Self {
            cnps: 0,
            first: (frame, now),
            last: (frame, now),
            dscp,
            least_gap: None,
            in_1ms: Busiest::default(),
            in_10ms: Busiest::default(),
        }
    }

    /// A CNP passed, the first included.
    pub fn on_cnp(&mut self, frame: u64, now: i64) {
        if self.cnps > 0 {
            let gap = (now - self.last.1).max(0);
            self.least_gap = Some(self.least_gap.map_or(gap, |least| least.min(gap)));
        }
        self.cnps += 1;
        self.last = (frame, now);
        self.in_1ms.on_event(now.div_euclid(MS));
        self.in_10ms.on_event(now.div_euclid(10 * MS));
    }

    /// Mean rate in 1/s.
    pub fn rate(&self) -> Option<f64> {
        let span = self.last.1 - self.first.1;
        (span > 0 && self.cnps > 1).then(|| (self.cnps - 1) as f64 * 1e9 / span as f64)
    }

    /// Rate of the marks behind them in 1/s, and whether it is only a lower bound. Marks that come at random with rate
    /// `m` give `c = m / (1 + mN)` notifications when there is a least time `N` between two.
    pub fn marks(&self) -> Option<(f64, bool)> {
        let rate = self.rate().filter(|_| self.cnps >= LEAST)?;
        let closed = rate * self.least_gap? as f64 / 1e9;
        Some(if closed > SATURATED { (rate, true) } else { (rate / (1.0 - closed), false) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(times: impl IntoIterator<Item = i64>) -> Notified {
        let mut times = times.into_iter().peekable();
        let mut notified = Notified::new(1, *times.peek().unwrap(), Some(48));
        for (frame, now) in (1..).zip(times) {
            notified.on_cnp(frame, now);
        }
        notified
    }

    #[test]
    fn one_alone_has_no_rate() {
        let one = after([0]);
        assert_eq!((one.cnps, one.rate(), one.least_gap, one.marks()), (1, None, None, None));
        assert_eq!(after([5, 5]).rate(), None);
    }

    #[test]
    fn a_steady_stream_is_at_the_limit_and_tells_a_lower_bound_only() {
        let steady = after((0..1001).map(|n| n * 4_000));
        assert_eq!((steady.rate(), steady.marks()), (Some(250_000.0), Some((250_000.0, true))));
        assert_eq!((steady.in_1ms.most, steady.in_10ms.most, steady.least_gap), (250, 1001, Some(4000)));
    }

    #[test]
    fn random_marks_are_estimated_from_their_notifications() {
        let (limit, mean) = (4_000.0, 10_000.0);
        let (mut random, mut now, mut open) = (1u64, 0.0, 0.0);
        let mut times = Vec::new();
        for _ in 0..100_000 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            now -= mean * ((random >> 11) as f64 / (1u64 << 53) as f64).max(1e-12).ln();
            if now >= open {
                times.push(now as i64);
                open = now + limit;
            }
        }
        let (marks, least) = after(times).marks().unwrap();
        assert!(!least && (marks / 100_000.0 - 1.0).abs() < 0.03, "{marks}");
    }

    #[test]
    fn the_busiest_bin_is_that_of_a_burst() {
        let burst = after([0, 20 * MS, 20 * MS + 1, 20 * MS + 2, 21 * MS, 90 * MS]);
        assert_eq!((burst.in_1ms.most, burst.in_10ms.most), (3, 4));
    }
}
