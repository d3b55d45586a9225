//! Behaviour of [`super::Capture`] on files built byte by byte.
#![allow(clippy::unwrap_used, clippy::panic)]

mod beside;
mod build;
mod chain;
mod hostile;
mod pcap;
mod pcapng;
mod recognise;

use std::io::Cursor;
use std::path::Path;

use super::Capture;
use crate::error::{CaptureError, Problem};
use crate::window::Window;

/// A packet that outlives its capture.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Owned {
    frame: u64,
    ts: Option<i64>,
    interface: u32,
    link_type: u16,
    wire_len: u32,
    data: Vec<u8>,
}

fn open(bytes: &[u8]) -> Result<Capture, CaptureError> {
    Capture::from_window(Window::stream(Cursor::new(bytes.to_vec())), Path::new("test.pcap"))
}

/// All packets, and the capture at its end.
fn read_all(bytes: &[u8]) -> (Vec<Owned>, Capture) {
    let mut capture = open(bytes).unwrap_or_else(|error| panic!("{error}"));
    let packets = owned(&mut capture);
    (packets, capture)
}

fn owned(capture: &mut Capture) -> Vec<Owned> {
    let mut packets = Vec::new();
    while let Some(record) = capture.next() {
        packets.push(Owned {
            frame: record.frame,
            ts: record.ts,
            interface: record.interface,
            link_type: record.link_type,
            wire_len: record.wire_len,
            data: record.data.to_vec(),
        });
    }
    assert!(capture.next().is_none(), "the end is the end");
    packets
}

/// The one problem of a capture.
fn only_problem(capture: &Capture) -> &Problem {
    match capture.problems() {
        [problem] => problem,
        other => panic!("one problem was expected: {other:?}"),
    }
}
