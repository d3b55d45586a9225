//! The sightings of all taps, one packet after another.

use super::sighting::{Sighting, Tap};

/// Calls `on_packet` with the sightings of each key: for each tap those of it, in the order of capture.
pub fn each_packet<'t>(taps: &'t [Tap], mut on_packet: impl FnMut(&[&'t [Sighting]])) {
    let mut rests: Vec<&[Sighting]> = taps.iter().map(|tap| tap.sightings.as_slice()).collect();
    let mut group: Vec<&[Sighting]> = Vec::with_capacity(taps.len());
    while let Some(key) = rests.iter().filter_map(|rest| rest.first()).map(|sighting| sighting.key).min() {
        group.clear();
        for rest in &mut rests {
            let count = rest.iter().take_while(|sighting| sighting.key == key).count();
            let (own, after) = rest.split_at(count);
            *rest = after;
            group.push(own);
        }
        on_packet(&group);
    }
}
