//! Who asked whom to pause, and for how long: PFC (802.1Qbb) and 802.3x frames, added up per sender and priority.
//!
//! A pause frame sets a timer and does not add to it: a later frame replaces what is left of the earlier (IEEE 802.3
//! annex 31B.3.3, 802.1Q clause 36). So the time paused is the union of the intervals that the frames ask for.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::num::NonZeroU64;

use super::settings::Settings;
use crate::address::Mac;
use crate::packet::{Kind, Pause};
use crate::tables::captured::Captured;
use crate::tables::pause_time::{PauseTime, Unknown};

/// Bit times in one quantum (IEEE 802.3 annex 31B.2).
const BITS: u64 = 512;
const NANOSECONDS: u64 = 1_000_000_000;

/// Different senders kept; a capture with more is hostile or broken.
const MOST_SENDERS: usize = 1 << 16;

/// Pause frames so far.
#[derive(Debug, Default)]
pub struct Pauses {
    settings: Settings,
    senders: BTreeMap<(Option<Mac>, Option<u8>), Sender>,
    /// Frames seen.
    pub frames: u64,
    /// Requests of senders beyond the limit.
    pub untracked: u64,
}

/// One port and priority.
#[derive(Debug)]
struct Sender {
    speed: Option<NonZeroU64>,
    xoff_frames: u64,
    xon_frames: u64,
    quanta: u64,
    first: (u64, Option<i64>),
    last: (u64, Option<i64>),
    without_time: bool,
    stopped: Union,
}

impl Pauses {
    /// None seen yet.
    pub fn new(settings: Settings) -> Self {
        Self { settings, ..Self::default() }
    }

    /// A pause frame passed the tap.
    pub fn on_frame(&mut self, row: &Captured<'_>, pause: &Pause) {
        self.frames += 1;
        if row.packet.kind == Kind::Pfc {
            for (priority, quanta) in (0..).zip(pause.quanta) {
                if pause.enabled >> priority & 1 == 1 {
                    self.add(row, Some(priority), quanta);
                }
            }
        } else {
            let [quanta, ..] = pause.quanta;
            self.add(row, None, quanta);
        }
    }

    fn add(&mut self, row: &Captured<'_>, priority: Option<u8>, quanta: u16) {
        let key = (row.packet.src_mac, priority);
        if self.senders.len() >= MOST_SENDERS && !self.senders.contains_key(&key) {
            self.untracked += 1;
            return;
        }
        let sender = self.senders.entry(key).or_insert_with(|| Sender {
            speed: self.settings.speed_of(row.packet.src_mac),
            xoff_frames: 0,
            xon_frames: 0,
            quanta: 0,
            first: (row.frame, row.ts),
            last: (row.frame, row.ts),
            without_time: false,
            stopped: Union::default(),
        });
        if quanta == 0 {
            sender.xon_frames += 1;
        } else {
            sender.xoff_frames += 1;
        }
        sender.quanta += u64::from(quanta);
        sender.last = (row.frame, row.ts);
        match (row.ts, sender.speed) {
            (Some(ts), Some(speed)) => sender.stopped.on_frame(row.frame, ts, pause_of(quanta, speed)),
            (None, _) => sender.without_time = true,
            (Some(_), None) => {}
        }
    }

    /// The rows of `pause_time`. `seen`: times of the first and the last packet of the capture.
    pub fn finish(self, source: &str, seen: Option<(i64, i64)>) -> Vec<PauseTime> {
        let row =
            |((port, priority), sender): ((Option<Mac>, Option<u8>), Sender)| sender.row(source, port, priority, seen);
        self.senders.into_iter().map(row).collect()
    }
}

impl Sender {
    fn row(mut self, source: &str, port: Option<Mac>, priority: Option<u8>, seen: Option<(i64, i64)>) -> PauseTime {
        let span = seen.map(|(first, last)| last.saturating_sub(first));
        let beyond = self.stopped.finish(seen.map(|(_, last)| last));
        let unknown = match (self.without_time, self.speed) {
            (true, _) => Some(Unknown::Time),
            (false, None) => Some(Unknown::LinkSpeed),
            (false, Some(_)) => None,
        };
        let known = unknown.is_none();
        PauseTime {
            source: source.to_owned(),
            sender: port,
            priority,
            xoff_frames: self.xoff_frames,
            xon_frames: self.xon_frames,
            quanta: self.quanta,
            link_speed: self.speed.map(NonZeroU64::get),
            paused: known.then_some(self.stopped.total),
            share: span.filter(|span| known && *span > 0).map(|span| self.stopped.total as f64 / span as f64),
            longest: known.then_some(self.stopped.longest),
            longest_frame: (known && self.stopped.longest > 0).then_some(self.stopped.longest_frame),
            beyond: known.then_some(beyond),
            unknown,
            first_ts: self.first.1,
            last_ts: self.last.1,
            first_frame: self.first.0,
            last_frame: self.last.0,
            capture_span: span,
        }
    }
}

/// What a pause time means in ns, rounded down.
fn pause_of(quanta: u16, speed: NonZeroU64) -> i64 {
    let bits = u64::from(quanta) * BITS; // at most 2^25
    i64::try_from(bits * NANOSECONDS / speed).unwrap_or(i64::MAX) // at most 2^55, at 1 bit/s
}

/// The union of the pauses so far.
#[derive(Debug, Default)]
struct Union {
    /// Of the pauses that are over, and of the present one up to `from`.
    total: i64,
    longest: i64,
    /// Frame with which the longest began.
    longest_frame: u64,
    now: Option<Stop>,
}

/// A pause that is under way.
#[derive(Debug, Clone, Copy)]
struct Stop {
    frame: u64,
    began: i64,
    /// Counted up to here.
    from: i64,
    until: i64,
}

impl Union {
    fn on_frame(&mut self, frame: u64, ts: i64, pause: i64) {
        let ts = self.now.map_or(ts, |stop| ts.max(stop.from)); // a clock that steps back makes no pause longer
        let running = self.count_up_to(ts).filter(|stop| stop.until >= ts);
        if pause == 0 {
            return;
        }
        let (frame, began) = running.map_or((frame, ts), |stop| (stop.frame, stop.began));
        self.now = Some(Stop { frame, began, from: ts, until: ts.saturating_add(pause) });
    }

    /// Counts what of the present pause lies before `ts`, and takes it.
    fn count_up_to(&mut self, ts: i64) -> Option<Stop> {
        let stop = self.now.take()?;
        let end = stop.until.min(ts);
        self.total = self.total.saturating_add(end.saturating_sub(stop.from).max(0));
        let long = end.saturating_sub(stop.began);
        if long > self.longest {
            (self.longest, self.longest_frame) = (long, stop.frame);
        }
        Some(stop)
    }

    /// The capture is over: how far does the last pause reach beyond it?
    fn finish(&mut self, last: Option<i64>) -> i64 {
        let Some(last) = last else { return 0 };
        self.count_up_to(last).map_or(0, |stop| stop.until.saturating_sub(last.max(stop.from)).max(0))
    }
}
