//! The same bytes through a map, a file that is read, a pipe, and gzip.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::io::{Cursor, Write};
use std::path::PathBuf;
use std::process;
use std::time::SystemTime;

use flate2::Compression;
use flate2::write::GzEncoder;

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
fn gzip_of_a_map_and_of_a_pipe_look_like_what_was_packed() {
    let bytes = bytes(1_500_000);
    let mut packed = Vec::new();
    for part in bytes.chunks(400_000) {
        let mut encoder = GzEncoder::new(packed, Compression::fast());
        encoder.write_all(part).unwrap();
        packed = encoder.finish().unwrap();
    }
    let file = Temporary::holding("gz", &packed, true);
    let mapped = Window::open(&file.0).unwrap().gunzip();
    assert_eq!(mapped.size(), Some(packed.len() as u64));
    walks_over(mapped, &bytes);
    walks_over(Window::stream(Cursor::new(packed)).gunzip(), &bytes);
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
fn broken_gzip_says_where_in_the_file() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::none());
    encoder.write_all(&bytes(100)).unwrap();
    let mut packed = encoder.finish().unwrap();
    let checksum = packed.len() - 8;
    packed[checksum] ^= 1;
    let mut window = Window::stream(Cursor::new(packed)).gunzip();
    assert_eq!(window.peek(1000), bytes(100));
    let failure = window.failure().unwrap_or_default();
    assert!(failure.contains("broken near compressed byte"), "{failure}");
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
