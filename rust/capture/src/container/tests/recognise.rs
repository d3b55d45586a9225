//! What is said of files that are no captures; and compressions, which are looked through.

use std::path::Path;

use super::build::{Endian, MICROSECONDS, pcap_header, record};
use super::{Capture, open, read_all};
use crate::error::CaptureError;
use crate::window::Compression;
use crate::window::pack::pack;

fn gzip(bytes: &[u8]) -> Vec<u8> {
    pack(Compression::Gzip, bytes)
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
    assert_eq!(found(b"PK\x03\x04...."), "a zip archive");
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
    for (bytes, name) in
        [(&b"\x02\x21\x4c\x18...."[..], "old format"), (b"snoop\0\0\0....", "snoop"), (b"GMBU....", "Network Monitor")]
    {
        match open(bytes).map(|_| ()) {
            Err(CaptureError::Unsupported { what, next, .. }) => {
                assert!(what.contains(name) && !next.is_empty(), "{what}; {next}");
            }
            other => panic!("{other:?}"),
        }
    }
    let thrice = pack(Compression::Xz, &pack(Compression::Zstd, &gzip(&capture_of(1))));
    match open(&thrice).map(|_| ()) {
        Err(CaptureError::Unsupported { what, .. }) => assert_eq!(what, "gzip inside zstd inside xz"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_compressed_file_of_which_nothing_comes_out_says_so() {
    for compression in Compression::ALL {
        let name = compression.name();
        assert_eq!(
            found(&pack(compression, &capture_of(1))[..9]),
            format!("{name} of which nothing can be unpacked (the {name} stream is cut after 9 compressed bytes)")
        );
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
fn several_members_are_one_capture() {
    let file = capture_of(20);
    let (read, plain) = read_all(&file);
    assert_eq!((plain.compression(), read.len()), (None, 20));
    let (first, second) = file.split_at(333);
    for compression in Compression::ALL {
        let (members, capture) = read_all(&[pack(compression, first), pack(compression, second)].concat());
        assert_eq!(members, read);
        assert_eq!(capture.compression(), Some(compression.name()));
        assert_eq!(capture.problems(), []);
    }
}

#[test]
fn a_compression_inside_another_is_looked_through() {
    let file = capture_of(20);
    let (read, _) = read_all(&file);
    for inner in Compression::ALL {
        for outer in Compression::ALL {
            let (packed, capture) = read_all(&pack(outer, &pack(inner, &file)));
            assert_eq!(packed, read);
            assert_eq!(capture.compression(), Some(&*format!("{}+{}", inner.name(), outer.name())));
            assert_eq!(capture.problems(), []);
        }
    }
}

#[test]
fn a_compressed_file_cut_anywhere_gives_what_was_whole_and_one_problem() {
    let file = capture_of(50);
    let (all, _) = read_all(&file);
    for compression in Compression::ALL {
        let (name, packed) = (compression.name(), pack(compression, &file));
        let mut opened = 0;
        for len in 0..packed.len() {
            let Ok(_) = open(&packed[..len]) else { continue };
            opened += 1;
            let (read, capture) = read_all(&packed[..len]);
            assert_eq!(read, all[..read.len()], "{name} cut after {len} bytes");
            let problem = super::only_problem(&capture);
            let expected = format!("the {name} stream is cut after {len} compressed bytes");
            assert!(problem.what.contains(&expected), "{}", problem.what);
            assert_eq!(problem.frame, read.len() as u64);
        }
        assert!(opened > 0, "{name}: some cuts leave the file header");
    }
}

#[test]
fn what_broke_first_is_told_of_two_compressions() {
    let packed = pack(Compression::Zstd, &gzip(&capture_of(50)));
    let len = packed.len() - 6;
    let (_, capture) = read_all(&packed[..len]);
    let problem = super::only_problem(&capture);
    assert!(problem.what.contains(&format!("the zstd stream is cut after {len} compressed bytes")), "{}", problem.what);
}

#[test]
fn progress_runs_over_the_compressed_file() {
    for compression in Compression::ALL {
        let packed = pack(compression, &capture_of(200));
        let len = packed.len() as u64;
        let (_, capture) = read_all(&packed);
        assert_eq!((capture.consumed(), capture.size()), (len, None), "a stream has no size");
    }
}
