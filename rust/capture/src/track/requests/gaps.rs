//! The times between the tokens of one response: shortest, median, 99th percentile, longest.

/// Gaps kept for quantiles; a response with more has none, for those of a part would mislead.
const MOST_GAPS: usize = 1 << 16;

/// What the `gap_…` columns show, in ns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Gaps {
    pub min: i64,
    pub median: i64,
    pub p99: i64,
    pub max: i64,
}

/// Collects them.
#[derive(Debug, Default)]
pub struct GapList {
    gaps: Vec<i64>,
    overflowed: bool,
}

impl GapList {
    /// One more.
    pub fn push(&mut self, gap: i64) {
        if self.gaps.len() < MOST_GAPS {
            self.gaps.push(gap);
        } else {
            self.overflowed = true;
        }
    }

    /// There were more than are kept.
    pub fn overflowed(&self) -> bool {
        self.overflowed
    }

    /// Of all of them; `None` when there is none, or there were too many.
    pub fn summary(&mut self) -> Option<Gaps> {
        if self.overflowed {
            return None;
        }
        let last = self.gaps.len().checked_sub(1)?;
        let mut rank = |at: usize| *self.gaps.select_nth_unstable(at).1;
        // Nearest rank: the smallest value with at least 99 % of all at or below it.
        let p99 = rank(((last + 1) * 99).div_ceil(100).saturating_sub(1));
        Some(Gaps { min: rank(0), median: rank(last / 2), p99, max: rank(last) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_99th_percentile_of_a_hundred_gaps_leaves_one_above_it() {
        let mut list = GapList::default();
        (1..=100).rev().for_each(|gap| list.push(gap));
        assert_eq!(list.summary(), Some(Gaps { min: 1, median: 50, p99: 99, max: 100 }));
    }

    #[test]
    fn no_gap_has_no_median() {
        assert_eq!(GapList::default().summary(), None);
    }
}
