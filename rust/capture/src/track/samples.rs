//! Times measured at a tap, kept small: the shortest of them, or how they spread.

/// The smallest of some samples, and how many there were.
#[derive(Debug, Clone, Copy, Default)]
pub struct Shortest {
    value: Option<i64>,
    samples: u32,
}

impl Shortest {
    pub fn sample(&mut self, value: i64) {
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
