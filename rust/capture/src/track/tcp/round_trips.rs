//! Round trips of one side: the shortest, the median, and what 99 of 100 do not exceed.

/// Samples kept as they are; of more only the histogram is kept.
const EXACT: usize = 64;
/// Steps to the double.
const STEPS: u32 = 8;
/// Up to 2^40 ns, 18 minutes; longer ones count as that long.
const BUCKETS: usize = 39 * STEPS as usize;

/// The samples.
#[derive(Debug, Default)]
pub struct RoundTrips {
    few: Vec<i64>,
    many: Option<Box<[u16; BUCKETS]>>,
    min: Option<i64>,
    pub count: u32,
}

impl RoundTrips {
    /// Takes a sample; one below zero is none.
    #[inline]
    pub fn sample(&mut self, value: i64) {
        if value < 0 {
            return;
        }
        self.count = self.count.saturating_add(1);
        self.min = Some(self.min.map_or(value, |min| min.min(value)));
        match &mut self.many {
            Some(many) => count(many, value),
            None if self.few.len() < EXACT => self.few.push(value),
            None => {
                let mut many = Box::new([0; BUCKETS]);
                self.few.drain(..).for_each(|value| count(&mut many, value));
                count(&mut many, value);
                self.few = Vec::new();
                self.many = Some(many);
            }
        }
    }

    pub fn min(&self) -> Option<i64> {
        self.min
    }

    /// The sample that `share` of all do not exceed: exact of up to 64 samples, of more to 6 %.
    pub fn quantile(&self, share: f64) -> Option<i64> {
        if let Some(many) = &self.many {
            let all: u64 = many.iter().map(|&count| u64::from(count)).sum();
            let rank = ((share * all as f64).ceil() as u64).max(1);
            let mut below = 0;
            let bucket = many.iter().position(|&count| {
                below += u64::from(count);
                below >= rank
            })?;
            return Some(middle(bucket as u32).max(self.min?));
        }
        let mut sorted = self.few.clone();
        sorted.sort_unstable();
        let rank = (share * sorted.len() as f64).ceil() as usize;
        sorted.get(rank.saturating_sub(1)).copied()
    }
}

fn count(many: &mut [u16; BUCKETS], value: i64) {
    let bucket = bucket(value).min(BUCKETS - 1);
    if many[bucket] == u16::MAX {
        // The shape is what is asked for, not the number.
        for count in many.iter_mut() {
            *count /= 2;
        }
    }
    many[bucket] += 1;
}

fn bucket(value: i64) -> usize {
    let value = value.max(0) as u64;
    if value < u64::from(STEPS) {
        return value as usize;
    }
    let power = value.ilog2();
    ((power - 2) * STEPS + (value >> (power - 3)) as u32 % STEPS) as usize
}

fn middle(bucket: u32) -> i64 {
    if bucket < STEPS {
        return i64::from(bucket);
    }
    let power = bucket / STEPS + 2;
    let step = 1_i64 << (power - 3);
    (i64::from(STEPS) + i64::from(bucket % STEPS)) * step + step / 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn few_samples_are_exact() {
        let mut trips = RoundTrips::default();
        for value in [30, 10, 20] {
            trips.sample(value);
        }
        assert_eq!((trips.min(), trips.quantile(0.5), trips.quantile(0.99)), (Some(10), Some(20), Some(30)));
    }

    #[test]
    fn no_sample_is_not_zero() {
        let mut trips = RoundTrips::default();
        trips.sample(-5);
        assert_eq!((trips.min(), trips.quantile(0.5)), (None, None));
    }

    #[test]
    fn a_million_samples_keep_their_shape() {
        let mut trips = RoundTrips::default();
        for at in 0..1_000_000_i64 {
            trips.sample(100_000 + at % 1000 * 100);
        }
        let median = trips.quantile(0.5).unwrap();
        assert!((140_000..160_000).contains(&median), "{median}");
    }

    proptest! {
           #[test]
           fn a_bucket_is_at_most_an_eighth_wide(value in 0_i64..1 << 40) {
               let middle = middle(bucket(value) as u32);
               prop_assert!((middle - value).abs() <= value / 16 + 1, "{middle}");
           }

           #[test]
           fn any_values_give_a_median_between_the_extremes(values in proptest::collection::vec(any::<i64>(), 1..200)) {
               let mut trips = RoundTrips::default();
               for &value in &values {
    trips.sample(value);
    }
               if let (Some(min), Some(median)) = (trips.min(), trips.quantile(0.5)) {
                   prop_assert!(min <= median);
               }
           }
       }
}
