//! The same bytes through a map, a file that is read, and a pipe; [`packed`] has the compressed ones.
#![allow(clippy::unwrap_used)]

mod packed;

use std::fs;
use std::io::Cursor;
use std::path::PathBuf;
use std::process;
use std::time::SystemTime;

use super::*;

fn bytes(len: usize) -> Vec<u8> {
    (0..len).map(|at| (at % 251) as u8).collect()
}

/// A file that removes itself.
struct Temporary(PathBuf);

impl Temporary {
    fn holding(name: &str, bytes: &[u8], settled: bool) -> Self {
        let path = std::env::temp_dir().join(format!("badhop-window-{}-{name}", process::id()));
        fs::write(&path, bytes).unwrap();
        if settled {
            let file = File::options().write(true).open(&path).unwrap();
            file.set_modified(SystemTime::now() - SETTLED * 100).unwrap();
        }
        Self(path)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// Moves through a window in uneven steps and checks every byte on the way.
fn walks_over(mut window: Window, expected: &[u8]) {
    let mut at = 0;
    for step in [0, 1, 2, 700_000, 3, 65_536, 16, 299_999].into_iter().cycle() {
        let rest = &expected[at..];
        let want = step + 7;
        assert_eq!(window.peek(want), &rest[..want.min(rest.len())]);
        assert_eq!(window.skip(step as u64), step.min(rest.len()) as u64);
        at += step.min(rest.len());
        assert_eq!(window.offset(), at as u64);
        if at == expected.len() {
            break;
        }
    }
    assert_eq!(window.skip(10), 0, "the end stays the end");
    assert_eq!(window.peek(10), b"");
    assert_eq!(window.failure(), None);
}

#[test]
fn a_map_a_file_being_written_and_a_pipe_look_the_same() {
    let bytes = bytes(2_000_000);
    let old = Temporary::holding("old", &bytes, true);
    let new = Temporary::holding("new", &bytes, false);
    let (mapped, read) = (Window::open(&old.0).unwrap(), Window::open(&new.0).unwrap());
    assert!(matches!(mapped.source, Source::Mapped(_)));
    assert!(matches!(read.source, Source::Stream(_)), "a file that may still be cut is not mapped");
    assert_eq!((mapped.size(), read.size()), (Some(2_000_000), Some(2_000_000)));
    walks_over(mapped, &bytes);
    walks_over(read, &bytes);
    walks_over(Window::stream(Cursor::new(bytes.clone())), &bytes);
}

#[test]
fn an_empty_file_is_an_empty_window() {
    let file = Temporary::holding("empty", b"", true);
    walks_over(Window::open(&file.0).unwrap(), b"");
}

#[test]
fn a_read_error_ends_the_stream_after_all_that_was_read() {
    struct Failing(usize);
    impl Read for Failing {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let count = into.len().min(self.0);
            self.0 -= count;
            if count == 0 { Err(io::Error::other("the disk is gone")) } else { Ok(count) }
        }
    }
    let mut window = Window::stream(Failing(1000));
    assert_eq!(window.failure(), None);
    assert_eq!(window.peek(5000).len(), 1000);
    assert_eq!(window.failure(), Some("reading stopped: the disk is gone"));
    assert_eq!(window.skip(5000), 1000);
}

#[test]
fn the_buffer_holds_the_largest_request_and_no_more() {
    let mut window = Window::stream(io::repeat(7).take(100_000_000));
    window.peek(1_000_000);
    window.skip(90_000_000);
    window.peek(10);
    let Source::Stream(stream) = &window.source else { return };
    assert!(stream.buffer.len() <= 1_000_000, "{} bytes", stream.buffer.len());
}

#[test]
fn a_length_that_is_only_claimed_is_not_allocated() {
    let mut window = Window::stream(io::repeat(7).take(1000));
    assert_eq!(window.peek(usize::MAX / 2).len(), 1000);
    let Source::Stream(stream) = &window.source else { return };
    assert!(stream.buffer.len() <= CHUNK, "{} bytes", stream.buffer.len());
}
