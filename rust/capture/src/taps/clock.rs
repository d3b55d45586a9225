//! How far apart the clocks of two taps are: bounds that follow from delays that cannot be negative.
//!
//! A packet from I to J says that J's clock is ahead by no more than the difference of its times; one from J to I, by no
//! less. The nearest ones bound the offset (localisation.md §2b, Clock). A drift is a slope; all slopes are allowed for
//! which the bounds still leave room.

/// Slices of time of which the nearest packets are kept.
const SLICES: usize = 128;
/// No oscillator in a server is worse, in parts per million.
const WORST_DRIFT: f64 = 500.0;

/// What is known of the clock of tap J against that of tap I.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clock {
    /// J's clock is ahead of I's by at least and at most this, in ns, at `at`; `None` where only one way was seen.
    pub lower: Option<i64>,
    pub upper: Option<i64>,
    /// Time by I's clock that the bounds are for.
    pub at: i64,
    /// What J's clock gains, in parts per million: at least, at most, and what is taken.
    pub drift: Option<(f64, f64)>,
    pub drift_taken: f64,
    /// There is no offset and no drift for which all delays are positive.
    pub contradictory: bool,
}

impl Clock {
    /// From times at I and J: of packets that pass I first, and of packets that pass J first.
    pub fn of(i_first: &[(i64, i64)], j_first: &[(i64, i64)]) -> Option<Self> {
        let all = || i_first.iter().chain(j_first).map(|times| times.0);
        let (first, last) = (all().min()?, all().max()?);
        let at = first.saturating_add(last.saturating_sub(first) / 2);
        let above = nearest(i_first, at, first, last, |new, best| new < best);
        let below = nearest(j_first, at, first, last, |new, best| new > best);
        let drift = drifts(&above, &below);
        let contradictory = drift.is_some_and(|(least, most)| least > most);
        let drift_taken = match drift {
            Some((low, high)) if low <= high && (low > 0.0 || high < 0.0) => f64::midpoint(low, high),
            _ => 0.0,
        };
        let flat = |points: &[(f64, f64)]| points.iter().map(|(t, y)| y - t * drift_taken / 1e6).collect::<Vec<_>>();
        let upper = flat(&above).into_iter().reduce(f64::min).map(|y| y.floor() as i64);
        let lower = flat(&below).into_iter().reduce(f64::max).map(|y| y.ceil() as i64);
        let contradictory = contradictory || lower.zip(upper).is_some_and(|(lower, upper)| lower > upper);
        Some(Self { lower, upper, at, drift, drift_taken, contradictory })
    }

    /// Both taps have one clock.
    pub const ONE: Self =
        Self { lower: Some(0), upper: Some(0), at: 0, drift: Some((0.0, 0.0)), drift_taken: 0.0, contradictory: false };

    /// The middle of the bounds; `None` when one is missing or they contradict each other.
    pub fn offset(&self) -> Option<i64> {
        let (lower, upper) = self.lower.zip(self.upper)?;
        (!self.contradictory).then(|| lower.saturating_add((upper - lower) / 2))
    }

    /// The offset at a time of I's clock.
    pub fn offset_at(&self, ts: i64) -> Option<i64> {
        let drifted = ts.saturating_sub(self.at) as f64 * self.drift_taken / 1e6;
        Some(self.offset()?.saturating_add(drifted as i64))
    }
}

/// In each slice of time the point that bounds the most: time from `at` and difference of the clocks, in ns.
fn nearest(times: &[(i64, i64)], at: i64, first: i64, last: i64, better: fn(f64, f64) -> bool) -> Vec<(f64, f64)> {
    let long = last.saturating_sub(first) / SLICES as i64 + 1;
    let mut slices: Vec<Option<(f64, f64)>> = vec![None; SLICES + 2];
    for &(at_i, at_j) in times {
        let number = (at_i.saturating_sub(first) / long) as usize;
        let (t, y) = (at_i.saturating_sub(at) as f64, at_j.saturating_sub(at_i) as f64);
        if let Some(slice) = slices.get_mut(number).filter(|slice| slice.is_none_or(|(_, best)| better(y, best))) {
            *slice = Some((t, y));
        }
    }
    slices.into_iter().flatten().collect()
}

/// The least and the greatest slope of a line below all points of `above` and above all of `below`, in parts per million.
fn drifts(above: &[(f64, f64)], below: &[(f64, f64)]) -> Option<(f64, f64)> {
    if above.is_empty() || below.is_empty() {
        return None;
    }
    let (mut least, mut most) = (-WORST_DRIFT, WORST_DRIFT);
    for (t_above, y_above) in above {
        for (t_below, y_below) in below {
            let (run, rise) = (t_above - t_below, y_above - y_below);
            let slope = rise / run * 1e6;
            if run > 0.0 {
                most = most.min(slope);
            } else if run < 0.0 {
                least = least.max(slope);
            }
        }
    }
    Some((least, most))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Packets both ways, every millisecond for a second; J's clock is ahead by `offset` and gains `ppm`.
    fn both_ways(offset: i64, ppm: f64, delay: i64) -> Clock {
        let clock = |t: i64| t + offset + (t as f64 * ppm / 1e6) as i64;
        let queue = |n: i64| n * 7919 % 5000;
        let there: Vec<_> = (0..1000).map(|n| (n * 1_000_000, clock(n * 1_000_000 + delay + queue(n)))).collect();
        let back: Vec<_> = (0..1000)
            .map(|n| (n * 1_000_000 + 500_000, clock(n * 1_000_000 + 500_000 - delay - queue(n + 3))))
            .collect();
        Clock::of(&there, &back).unwrap()
    }

    #[test]
    fn the_offset_lies_between_its_bounds_and_they_are_a_round_trip_apart() {
        for offset in [-3_000_000, 0, 40, 9_000_000_000] {
            let clock = both_ways(offset, 0.0, 2_000);
            let (lower, upper) = (clock.lower.unwrap(), clock.upper.unwrap());
            assert!(lower <= offset && offset <= upper, "{lower} {offset} {upper}");
            assert!(upper - lower <= 2 * 2_000 + 200, "{clock:?}");
            assert!(clock.drift_taken.abs() < f64::EPSILON);
        }
    }

    #[test]
    fn a_drift_lies_between_its_bounds_and_is_taken_off() {
        for ppm in [-80.0, 25.0, 300.0] {
            let clock = both_ways(1_000_000, ppm, 2_000);
            let (least, most) = clock.drift.unwrap();
            assert!(least <= ppm && ppm <= most, "{ppm}: {clock:?}");
            assert!(!clock.contradictory && (clock.drift_taken - ppm).abs() < 10.0, "{ppm}: {clock:?}");
        }
    }

    #[test]
    fn delays_that_cannot_be_are_refused() {
        let there: Vec<_> = (0..100).map(|n| (n * 1000, n * 1000 - 50_000)).collect();
        let back: Vec<_> = (0..100).map(|n| (n * 1000 + 500, n * 1000 + 500 + 50_000)).collect();
        let clock = Clock::of(&there, &back).unwrap();
        assert!(clock.contradictory);
        assert_eq!(clock.offset(), None);
    }

    #[test]
    fn one_way_bounds_one_side_only() {
        let clock = Clock::of(&[(0, 100), (1000, 1050)], &[]).unwrap();
        assert_eq!((clock.lower, clock.upper, clock.offset()), (None, Some(50), None));
    }
}
