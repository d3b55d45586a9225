//! Times measured at a tap, kept small: the shortest of them, or how they spread. One below 0 is none: the clock of the
//! capture went back in between.

/// The smallest of some samples, and how many there were.
#[derive(Debug, Clone, Copy, Default)]
pub struct Shortest {
    value: Option<i64>,
    samples: u32,
}

impl Shortest {
    pub fn sample(&mut self, value: i64) {
        if value < 0 {
            return;
        }
        self.value = Some(self.value.map_or(value, |old| old.min(value)));
        self.samples += 1;
    }

    /// The smallest, of at least `samples`.
    pub fn of_at_least(self, samples: u32) -> Option<i64> {
        self.value.filter(|_| self.samples >= samples)
    }
}

/// How samples spread, in powers of two: enough to ask for a quantile without keeping them.
#[derive(Debug, Clone, Copy)]
pub struct Spread {
    buckets: [u32; 64],
    samples: u32,
}

impl Default for Spread {
    fn default() -> Self {
        Self { buckets: [0; 64], samples: 0 }
    }
}

impl Spread {
    pub fn sample(&mut self, value: i64) {
        if value < 0 {
            return;
        }
        let bucket = (value.max(1) as u64).ilog2();
        self.buckets[bucket as usize] += 1;
        self.samples += 1;
    }

    /// What three quarters of at least three samples exceed, rounded down to a power of two.
    pub fn lower_quartile(&self) -> Option<i64> {
        let mut below = 0;
        let bucket = self.buckets.iter().position(|count| {
            below += count;
            below * 4 >= self.samples
        })?;
        (self.samples >= 3).then_some(1 << bucket)
    }
}

/// How samples are distributed, in bins an eighth of an octave wide, of which only those that hold one exist: queue pairs
/// repeat themselves, and a capture may have very many of them.
#[derive(Debug, Clone, Default)]
pub struct Distribution {
    bins: Vec<Bin>,
    /// Where the last sample went.
    last: usize,
    samples: u64,
    least: u64,
    most: u64,
}

#[derive(Debug, Clone, Copy)]
struct Bin {
    key: u16,
    count: u64,
    sum: u64,
}

/// Parts of an octave, as a power of two.
const PARTS: u32 = 3;

/// Bins ascend with their values; values below eight have one each.
fn bin_of(value: u64) -> u16 {
    let octave = value.max(1).ilog2();
    if octave < PARTS {
        return value as u16; // below 8
    }
    let part = value >> (octave - PARTS) & ((1 << PARTS) - 1);
    ((octave - PARTS + 1) << PARTS) as u16 + part as u16 // at most 62 * 8 + 7
}

impl Distribution {
    /// One more.
    pub fn sample(&mut self, value: i64) {
        let Ok(value) = u64::try_from(value) else { return };
        let key = bin_of(value);
        (self.least, self.most) =
            if self.samples == 0 { (value, value) } else { (self.least.min(value), self.most.max(value)) };
        self.samples += 1;
        if self.bins.get(self.last).is_none_or(|bin| bin.key != key) {
            self.last = self.bins.binary_search_by_key(&key, |bin| bin.key).unwrap_or_else(|place| {
                self.bins.insert(place, Bin { key, count: 0, sum: 0 });
                place
            });
        }
        if let Some(bin) = self.bins.get_mut(self.last) {
            bin.count += 1;
            bin.sum = bin.sum.saturating_add(value);
        }
    }

    /// How many.
    pub fn samples(&self) -> u64 {
        self.samples
    }

    /// The smallest.
    pub fn least(&self) -> Option<u64> {
        (self.samples > 0).then_some(self.least)
    }

    /// The largest.
    pub fn most(&self) -> Option<u64> {
        (self.samples > 0).then_some(self.most)
    }

    /// What `percent` of the samples do not exceed, to an eighth: the mean of its bin, so exact where that holds one value.
    pub fn percentile(&self, percent: u64) -> Option<u64> {
        let rank = self.samples.saturating_mul(percent).div_ceil(100).max(1);
        let mut below = 0;
        let bin = self.bins.iter().find(|bin| {
            below += bin.count;
            below >= rank
        })?;
        bin.sum.checked_div(bin.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn one_value_is_given_back_exactly() {
        let mut sizes = Distribution::default();
        for _ in 0..1000 {
            sizes.sample(65_537);
        }
        sizes.sample(3);
        assert_eq!(
            (sizes.least(), sizes.percentile(50), sizes.percentile(99), sizes.most()),
            (Some(3), Some(65_537), Some(65_537), Some(65_537))
        );
        assert_eq!(Distribution::default().percentile(50), None);
    }

    #[test]
    fn a_time_below_0_is_no_sample() {
        let (mut shortest, mut spread, mut all) = (Shortest::default(), Spread::default(), Distribution::default());
        for value in [-5, 30, 30, 30, -1] {
            shortest.sample(value);
            spread.sample(value);
            all.sample(value);
        }
        assert_eq!((shortest.of_at_least(3), shortest.of_at_least(4)), (Some(30), None));
        assert_eq!(spread.lower_quartile(), Some(16));
        assert_eq!((all.samples(), all.least(), all.percentile(50)), (3, Some(30), Some(30)));
    }

    proptest! {
        #[test]
        fn a_percentile_is_right_to_an_eighth(values in prop::collection::vec(0i64..i64::MAX >> 10, 1..200), percent in 1u64..=100) {
            let mut found = Distribution::default();
            for value in &values {
                found.sample(*value);
            }
            let mut values = values;
            values.sort_unstable();
            let rank = (values.len() as u64 * percent).div_ceil(100).max(1);
            let exact = values[rank as usize - 1] as u64;
            let got = found.percentile(percent).unwrap();
            prop_assert!(got.abs_diff(exact) <= exact / 8, "{} for {}", got, exact);
        }
    }
}
