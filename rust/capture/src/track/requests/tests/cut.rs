//! However a conversation is cut into segments, reordered, repeated, truncated or replaced by noise: the same requests, or
//! fewer, and never a panic.

use proptest::prelude::*;

use super::wire::{ASK, END, MS, SSE, Wire, chunk, event};
use crate::tables::requests::Request;
use crate::tables::tokens::Token;

/// Turns of a conversation: who speaks, and what is said.
fn conversation() -> Vec<(bool, Vec<u8>)> {
    let plain = b"HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\nhello world!".to_vec();
    let chat = [
        SSE.to_vec(),
        event(": hi\n\n"),
        chunk("a"),
        event("data: {\"choices\":[{\"delta\":{\"content\":\"b\"}}]}\n\ndata: {\"choices\":[{\"delta\":{}}]}\n\n"),
        chunk("c\\n\\n"),
        END.to_vec(),
    ];
    let lines = b"HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nContent-Length: 56\r\n\r\n{\"response\":\"a\",\"done\":false}\n{\"response\":\"\",\"done\":true}"
        .to_vec();
    vec![
        (true, b"GET /models HTTP/1.1\r\nHost: llm\r\n\r\n".to_vec()),
        (false, plain),
        (true, ASK.to_vec()),
        (false, chat.concat()),
        (true, b"POST /api HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n".to_vec()),
        (false, lines),
    ]
}

/// What must not depend on the cut: everything but times, frames, and how events fall into rows.
fn gist((requests, tokens): (Vec<Request>, Vec<Token>)) -> Vec<String> {
    let of = |r: &Request| {
        let own = || tokens.iter().filter(|token| token.request == r.request);
        let events: u32 = own().map(|token| u32::from(token.events)).sum();
        let said: u32 = own().map(|token| u32::from(token.tokens)).sum();
        let bytes: u32 = own().map(|token| token.bytes).sum();
        format!(
            "{:?} {:?} {:?} {:?} {:?} {:?} {} {} {} {events} {said} {bytes} {:?}",
            r.method,
            r.path,
            r.host,
            r.status,
            r.counted,
            r.tokens,
            r.ended,
            r.request_bytes,
            r.response_bytes,
            r.reasons
        )
    };
    requests.iter().map(of).collect()
}

fn uncut() -> Vec<String> {
    let mut wire = Wire::open();
    for (from_client, said) in conversation() {
        wire.send(from_client, &said);
    }
    let gist = gist(wire.rows());
    assert_eq!(gist.len(), 3);
    gist
}

proptest! {
    #[test]
    fn a_conversation_is_the_same_however_it_is_cut_reordered_and_repeated(
        cuts in prop::collection::vec((1_usize..40, 0_usize..6, any::<bool>()), 1..60),
    ) {
        let mut wire = Wire::open();
        let mut cuts = cuts.iter().cycle();
        for (from_client, said) in conversation() {
            let mut segments = Vec::new();
            let mut rest = said.as_slice();
            while !rest.is_empty() {
                let (len, later, again) = *cuts.next().unwrap();
                let (part, after) = rest.split_at(len.min(rest.len()));
                let place = wire.skip(from_client, part.len());
                // It comes up to so many segments later, perhaps twice.
                segments.push((segments.len() + later, place, part));
                if again {
                    segments.push((segments.len() + 2 * later, place, part));
                }
                rest = after;
            }
            segments.sort_by_key(|(order, ..)| *order);
            for (_, place, part) in segments {
                wire.now += 1000;
                wire.late(from_client, place, part);
            }
        }
        prop_assert_eq!(gist(wire.rows()), uncut());
    }

    #[test]
    fn overlapping_segments_count_once(steps in prop::collection::vec((1_usize..50, 0_usize..50), 1..40)) {
        let mut wire = Wire::open();
        let mut steps = steps.iter().cycle();
        for (from_client, said) in conversation() {
            let (begin, ack) = wire.skip(from_client, said.len());
            let mut at = 0;
            while at < said.len() {
                let (forward, back) = *steps.next().unwrap();
                let from = at.saturating_sub(back);
                at = said.len().min(at + forward);
                wire.late(from_client, (begin.wrapping_add(from as u32), ack), &said[from..at]);
            }
        }
        prop_assert_eq!(gist(wire.rows()), uncut());
    }

    #[test]
    fn arbitrary_bytes_never_panic(
        mid_flow in any::<bool>(),
        snap in prop_oneof![Just(usize::MAX), 0_usize..60],
        segments in prop::collection::vec((any::<bool>(), 0_usize..12, prop::collection::vec(any::<u8>(), 0..80), -60_i32..200), 0..60),
    ) {
        let beginnings: [&[u8]; 12] = [
            b"", b"GET / HTTP/1.1\r\n", b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n", b"Transfer-Encoding: chunked\r\n\r\n", b"\r\n\r\n",
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"\0\0\x10\x01\x05\0\0\0\x01", b"\0\0\x20\0\x08\0\0\0\x01", b"\x16\x03\x01\0\x40\x01\0\0\x3c\x03\x03",
            b"\x17\x03\x03\0\x30", b"HTTP/1.1 101 x\r\nUpgrade: websocket\r\n\r\n\x81", b"data: {\"delta\":{\n\n",
        ];
        let mut wire = if mid_flow { Wire::new() } else { Wire::open() };
        wire.snap = snap;
        for (from_client, beginning, bytes, shift) in segments {
            let said = [beginnings[beginning], &bytes].concat();
            let (seq, ack) = wire.skip(from_client, said.len());
            wire.now += 3 * MS;
            let seq = if shift < 60 { seq } else { seq.wrapping_add_signed(shift - 100) };
            wire.late(from_client, (seq, ack), &said);
        }
        let (requests, tokens) = wire.rows();
        for token in tokens {
            prop_assert!((token.request as usize) < requests.len());
        }
    }
}

#[test]
fn a_conversation_cut_off_at_any_length_has_nothing_that_the_whole_has_not() {
    let whole: Vec<u8> = conversation().into_iter().flat_map(|(_, said)| said).collect();
    for len in 0..whole.len() {
        let mut wire = Wire::open();
        let mut left = len;
        for (from_client, said) in conversation() {
            let part = &said[..left.min(said.len())];
            left -= part.len();
            if !part.is_empty() {
                wire.send(from_client, part);
            }
        }
        let (requests, tokens) = wire.rows();
        assert!(requests.len() <= 3);
        for (request, path) in requests.iter().zip(["/models", "/v1/chat/completions", "/api"]) {
            assert!(path.starts_with(request.path.as_deref().unwrap_or_default()), "cut at {len}: {:?}", request.path);
        }
        assert!(tokens.iter().map(|token| token.tokens).sum::<u16>() <= 4);
    }
}

#[test]
fn payloads_cut_at_any_snap_length_never_give_a_token_that_is_not_there() {
    for snap in 0..400 {
        let mut wire = Wire::open();
        wire.snap = snap;
        for (from_client, said) in conversation() {
            wire.now += 10 * MS;
            wire.send(from_client, &said);
        }
        let (requests, _) = wire.rows();
        for request in &requests {
            assert!(request.tokens.is_none_or(|tokens| tokens <= 3), "cut to {snap}");
            if let (Some(token), Some(response)) = (request.first_token, request.response) {
                assert_eq!(token, response, "cut to {snap}: everything was in one segment");
            }
        }
    }
}
