//! Where in a response inside TLS the steady cadence of small records begins (localisation.md §2g): record sizes and times
//! are all there is.

use crate::track::requests::mark::Mark;

/// A chunk with one token has some 150 to 400 bytes; no record of a stream of tokens is longer than this.
const LARGEST: u16 = 1024;

/// As many records alike are a cadence.
const ENOUGH: usize = 4;

/// Records of a run that are weighed.
const MOST_WEIGHED: usize = 16;

/// A pause before which a record does not belong to the cadence: so many times the median gap after it, and at least this.
const PAUSE: i64 = 4;
const SHORTEST_PAUSE: i64 = 5_000_000;

/// Looks for it.
#[derive(Debug, Default)]
pub struct Cadence {
    run: Vec<Mark>,
    least: u16,
    most: u16,
    begin: Option<Mark>,
}

impl Cadence {
    /// A record of the response.
    pub fn record(&mut self, len: u16, at: Mark) {
        if self.begin.is_some() {
            return;
        }
        let (least, most) = (self.least.min(len), self.most.max(len));
        let alike = !self.run.is_empty() && len <= LARGEST && most - least <= (least / 2).max(96);
        if alike {
            (self.least, self.most) = (least, most);
        } else {
            self.settle();
            self.run.clear();
            (self.least, self.most) = (len, len);
        }
        if len <= LARGEST {
            self.run.push(at);
        }
        if self.run.len() >= MOST_WEIGHED {
            self.settle();
        }
    }

    /// The run is over, or long enough to be weighed.
    fn settle(&mut self) {
        let mut run = self.run.as_slice();
        while self.begin.is_none() && run.len() >= ENOUGH {
            let mut gaps: Vec<i64> = run.windows(2).filter_map(|pair| pair.last()?.since(*pair.first()?)).collect();
            let Some((first, after)) = gaps.split_first_mut() else { return };
            after.sort_unstable();
            let median = after.get(after.len() / 2).copied().unwrap_or(0);
            if *first > SHORTEST_PAUSE && *first > median.saturating_mul(PAUSE) {
                // A record long before the others: headers, or a role without content.
                run = run.get(1..).unwrap_or_default();
            } else {
                self.begin = run.first().copied();
            }
        }
    }

    /// Where it begins.
    pub fn begin(mut self) -> Option<Mark> {
        self.settle();
        self.begin
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn begin(records: &[(u16, i64)]) -> Option<i64> {
        let mut cadence = Cadence::default();
        for (len, ms) in records {
            cadence.record(*len, Mark { ts: Some(ms * 1_000_000), frame: 1 });
        }
        cadence.begin()?.ts.map(|ts| ts / 1_000_000)
    }

    #[test]
    fn the_cadence_begins_after_headers_and_after_a_role_that_came_at_once() {
        let tokens: Vec<(u16, i64)> = (0..20).map(|n| (210 + (n % 7) as u16, 400 + n * 20)).collect();
        let with = |before: &[(u16, i64)]| [before, &tokens].concat();
        assert_eq!(begin(&tokens), Some(400));
        assert_eq!(begin(&with(&[(900, 10)])), Some(400));
        assert_eq!(begin(&with(&[(900, 10), (205, 11)])), Some(400));
    }

    #[test]
    fn a_few_records_or_a_download_have_no_cadence() {
        assert_eq!(begin(&[(200, 0), (210, 10), (220, 20)]), None);
        assert_eq!(begin(&(0..20).map(|n| (16401, n)).collect::<Vec<_>>()), None);
        assert_eq!(begin(&[]), None);
    }
}
