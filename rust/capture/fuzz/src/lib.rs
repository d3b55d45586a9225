//! What the targets share: a file from memory, walked to its end.

use std::io::Cursor;
use std::path::Path;

use capture::container::Capture;
use capture::window::Window;

/// The file as a capture, if it is one.
pub fn open(file: Vec<u8>) -> Option<Capture> {
    Capture::from_window(Window::stream(Cursor::new(file)), Path::new("fuzz")).ok()
}

/// Walks to the end. What a file can say beside its packets must stay bounded, and frames must be counted up.
pub fn walk(file: Vec<u8>) {
    let Some(mut capture) = open(file) else { return };
    let mut last = 0;
    while let Some(record) = capture.next() {
        assert!(record.frame > last);
        last = record.frame;
    }
    assert!(capture.problems().len() <= 100);
    assert!(capture.comments().len() <= 10_000 && capture.interfaces().len() <= 4096);
    let _ = (capture.notes(), capture.snap_len(), capture.resolution(), capture.reported_drops());
}
