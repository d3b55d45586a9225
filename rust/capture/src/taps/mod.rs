//! Several captures of the same traffic: which packet was seen where, and so between which two taps it was lost.
//!
//! The method is that of localisation.md §2b. A packet is known by what no switch on its way changes ([`sighting`]). Its
//! sightings at all taps are put side by side ([`side_by_side`]); the order of the taps on a path, and how far apart their
//! clocks are, come from traffic both ways ([`order`], [`clock`]), without any common clock. What was seen at a tap and
//! nowhere after it was lost between that tap and the next ([`path`]).
//!
//! | module | turns | into |
//! |---|---|---|
//! | [`sighting`] | a capture | its packets as keys with time and frame |
//! | [`side_by_side`] | the sightings of all taps | one group for each packet |
//! | [`order`] | times of packets both ways between two hosts | the taps in the order of the path |
//! | [`clock`] | times of packets both ways between two taps | bounds on the offset and drift of their clocks |
//! | [`doubled`] | a capture of a mirror of ingress and egress | two taps, before and after the switch |
//! | [`path`] | groups and order | losses, delays and marks for each segment |

mod clock;
mod doubled;
mod order;
mod path;
mod side_by_side;
mod sighting;
#[cfg(test)]
mod tests;

use std::path::Path;

use arrow_array::RecordBatch;
use arrow_schema::ArrowError;

use crate::container::Capture;
use crate::error::CaptureError;
use crate::tables::columns::batch;
use crate::tables::segment_losses::{SEGMENT_LOSSES, SegmentLoss};
use crate::tables::segments::{SEGMENTS, Segment};
use crate::tables::tap_clocks::{TAP_CLOCKS, TapClock};
use sighting::{Flows, Tap};

/// What several captures together tell.
#[derive(Debug, Default)]
#[allow(missing_docs)] // as the tables
pub struct Compared {
    pub segments: Vec<Segment>,
    pub segment_losses: Vec<SegmentLoss>,
    pub tap_clocks: Vec<TapClock>,
}

impl Compared {
    /// Every table by name, in Arrow columns.
    ///
    /// # Errors
    /// See [`crate::tables::columns::Builder::finish`].
    pub fn batches(&self) -> Result<Vec<(&'static str, RecordBatch)>, ArrowError> {
        Ok(vec![
            batch(&SEGMENTS, &self.segments)?,
            batch(&SEGMENT_LOSSES, &self.segment_losses)?,
            batch(&TAP_CLOCKS, &self.tap_clocks)?,
        ])
    }
}

/// Compares captures of the same traffic. `captures` are their paths, each with the name that its rows carry.
/// `on_progress` gets the name of the capture that is read, the bytes of it read so far and its size if known, and stops
/// the work by returning false.
///
/// One pass over each capture; 40 bytes are kept for each packet, of at most [`sighting::MOST`] packets in all. When there
/// are more, the same part of them is kept of each capture, and the rows say so.
///
/// # Errors
/// When a file cannot be opened or is no capture, and [`CaptureError::Cancelled`].
pub fn compare(
    captures: &[(&Path, &str)],
    on_progress: &mut dyn FnMut(&str, u64, Option<u64>) -> bool,
) -> Result<Compared, CaptureError> {
    let opened = captures.iter().map(|&(path, name)| Ok((Capture::open(path)?, name)));
    compare_open(opened, on_progress)
}

/// The same for captures that are opened one after the other.
pub(crate) fn compare_open<'n>(
    captures: impl IntoIterator<Item = Result<(Capture, &'n str), CaptureError>>,
    on_progress: &mut dyn FnMut(&str, u64, Option<u64>) -> bool,
) -> Result<Compared, CaptureError> {
    let mut flows = Flows::default();
    let mut taps = Vec::new();
    for capture in captures {
        let (mut capture, name) = capture?;
        let tap = Tap::read(&mut capture, name, &mut flows, &mut |done, size| on_progress(name, done, size));
        taps.push(tap.ok_or(CaptureError::Cancelled)?);
    }
    Ok(compared(taps, &flows))
}

/// The same for captures that were read.
fn compared(taps: Vec<Tap>, flows: &Flows) -> Compared {
    let mut found = Compared::default();
    let (short, mut taps): (Vec<Tap>, Vec<Tap>) = taps.into_iter().partition(|tap| tap.too_short > 0);
    let other = |at: usize| taps.first().or_else(|| short.iter().cycle().nth(at + 1)).map(|tap| tap.name.clone());
    found.tap_clocks.extend((0..).zip(&short).map(|(at, tap)| TapClock {
        tap_a: tap.name.clone(),
        tap_b: other(at).unwrap_or_default(),
        at: tap.first_ts,
        reason: Some(format!(
            "of {} packets of {} too little was stored to know them again: capture 128 bytes of each",
            tap.too_short, tap.name
        )),
        ..TapClock::default()
    }));
    sighting::sample_alike(&mut taps);
    for tap in &mut taps {
        if let Some((before, after)) = doubled::split(tap) {
            path::compare_halves(&[before, after], flows, &mut found);
        }
    }
    if taps.len() > 1 {
        path::compare(&taps, flows, &mut found);
    }
    found
}
