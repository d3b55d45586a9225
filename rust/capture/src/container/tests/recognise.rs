//! What is said of files that are no captures; and gzip, which is looked through.

use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::build::{Endian, MICROSECONDS, pcap_header, record};
use super::{Capture, open, read_all};
use crate::error::CaptureError;

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn capture_of(packets: u8) -> Vec<u8> {
    let mut file = pcap_header(Endian::Little, MICROSECONDS, 4, 65_535, 1);
    for number in 0..packets {
        file.extend(record(Endian::Little, (number.into(), 0), &[number; 33], 33, 0));
    }
    file
}

/// What is found in a file that is no capture.
fn found(bytes: &[u8]) -> String {
    match open(bytes).map(|_| ()) {
        Err(CaptureError::NotACapture { found, next, .. }) => {
            assert!(!next.is_empty());
            found
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_file_that_is_no_capture_is_named_in_words() {
    assert_eq!(found(b""), "nothing: the file is empty");
    assert_eq!(found(b"\x7fELF\x02\x01\x01\0\0\0\0\0"), "a program (ELF)");
    assert_eq!(found(b"  {\"schema\": 1}"), "JSON text");
    assert_eq!(found("12:00:01.5 IP a > b: UDP, Länge 12\n".as_bytes()), "text");
    assert_eq!(found(b"<?xml version='1.0'?>"), "XML or HTML text");
    assert_eq!(found(b"\x80\x04\x95\x10\0\0\0"), "a Python pickle, which is never opened");
    assert_eq!(found(&[0xfe; 7]), "7 bytes, fewer than any capture has");
    assert_eq!(found(&[0xfe; 700]), "binary data of an unknown kind");
    assert_eq!(found(&gzip(b"hello, world")), "text, inside gzip");
    let mut tar = vec![b'a'; 600];
    tar[257..262].copy_from_slice(b"ustar");
    assert_eq!(found(&tar), "a tar archive");
}

#[test]
fn no_byte_of_the_file_reaches_the_message() {
    for bytes in [&b"\x1b[31mred\x1b[0m and \x07 bell"[..], b"secret words", b"{\"password\": \"secret\"}"] {
        let message = open(bytes).map(|_| ()).unwrap_err().to_string();
        assert!(!message.contains(['\x1b', '\x07']) && !message.contains("secret"), "{message:?}");
    }
}

#[test]
fn a_file_shorter_than_its_header_says_how_long_it_is() {
    let file = capture_of(0);
    for len in 4..24 {
        assert_eq!(found(&file[..len]), format!("a pcap file header that is cut or broken, {len} bytes in all"));
    }
    assert!(found(b"\x0a\x0d\x0d\x0a\x1c\0\0\0").contains("a pcapng file header that is cut or broken, 8 bytes"));
}

#[test]
fn captures_and_compressions_that_are_not_read_yet_say_what_to_do() {
    for (bytes, name) in [
        (&b"\x28\xb5\x2f\xfd...."[..], "zstd"),
        (b"\x04\x22\x4d\x18....", "lz4"),
        (b"\xfd7zXZ\0....", "xz"),
        (b"BZh9....", "bzip2"),
        (b"snoop\0\0\0....", "snoop"),
        (b"GMBU....", "Network Monitor"),
    ] {
        match open(bytes).map(|_| ()) {
            Err(CaptureError::Unsupported { what, next, .. }) => {
                assert!(what.contains(name) && !next.is_empty(), "{what}; {next}");
            }
            other => panic!("{other:?}"),
        }
    }
    match open(&gzip(&gzip(&capture_of(1)))).map(|_| ()) {
        Err(CaptureError::Unsupported { what, .. }) => assert_eq!(what, "gzip inside gzip"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_unknown_version_is_unsupported_and_names_the_byte() {
    let mut file = capture_of(1);
    file[4] = 3;
    match open(&file).map(|_| ()) {
        Err(CaptureError::Unsupported { offset, what, .. }) => {
            assert_eq!(offset, 4);
            assert!(what.contains("version 3.4"), "{what}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_directory_and_a_missing_file_are_told_apart() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let error = Capture::open(here).map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("a directory"), "{error}");
    let error = Capture::open(&here.join("no-such-file.pcap")).map(|_| ()).unwrap_err();
    assert!(matches!(error, CaptureError::Io { .. }), "{error}");
}

#[test]
fn gzip_of_several_members_is_one_capture() {
    let file = capture_of(20);
    let (read, plain) = read_all(&file);
    let (first, second) = file.split_at(333);
    let (members, capture) = read_all(&[gzip(first), gzip(second)].concat());
    assert_eq!((members, read.len()), (read, 20));
    assert_eq!((capture.compression(), plain.compression()), (Some("gzip"), None));
    assert_eq!(capture.problems(), []);
}

#[test]
fn cut_gzip_gives_what_was_whole_and_one_problem() {
    let file = capture_of(50);
    let packed = gzip(&file);
    let (all, _) = read_all(&packed);
    let mut fewer = 0;
    for len in (packed.len() / 2)..packed.len() {
        let Ok(_) = open(&packed[..len]) else { continue };
        let (read, capture) = read_all(&packed[..len]);
        assert_eq!(read, all[..read.len()], "cut after {len} bytes");
        let problem = super::only_problem(&capture);
        assert!(
            problem.what.contains(&format!("the gzip stream is cut after {len} compressed bytes")),
            "{}",
            problem.what
        );
        assert_eq!(problem.frame, read.len() as u64);
        fewer += usize::from(read.len() < all.len());
    }
    assert!(fewer > 0, "some cuts lose packets");
}

#[test]
fn progress_runs_over_the_compressed_file() {
    let packed = gzip(&capture_of(200));
    let len = packed.len() as u64;
    let (_, capture) = read_all(&packed);
    assert_eq!((capture.consumed(), capture.size()), (len, None), "a stream has no size");
}
