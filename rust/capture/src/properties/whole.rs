//! What holds for the tables of any capture: two threads find what one finds, the files of a rotation what one file holds,
//! and no row speaks of what the capture does not have.

use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use arrow_array::RecordBatch;

use super::reel::{Frame, pcap};
use super::rows;
use crate::container::Capture;
use crate::scan::{Request, Scan};
use crate::track::{Settings, Tracked, track_with_twin};
use crate::window::Window;

/// Where this variable says, the capture of a script is kept, to be looked at with other tools.
const KEEP: &str = "BADHOP_KEEP_SCRIPT";

/// The file as a capture, if it is one.
pub(super) fn open(file: &[u8]) -> Option<Capture> {
    let window = Window::stream(Cursor::new(file.to_vec()));
    Capture::from_window(window, Path::new("fuzz")).ok()
}

/// Tables by name.
type Batches = Vec<(&'static str, RecordBatch)>;

fn tables(tracked: &Tracked) -> Batches {
    tracked.batches().expect("columns as declared")
}

fn pass(capture: Capture, twin: Option<Capture>, settings: &Settings) -> Tracked {
    track_with_twin(capture, twin, "fuzz", settings, &mut |_, _| true).expect("nobody stopped it")
}

/// What holds for a file of any kind. Gives its tables; `None` when it is no capture.
pub(super) fn check_file(file: &[u8], settings: &Settings) -> Option<Tracked> {
    let one = pass(open(file)?, None, settings);
    let two = pass(open(file)?, open(file), settings);
    same(&one, &two, "one thread", "two");
    let packets = scanned(file, "packets");
    let counted: u64 = one.capture_health.iter().map(|health| health.packets).sum();
    assert_eq!(packets, counted, "the scan and the pass see the same packets");
    assert_eq!(scanned(file, "roce"), one.capture_health[0].roce_packets);
    assert_eq!(scanned(file, "pauses"), one.capture_health[0].pause_frames);
    Some(one)
}

/// What holds for packets that were captured without damage.
pub(super) fn check(frames: &[Frame], settings: &Settings) -> Tracked {
    let file = pcap(frames);
    if let Some(path) = std::env::var_os(KEEP) {
        std::fs::write(path, &file).expect("a place for the capture");
    }
    let whole = check_file(&file, settings).expect("a capture");
    rows::check(&tables(&whole), frames);
    let rotation = Rotation::of(&frames[..frames.len() / 2], &frames[frames.len() / 2..]);
    let halves = Capture::open_all(&rotation.0).expect("two captures");
    same(&whole, &pass(halves, None, settings), "one file", "a rotation");
    whole
}

/// Rows of a scanned table.
fn scanned(file: &[u8], table: &str) -> u64 {
    let request = Request { table, source: "fuzz", columns: None, batch_rows: 1000, limit: None, threads: None };
    let mut scan = Scan::of(open(file).expect("it was one before"), &request).expect("a table and its own columns");
    let mut rows = 0;
    while let Some(batch) = scan.next_batch().expect("columns as declared") {
        rows += batch.num_rows() as u64;
    }
    rows
}

/// The same rows in the same order. Written out they are compared in a fraction of the time that columns take to build.
fn same(a: &Tracked, b: &Tracked, this: &str, that: &str) {
    if format!("{a:?}") == format!("{b:?}") {
        return;
    }
    for ((name, a), (_, b)) in tables(a).iter().zip(&tables(b)) {
        if a != b {
            let column = a.columns().iter().zip(b.columns()).position(|(a, b)| a != b).unwrap_or_default();
            let field = a.schema().field(column).name().clone();
            panic!("{name}.{field} differs:\n{this}: {:?}\n{that}: {:?}", a.column(column), b.column(column));
        }
    }
    panic!("{this} and {that} differ in what no column shows:\n{a:?}\n{b:?}");
}

/// Two files in the folder for temporary files; they go when it goes.
struct Rotation([PathBuf; 2]);

impl Rotation {
    fn of(first: &[Frame], second: &[Frame]) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = |part| format!("badhop-property-{}-{number}-{part}.pcap", std::process::id());
        let paths = [0, 1].map(|part| std::env::temp_dir().join(name(part)));
        for (path, frames) in paths.iter().zip([first, second]) {
            std::fs::write(path, pcap(frames)).expect("a file in the folder for temporary files");
        }
        Self(paths)
    }
}

impl Drop for Rotation {
    fn drop(&mut self) {
        for path in &self.0 {
            let _ = std::fs::remove_file(path);
        }
    }
}
