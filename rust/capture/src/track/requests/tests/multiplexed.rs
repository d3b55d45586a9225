//! HTTP/2 and gRPC on a made-up wire: streams side by side, messages in any frames, windows that run out.

use proptest::prelude::*;

use super::wire::{MS, Wire, duration, reason};
use crate::tables::requests::Request;

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const END_STREAM: u8 = 1;
const END_HEADERS: u8 = 4;

fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let len = (payload.len() as u32).to_be_bytes();
    [&len[1..], &[kind, flags], &stream.to_be_bytes(), payload].concat()
}

/// A literal field without indexing and without Huffman.
fn field(name: &str, value: &str) -> Vec<u8> {
    [&[0, name.len() as u8], name.as_bytes(), &[value.len() as u8], value.as_bytes()].concat()
}

fn ask(stream: u32, path: &str) -> Vec<u8> {
    let block = [vec![0x83], field(":path", path), field("content-type", "application/grpc")].concat();
    frame(1, END_STREAM | END_HEADERS, stream, &block)
}

fn answer(stream: u32, kind: &str) -> Vec<u8> {
    frame(1, END_HEADERS, stream, &[vec![0x88], field("content-type", kind)].concat())
}

fn message(text: &str) -> Vec<u8> {
    [&[0], (text.len() as u32).to_be_bytes().as_slice(), text.as_bytes()].concat()
}

fn trailers(stream: u32) -> Vec<u8> {
    frame(1, END_STREAM | END_HEADERS, stream, &field("grpc-status", "0"))
}

#[test]
fn two_calls_at_a_time_have_their_own_phases() {
    let mut wire = Wire::open();
    wire.send(true, &[PREFACE, &frame(4, 0, 0, &[]), &ask(1, "/a")].concat());
    wire.now += 2 * MS;
    wire.send(true, &ask(3, "/b"));
    wire.now += 10 * MS;
    wire.send(false, &[answer(3, "application/grpc"), frame(0, 0, 3, &message("fast"))].concat());
    wire.now += 10 * MS;
    let (one, two) = (message("one"), message("two"));
    // A message over two frames, and two messages in one; with padding.
    wire.send(false, &[answer(1, "application/grpc"), frame(0, 0, 1, &one[..6])].concat());
    wire.now += 10 * MS;
    let padded = [&[3], &one[6..], &two, &[0; 3]].concat();
    wire.send(false, &[frame(0, 8, 1, &padded), trailers(3), trailers(1)].concat());
    let (requests, tokens) = wire.rows();
    let told: Vec<_> = requests
        .iter()
        .map(|r| {
            (r.protocol, r.stream, r.path.as_deref().unwrap(), r.tokens, r.ended, duration(r, "think").unwrap() / MS)
        })
        .collect();
    assert_eq!(
        told,
        [("grpc", Some(1), "/a", Some(2), "complete", 22), ("grpc", Some(3), "/b", Some(1), "complete", 10)]
    );
    assert_eq!(duration(&requests[0], "first"), Some(10 * MS));
    let bytes: Vec<_> = tokens.iter().map(|token| (token.request, token.bytes)).collect();
    assert_eq!(bytes, [(1, 4), (0, 3), (0, 3)]);
}

#[test]
fn a_window_that_is_used_up_is_told_and_a_cancelled_stream_is_not_complete() {
    let mut wire = Wire::open();
    wire.send(true, &[PREFACE, &ask(1, "/a")].concat());
    wire.send(false, &answer(1, "text/event-stream"));
    for _ in 0..4 {
        wire.send(false, &frame(0, 0, 1, &[b'x'; 16_384][..if wire.frame() < 8 { 16_384 } else { 16_383 }]));
    }
    wire.now += 70 * MS;
    wire.send(true, &[frame(8, 0, 0, &100_000_u32.to_be_bytes()), frame(8, 0, 1, &100_000_u32.to_be_bytes())].concat());
    wire.send(false, &frame(0, 0, 1, b"data: x\n\n"));
    wire.send(true, &frame(3, 0, 1, &[0, 0, 0, 8]));
    let (requests, _) = wire.rows();
    assert_eq!((requests[0].ended, duration(&requests[0], "flow_control")), ("cancelled", Some(70 * MS)));
}

#[test]
fn a_gap_in_a_header_leaves_the_path_unknown_and_the_next_stream_is_found_again() {
    let mut wire = Wire::open();
    let asked = [PREFACE, &ask(1, "/a")].concat();
    let lost = asked.len() - PREFACE.len() - 9;
    wire.send(true, &asked[..PREFACE.len() + 9]);
    wire.skip(true, lost);
    wire.send(false, &[answer(1, "application/grpc"), frame(0, 0, 1, &message("x")), trailers(1)].concat());
    wire.now += 10 * MS;
    wire.send(true, &ask(3, "/b"));
    let (requests, _) = wire.rows();
    assert!(requests[0].path.is_none());
    assert!(!reason(&requests[0]).is_empty());
    assert_eq!(requests.last().unwrap().path.as_deref(), Some("/b"));
}

fn gist(requests: &[Request]) -> Vec<String> {
    let of = |r: &Request| {
        format!("{:?} {:?} {:?} {} {} {}", r.path, r.status, r.tokens, r.ended, r.request_bytes, r.response_bytes)
    };
    requests.iter().map(of).collect()
}

proptest! {
    #[test]
    fn frames_are_the_same_however_they_are_cut(lens in prop::collection::vec(1_usize..30, 1..40)) {
        let up = [PREFACE, &frame(4, 0, 0, &[]), &ask(1, "/a"), &ask(3, "/b")].concat();
        let down = [
            frame(4, 0, 0, &[]), answer(3, "application/grpc"), frame(0, 0, 3, &[message("a"), message("bc")].concat()), answer(1, "application/grpc"),
            frame(0, 8, 1, &[&[2_u8][..], &message(""), &[0; 2]].concat()), trailers(1), trailers(3),
        ]
        .concat();
        let mut whole = Wire::open();
        whole.send(true, &up);
        whole.send(false, &down);
        let mut cut = Wire::open();
        let mut lens = lens.iter().cycle();
        for (from_client, said) in [(true, &up), (false, &down)] {
            let mut rest = said.as_slice();
            while !rest.is_empty() {
                let (part, after) = rest.split_at((*lens.next().unwrap()).min(rest.len()));
                cut.send(from_client, part);
                rest = after;
            }
        }
        let whole = gist(&whole.rows().0);
        prop_assert_eq!(whole.len(), 2);
        prop_assert_eq!(gist(&cut.rows().0), whole);
    }
}
