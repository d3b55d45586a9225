//! A capture that holds packets twice, because a switch mirrors both its ingress and its egress: two taps in one file.

use super::sighting::{Sighting, Tap};

/// Copies follow each other within this many ns: the time through one switch, its queues, and the mirror.
const THROUGH_A_SWITCH: i64 = 2_000_000;
/// Share of the packets that must be there twice, in percent, before the capture is taken for such a mirror. A network that
/// doubles packets by a fault does so to a few.
const MOSTLY: usize = 60;
/// Fewer packets show nothing.
const LEAST: usize = 20;

/// The tap before the switch and the tap after it, when the capture is of both; only packets that have an IP
/// identification of their own count, for only they can be told from packets that were sent again.
pub fn split(tap: &mut Tap) -> Option<(Tap, Tap)> {
    let mut twice = 0;
    let mut once = 0;
    for group in tap.sightings.chunk_by(|a, b| a.key == b.key) {
        match group {
            [a, b] if copies(a, b) => twice += 1,
            [a] if a.marks.told_apart => once += 1,
            _ => {}
        }
    }
    if twice < LEAST || twice * 100 < (twice + once) * MOSTLY {
        return None;
    }
    let [mut before, mut after] = ["before", "after"].map(|place| Tap {
        first_ts: tap.first_ts,
        last_ts: tap.last_ts,
        one_of: tap.one_of,
        too_short: tap.too_short,
        ..Tap::empty(&format!("{}#{place}", tap.name))
    });
    let mut first_only = Vec::with_capacity(tap.sightings.len());
    for group in tap.sightings.chunk_by(|a, b| a.key == b.key) {
        match group {
            [a, b] if copies(a, b) => {
                before.sightings.push(*a);
                after.sightings.push(*b);
                first_only.push(*a);
            }
            // Which of the two places saw a packet that is there once, only the first can be asked: it is what may be lost.
            [a] if a.marks.told_apart => {
                before.sightings.push(*a);
                first_only.push(*a);
            }
            others => first_only.extend_from_slice(others),
        }
    }
    tap.sightings = first_only;
    Some((before, after))
}

fn copies(a: &Sighting, b: &Sighting) -> bool {
    let later = b.ts.saturating_sub(a.ts);
    a.marks.told_apart && (0..=THROUGH_A_SWITCH).contains(&later) && b.marks.ttl <= a.marks.ttl
}
