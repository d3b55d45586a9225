//! Pause frames: the time for which a port was stopped, beside a count that goes through the frames one by one.
//!
//! The first byte of a script is the speed of the links in Gb/s. Control byte: bits 0 and 1 the sender, 2 an 802.3x PAUSE,
//! 3 another packet, 7 cut. Body: the priorities that are enabled, then the quanta of each, in two bytes.

use std::collections::BTreeMap;
use std::num::NonZeroU64;

use super::frames::{framed, mac};
use super::reel::Reel;
use super::script::pieces;
use super::whole;
use crate::address::Mac;
use crate::track::Settings;

const FLOW_CONTROL: [u8; 6] = [1, 0x80, 0xc2, 0, 0, 1];

/// When a frame asked, and for how many quanta.
type Asked = (i64, u16);

pub(super) fn pauses(input: &[u8]) {
    let Some((&gigabits, script)) = input.split_first() else { return };
    let speed = NonZeroU64::new(u64::from(gigabits) * 1_000_000_000);
    let mut reel = Reel::new();
    let mut asked: BTreeMap<(u8, Option<u8>), Vec<Asked>> = BTreeMap::new();
    for piece in pieces(script) {
        reel.wait(piece.step);
        let sender = piece.control & 3;
        if piece.is(3) {
            reel.take(framed([0xff; 6], mac(sender), 0x0806, piece.body), usize::MAX);
            continue;
        }
        let quanta = |priority: usize| u16::from_be_bytes([piece.byte(1 + 2 * priority), piece.byte(2 + 2 * priority)]);
        let mut bytes = if piece.is(2) { vec![0, 1] } else { vec![1, 1, 0, piece.byte(0)] };
        let count = if piece.is(2) { 1 } else { 8 };
        bytes.extend((0..count).flat_map(|priority| quanta(priority).to_be_bytes()));
        bytes.resize(46, 0);
        let keep = if piece.is(7) { usize::from(piece.byte(17)) } else { usize::MAX };
        let needed = 14 + if piece.is(2) { 4 } else { 20 };
        if keep >= needed {
            let enabled = |priority: &u8| piece.is(2) || piece.byte(0) >> priority & 1 == 1;
            for priority in (0..count as u8).filter(enabled) {
                let key = (sender, (!piece.is(2)).then_some(priority));
                asked.entry(key).or_default().push((reel.now, quanta(priority.into())));
            }
        }
        reel.take(framed(FLOW_CONTROL, mac(sender), 0x8808, &bytes), keep);
    }
    let settings = Settings { link_speed: speed, ..Settings::default() };
    let tracked = whole::check(&reel.frames, &settings);
    assert_eq!(tracked.pause_time.len(), asked.len());
    let last = reel.frames.iter().map(|frame| frame.ts).max().unwrap_or_default();
    for row in &tracked.pause_time {
        let sender = row.sender.map_or(0, |Mac(octets)| octets[5]);
        let frames = &asked[&(sender, row.priority)];
        let xoff = frames.iter().filter(|(_, quanta)| *quanta > 0).count() as u64;
        assert_eq!((row.xoff_frames, row.xon_frames), (xoff, frames.len() as u64 - xoff));
        assert_eq!(row.paused.is_some(), speed.is_some());
        if let (Some(paused), Some(speed), true) = (row.paused, speed, frames.is_sorted_by_key(|(ts, _)| *ts)) {
            assert_eq!(paused, stopped(frames, speed, last));
            assert!(row.longest.is_some_and(|longest| longest <= paused));
        }
    }
}

/// The time for which frames in the order of time stopped a port: each holds until the next, or until its time is over.
fn stopped(frames: &[Asked], speed: NonZeroU64, last: i64) -> i64 {
    let ends = frames.iter().skip(1).map(|(ts, _)| *ts).chain([last]);
    let until = |(ts, quanta): Asked| ts + (u64::from(quanta) * 512 * 1_000_000_000 / speed) as i64;
    frames.iter().zip(ends).map(|(frame, end)| (until(*frame).min(end) - frame.0).max(0)).sum()
}
