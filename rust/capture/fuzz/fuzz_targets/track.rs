//! The whole pass: a file recognised, every packet decoded and given to every tracker, and the tables made. The scanned
//! tables are made too, with all their columns.

#![no_main]

use capture::scan::{Request, Scan};
use capture::track::track_capture;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|file: &[u8]| {
    let Some(capture) = badhop_capture_fuzz::open(file.to_vec()) else { return };
    let Ok(tracked) = track_capture(capture, "fuzz", &mut |_, _| true) else { return };
    let health: u64 = tracked.capture_health.iter().map(|health| health.packets).sum();
    assert!(tracked.batches().is_ok());
    let mut rows = 0;
    for table in ["packets", "roce", "pauses"] {
        let Some(capture) = badhop_capture_fuzz::open(file.to_vec()) else { return };
        let request = Request { table, source: "fuzz", columns: None, batch_rows: 1000, limit: None, threads: None };
        let Ok(mut scan) = Scan::of(capture, &request) else { panic!("a table and its own columns") };
        while let Ok(Some(batch)) = scan.next_batch() {
            rows += if table == "packets" { batch.num_rows() as u64 } else { 0 };
        }
    }
    assert_eq!(rows, health, "the scan and the pass see the same packets");
});
