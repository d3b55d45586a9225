//! In which order the packets between two hosts pass the taps, from their times both ways; no clocks need agree.
//!
//! For taps I and J the time from I to J of packets one way, and from J to I of packets the other way, are added: the
//! offset of the clocks cancels, and what is left is a sum of delays if I comes first, and of negative delays if J does.

use std::collections::HashMap;

use super::side_by_side::each_packet;
use super::sighting::{Flows, Tap};
use crate::address::Address;

/// Packets looked at for each way between two hosts. Keys come in random order, so these are from all over the capture.
const SAMPLES: usize = 4096;
/// Host pairs that are told apart; packets of further ones are not compared.
const MOST_PAIRS: usize = 1 << 16;
/// Slices of time in which both ways are compared, so that clocks may drift meanwhile.
const SLICES: i64 = 32;

/// How the order is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KnownBy {
    /// Times both ways.
    Times,
    /// Time to live: routers between the taps count it down.
    Ttl,
    /// Both taps are the mirror of one switch, and copies come in the order of capture.
    Mirror,
}

impl KnownBy {
    /// The word in the `order_by` column.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Times => "times",
            Self::Ttl => "ttl",
            Self::Mirror => "mirror",
        }
    }
}

/// Two hosts, the smaller address first.
pub type Hosts = (Address, Address);

/// The hosts of a flow, and whether it goes from the first to the second.
pub fn hosts(src: Address, dst: Address) -> (Hosts, bool) {
    if src <= dst { ((src, dst), true) } else { ((dst, src), false) }
}

/// A packet at the taps that saw it once.
#[derive(Debug, Clone)]
pub struct Sample {
    /// For each tap time and time to live.
    pub seen: Vec<Option<(i64, u8)>>,
}

/// Samples of the packets between two hosts: those from the first to the second, and the others.
#[derive(Debug, Default)]
pub struct Both {
    pub there: Vec<Sample>,
    pub back: Vec<Sample>,
}

impl Both {
    /// Times at two taps of the packets of one way that passed both.
    pub fn times(samples: &[Sample], i: usize, j: usize) -> impl Iterator<Item = (i64, i64)> + '_ {
        samples.iter().filter_map(move |sample| Some((sample.seen[i]?.0, sample.seen[j]?.0)))
    }
}

/// Samples for every pair of hosts.
pub fn samples(taps: &[Tap], flows: &Flows) -> HashMap<Hosts, Both> {
    let mut pairs: HashMap<Hosts, Both> = HashMap::new();
    each_packet(taps, |group| {
        if group.iter().filter(|seen| seen.len() == 1).count() < 2 {
            return;
        }
        let Some(flow) = group.iter().find_map(|seen| seen.first()) else { return };
        let flow = &flows.all[flow.flow as usize];
        let (hosts, there) = hosts(flow.src, flow.dst);
        if pairs.len() >= MOST_PAIRS && !pairs.contains_key(&hosts) {
            return;
        }
        let both = pairs.entry(hosts).or_default();
        let samples = if there { &mut both.there } else { &mut both.back };
        if samples.len() < SAMPLES {
            let once = |seen: &&[super::sighting::Sighting]| match seen {
                [only] => Some((only.ts, only.marks.ttl)),
                _ => None,
            };
            samples.push(Sample { seen: group.iter().map(once).collect() });
        }
    });
    pairs
}

/// The taps in the order in which packets from the first host to the second pass them, and how that is known. Taps that
/// saw none of their packets are left out; `None` when the order of those that did is not known.
pub fn of(both: &Both, taps: usize) -> Option<(Vec<usize>, KnownBy)> {
    let saw = |tap: usize| both.there.iter().chain(&both.back).any(|sample| sample.seen[tap].is_some());
    let mut present: Vec<usize> = (0..taps).filter(|&tap| saw(tap)).collect();
    let mut known_by = KnownBy::Times;
    let mut before: HashMap<usize, usize> = present.iter().map(|&tap| (tap, 0)).collect();
    for (at, &i) in present.iter().enumerate() {
        for &j in &present[at + 1..] {
            let by_time = apart(both, i, j).filter(|&sum| sum != 0);
            if by_time.is_none() {
                known_by = KnownBy::Ttl;
            }
            let i_first = by_time.or_else(|| by_ttl(both, i, j)).filter(|&sum| sum != 0)? > 0;
            *before.get_mut(if i_first { &j } else { &i })? += 1;
        }
    }
    present.sort_by_key(|tap| before[tap]);
    let in_line = present.iter().enumerate().all(|(place, tap)| before[tap] == place);
    in_line.then_some((present, known_by))
}

/// Time from I to J and back, in ns; negative when J comes first. The median over slices of time.
fn apart(both: &Both, i: usize, j: usize) -> Option<i64> {
    let there: Vec<(i64, i64)> = Both::times(&both.there, i, j).collect();
    let back: Vec<(i64, i64)> = Both::times(&both.back, i, j).collect();
    let first = there.iter().chain(&back).map(|times| times.0).min()?;
    let last = there.iter().chain(&back).map(|times| times.0).max()?;
    let long = (last.saturating_sub(first) / SLICES).max(1);
    let slice = |times: &[(i64, i64)], number: i64, sign: i64| {
        let inside = times.iter().filter(|times| times.0.saturating_sub(first) / long == number);
        median(inside.map(|&(at_i, at_j)| at_j.saturating_sub(at_i).saturating_mul(sign)))
    };
    let sums =
        (0..=SLICES).filter_map(|number| Some(slice(&there, number, 1)?.saturating_add(slice(&back, number, -1)?)));
    let whole = || {
        let way = |times: &[(i64, i64)], sign: i64| {
            median(times.iter().map(|&(at_i, at_j)| at_j.saturating_sub(at_i).saturating_mul(sign)))
        };
        Some(way(&there, 1)?.saturating_add(way(&back, -1)?))
    };
    median(sums).or_else(whole)
}

/// Routers between I and J as the packets count them down.
fn by_ttl(both: &Both, i: usize, j: usize) -> Option<i64> {
    let down = |samples: &[Sample], sign: i64| {
        median(samples.iter().filter_map(|sample| {
            let (at_i, at_j) = (sample.seen[i]?.1, sample.seen[j]?.1);
            Some((i64::from(at_i) - i64::from(at_j)) * sign)
        }))
    };
    match (down(&both.there, 1), down(&both.back, -1)) {
        (Some(there), Some(back)) => Some(there + back),
        (one, other) => one.or(other),
    }
}

/// The middle one of some numbers.
pub fn median(numbers: impl Iterator<Item = i64>) -> Option<i64> {
    let mut all: Vec<i64> = numbers.collect();
    let middle = all.len() / 2;
    (!all.is_empty()).then(|| *all.select_nth_unstable(middle).1)
}
