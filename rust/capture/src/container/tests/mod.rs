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

use super::{Capture, Record, Walk};
use crate::error::{CaptureError, Problem};
use crate::map::Map;
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
    a_map_reads_the_same(bytes, &packets, &capture);
    (packets, capture)
}

/// A walk over a map finds the same packets and tells the same damage as a stream of the same bytes, also where another
/// walk goes on in between.
fn a_map_reads_the_same(bytes: &[u8], packets: &[Owned], capture: &Capture) {
    let Some(map) = Map::holding(bytes) else { return };
    let mapped = Capture::from_window(Window::over(map), Path::new("test.pcap")).unwrap();
    let Some(map) = mapped.map() else { return }; // compressed: that is a stream again
    let mut walk = Walk::over(mapped, &map);
    for (index, packet) in packets.iter().enumerate() {
        if index % 7 == 3 {
            walk = Walk::over(walk.into_capture(), &map);
        }
        assert_eq!(walk.next().map(|record| Owned::of(&record)).as_ref(), Some(packet));
    }
    assert!(walk.next().is_none() && walk.next().is_none(), "the end is the end");
    assert_eq!(walk.into_capture().problems(), capture.problems());
}

impl Owned {
    fn of(record: &Record<'_>) -> Self {
        Self {
            frame: record.frame,
            ts: record.ts,
            interface: record.interface,
            link_type: record.link_type,
            wire_len: record.wire_len,
            data: record.data.to_vec(),
        }
    }
}

fn owned(capture: &mut Capture) -> Vec<Owned> {
    let mut packets = Vec::new();
    while let Some(record) = capture.next() {
        packets.push(Owned::of(&record));
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
