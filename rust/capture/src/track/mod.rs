//! Flow state, tracked in one pass over a capture: small event tables, whatever the size of the file.

mod agreed;
mod answer_ids;
mod control;
mod conversations;
mod credits;
mod damage;
mod direction;
mod episode;
mod found;
mod heard;
mod ip_ids;
mod mads;
mod marks;
mod mirrors;
mod notified;
mod outstanding;
mod pairing;
mod pass;
mod pauses;
mod psn;
mod queue_pairs;
mod rdma;
mod recoveries;
mod request_stream;
pub(crate) mod requests;
mod samples;
mod settings;
mod settle;
pub(crate) mod shares;
mod sighting;
#[cfg(test)]
mod simulated;
mod tcp;
mod totals;
mod tracked;
mod unreliable;

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crate::container::Capture;
use crate::decode::decoded;
use crate::error::CaptureError;
use crate::fragments::Fragments;
pub use credits::Stall;
use pass::Pass;
pub use settings::Settings;
use shares::Mine;
pub use tracked::Tracked;

/// Packets between two progress reports.
const REPORT_EVERY: u64 = 1 << 16;

/// Captures smaller than this are read before a second thread has begun.
const WORTH_TWO: u64 = 4 << 20;

/// How many threads may walk a capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Threads {
    /// One.
    One,
    /// Two, where the file is mapped: a stream can be read only once.
    Two,
    /// Two where the machine has them and the file is worth it.
    #[default]
    AsFits,
}

/// Reads a capture once. `source` is the name its rows carry, `settings` what a person knows of its place. `on_progress` gets the bytes of the file read so far and
/// its size if known, and stops the pass by returning false. The tables are the same with one thread and two.
///
/// # Errors
/// When the file cannot be opened or is no capture, and [`CaptureError::Cancelled`]. Damage further in is a row of
/// [`Tracked::problems`].
pub fn track(
    path: &Path,
    source: &str,
    settings: &Settings,
    threads: Threads,
    on_progress: &mut dyn FnMut(u64, Option<u64>) -> bool,
) -> Result<Tracked, CaptureError> {
    track_capture(Capture::open(path)?, source, settings, threads, on_progress)
}

/// The same for a capture that is open and of which nothing was read: several files, or one that still grows.
///
/// # Errors
/// [`CaptureError::Cancelled`].
pub fn track_capture(
    capture: Capture,
    source: &str,
    settings: &Settings,
    threads: Threads,
    on_progress: &mut dyn FnMut(u64, Option<u64>) -> bool,
) -> Result<Tracked, CaptureError> {
    let twin = match threads {
        Threads::One => None,
        Threads::AsFits if capture.size().is_none_or(|size| size < WORTH_TWO) => None,
        Threads::AsFits if thread::available_parallelism().is_ok_and(|cores| cores.get() < 2) => None,
        Threads::Two | Threads::AsFits => capture.twin(Path::new(source)),
    };
    track_with_twin(capture, twin, source, settings, on_progress)
}

/// The same by one thread, or where there is a second reader of the same capture by two.
pub(crate) fn track_with_twin(
    mut capture: Capture,
    twin: Option<Capture>,
    source: &str,
    settings: &Settings,
    on_progress: &mut dyn FnMut(u64, Option<u64>) -> bool,
) -> Result<Tracked, CaptureError> {
    let pass = match twin {
        None => walk(&mut capture, Pass::new(source, settings, Mine::All), on_progress),
        Some(mut twin) => {
            let stop = AtomicBool::new(false);
            thread::scope(|scope| {
                let other = scope.spawn(|| {
                    walk(&mut twin, Pass::new(source, settings, Mine::Share(1)), &mut |_, _| {
                        !stop.load(Ordering::Relaxed)
                    })
                });
                let own = walk(&mut capture, Pass::new(source, settings, Mine::Share(0)), on_progress);
                stop.store(own.is_none(), Ordering::Relaxed);
                let other = other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                let mut own = own?;
                own.join(other?);
                Some(own)
            })
        }
    };
    pass.map(|pass| pass.finish(&capture)).ok_or(CaptureError::Cancelled)
}

/// Every packet to the trackers of one walker; `None` when it was told to stop.
fn walk<'s>(
    capture: &mut Capture,
    mut pass: Pass<'s>,
    on_progress: &mut dyn FnMut(u64, Option<u64>) -> bool,
) -> Option<Pass<'s>> {
    let mine = pass.mine();
    let mut fragments = Fragments::default();
    let mut until_report = REPORT_EVERY;
    // By reference: a record that is taken out is carried through memory once more.
    while let Some(record) = &capture.next() {
        pass.on_record(record);
        let share = if mine == Mine::All { None } else { shares::at_a_glance(record.link_type, record.data) };
        if share.is_none_or(|share| mine.has(share)) {
            decoded(record.link_type, record.data, record.wire_len, |mut packet| {
                fragments.complete(record.frame, record.ts, &mut packet);
                pass.on_packet(record, &packet, share);
            });
        }
        until_report -= 1;
        if until_report == 0 {
            until_report = REPORT_EVERY;
            if !on_progress(capture.consumed(), capture.size()) {
                return None;
            }
        }
    }
    on_progress(capture.consumed(), capture.size()).then_some(pass)
}
