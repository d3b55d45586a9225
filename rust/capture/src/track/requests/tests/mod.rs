//! Requests on a made-up wire: what each phase is, and what loss and missing bytes do to it.

mod cut;
mod encrypted;
mod multiplexed;
mod wire;

use self::wire::{ASK, CLIENT, END, MS, SERVER, SSE, Wire, chunk, duration, event, reason};
use crate::address::Address;
use crate::track::requests::Kind;
use crate::track::requests::dns::message_for_tests as dns_message;

#[test]
fn headers_comments_and_a_role_are_before_the_first_token() {
    let mut wire = Wire::open();
    wire.now = 10 * MS;
    wire.send(true, &ASK[..60]);
    wire.now = 14 * MS;
    wire.send(true, &ASK[60..]);
    wire.now = 15 * MS;
    wire.ack(false);
    wire.now = 20 * MS;
    wire.send(false, SSE);
    wire.now = 120 * MS;
    wire.send(false, &event(": keep-alive\n\n"));
    wire.now = 220 * MS;
    wire.send(false, &event("data: {\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}\n\n"));
    wire.now = 300 * MS;
    wire.send(false, &chunk("a"));
    let first = wire.frame();
    wire.now = 310 * MS;
    wire.send(false, &chunk("b"));
    wire.now = 350 * MS;
    wire.send(false, &[chunk("c"), END.to_vec()].concat());
    let (requests, tokens) = wire.rows();
    let request = &requests[0];
    let phases = ["connect", "upload", "acked", "think", "first", "ttft", "total", "tail"];
    let phases = phases.map(|phase| duration(request, phase).unwrap() / MS);
    assert_eq!(phases, [1, 4, 1, 6, 280, 291, 340, 0]);
    assert_eq!((request.tokens, request.counted, request.first_token.unwrap().frame), (Some(3), Some("openai"), first));
    assert_eq!((duration(request, "gap_min"), duration(request, "gap_max")), (Some(10 * MS), Some(40 * MS)));
    let kinds: Vec<_> = tokens.iter().map(|token| token.kind).collect();
    assert_eq!(kinds, [Kind::Comment, Kind::Empty, Kind::Token, Kind::Token, Kind::Token, Kind::Done]);
    assert_eq!(reason(request), "");
}

#[test]
fn a_segment_lost_before_the_tap_holds_back_what_follows_it() {
    let mut wire = Wire::open();
    wire.send(true, ASK);
    let lost = wire.skip(false, SSE.len());
    wire.now = 50 * MS;
    wire.send(false, &chunk("a"));
    wire.now = 250 * MS;
    wire.late(false, lost, SSE);
    let filled = wire.frame();
    let (requests, tokens) = wire.rows();
    assert_eq!(requests[0].hol_before, 200 * MS);
    assert_eq!((requests[0].hol_after, requests[0].hol_beyond), (0, 0));
    assert_eq!((tokens[0].frame, tokens[0].ts.known()), (filled, Some(250 * MS)));
    assert_eq!(requests[0].tokens, Some(1));
}

#[test]
fn a_repeat_of_what_passed_and_was_not_acknowledged_is_loss_beyond_the_tap() {
    let mut wire = Wire::open();
    wire.send(true, ASK);
    wire.send(false, &[SSE, &chunk("a")].concat());
    wire.ack(true);
    let again = wire.skip(false, 0);
    wire.now = 10 * MS;
    wire.send(false, &chunk("b"));
    wire.now = 230 * MS;
    wire.late(false, again, &chunk("b"));
    wire.ack(true);
    wire.now = 300 * MS;
    wire.late(false, again, &chunk("b"));
    let (requests, tokens) = wire.rows();
    assert_eq!((requests[0].hol_before, requests[0].hol_after, requests[0].hol_beyond), (0, 220 * MS, 220 * MS));
    assert_eq!((tokens.len(), requests[0].tokens), (2, Some(2)));
}

#[test]
fn segments_lost_together_hold_a_request_up_once() {
    let mut wire = Wire::open();
    wire.send(true, ASK);
    wire.send(false, SSE);
    wire.ack(true);
    let lost: Vec<_> = (0..10).map(|_| wire.skip(false, chunk("a").len())).collect();
    for place in &lost {
        wire.late(false, *place, &chunk("a"));
    }
    wire.now = 300 * MS;
    for place in &lost {
        wire.late(false, *place, &chunk("a"));
        wire.now += MS;
    }
    wire.ack(true);
    let (requests, _) = wire.rows();
    let held_up = requests[0].hol_before + requests[0].hol_after;
    assert_eq!((held_up / MS, requests[0].hol_beyond / MS), (308, 308));
}

#[test]
fn what_the_capture_lost_makes_counts_unknown_and_never_wrong() {
    let mut wire = Wire::open();
    wire.send(true, ASK);
    wire.send(false, SSE);
    wire.skip(false, chunk("a").len());
    wire.now = 10 * MS;
    wire.send(false, &chunk("b"));
    wire.ack(true); // of everything: the client has what is missing here
    wire.now = 20 * MS;
    wire.send(false, &[chunk("c"), END.to_vec()].concat());
    wire.now = 30 * MS;
    wire.send(true, ASK);
    wire.send(false, &[SSE, &chunk("a"), END].concat());
    let (requests, _) = wire.rows();
    assert_eq!(requests.len(), 2);
    assert_eq!((requests[0].tokens, duration(&requests[0], "ttft")), (None, None));
    assert!(reason(&requests[0]).contains("a gap was not captured"));
    assert_eq!((requests[1].tokens, requests[1].ended), (Some(1), "complete"));
}

#[test]
fn a_short_snap_length_leaves_the_request_line_and_the_times() {
    let mut wire = Wire::open();
    wire.snap = 42;
    wire.send(true, ASK);
    wire.now += 30 * MS;
    wire.send(false, SSE);
    wire.now += 30 * MS;
    wire.send(false, &chunk("a"));
    wire.now += 30 * MS;
    wire.send(true, ASK);
    let (requests, tokens) = wire.rows();
    assert_eq!(requests.len(), 2);
    assert_eq!(requests[0].path.as_deref(), Some("/v1/chat/completions"));
    assert_eq!((requests[0].status, duration(&requests[0], "think")), (Some(200), Some(30 * MS)));
    assert_eq!((requests[0].tokens, duration(&requests[0], "ttft"), tokens.len()), (None, None, 0));
    assert!(reason(&requests[0]).contains("snap length"));
}

#[test]
fn pipelined_requests_head_and_bodiless_statuses_are_paired_in_order() {
    let mut wire = Wire::open();
    wire.send(true, b"HEAD /a HTTP/1.1\r\n\r\nGET /b HTTP/1.1\r\n\r\nGET /c HTTP/1.1\r\n\r\nGET /d HTTP/1.1\r\n\r\n");
    wire.send(
        false,
        b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nHTTP/1.1 204 No\r\n\r\n",
    );
    wire.send(false, b"HTTP/1.1 304 Not\r\nContent-Length: 3\r\n\r\nHTTP/1.1 404 No\r\nContent-Length: 2\r\n\r\nno");
    let (requests, _) = wire.rows();
    let seen: Vec<_> = requests.iter().map(|r| (r.path.as_deref().unwrap(), r.status.unwrap(), r.ended)).collect();
    assert_eq!(
        seen,
        [("/a", 200, "complete"), ("/b", 204, "complete"), ("/c", 304, "complete"), ("/d", 404, "complete")]
    );
}

#[test]
fn a_response_before_any_request_has_a_row_that_says_so() {
    let mut wire = Wire::new();
    wire.send(false, b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    wire.send(true, b"GET /next HTTP/1.1\r\n\r\n");
    wire.send(false, b"HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n");
    let (requests, _) = wire.rows();
    assert_eq!((requests.len(), requests[0].status, requests[1].status), (2, Some(200), Some(500)));
    assert!(reason(&requests[0]).starts_with("the capture begins in mid-flow; the request was not seen"));
    assert_eq!(duration(&requests[0], "think"), None);
}

#[test]
fn what_is_no_response_is_none_in_whatever_segments_it_comes() {
    let answer = b"http/1.1 200 ok\r\nContent-Length: 2\r\n\r\nok";
    let told = |first: usize| {
        let mut wire = Wire::open();
        wire.send(true, b"GET / HTTP/1.1\r\n\r\n");
        wire.send(false, &answer[..first]);
        wire.send(false, &answer[first..]);
        let (requests, _) = wire.rows();
        (requests.len(), requests[0].status, requests[0].response_bytes, reason(&requests[0]))
    };
    for first in 1..answer.len() {
        assert_eq!(told(first), told(answer.len()), "a first segment of {first} bytes");
    }
    assert_eq!(told(3).1, None);
}

#[test]
fn a_stream_of_ollama_ends_with_its_connection_and_a_reset_is_told() {
    let mut wire = Wire::open();
    wire.send(true, b"POST /api/generate HTTP/1.0\r\n\r\n");
    wire.send(
        false,
        b"HTTP/1.0 200 OK\r\nContent-Type: application/x-ndjson\r\n\r\n{\"response\":\"a\",\"done\":false}\n",
    );
    wire.now += MS;
    wire.send(false, b"{\"response\":\"b\",\"done\":false}\n{\"response\":\"\",\"done\":true}\n");
    wire.close();
    let (requests, tokens) = wire.rows();
    assert_eq!((requests[0].tokens, requests[0].counted, requests[0].ended), (Some(2), Some("ollama"), "complete"));
    assert_eq!((tokens.len(), tokens[1].events), (2, 2));

    let mut wire = Wire::open();
    wire.send(true, ASK);
    wire.send(false, &[SSE, &chunk("a")].concat());
    wire.reset();
    let (requests, _) = wire.rows();
    assert_eq!((requests[0].ended, duration(&requests[0], "total")), ("reset", None));
}

#[test]
fn a_websocket_has_its_messages_as_chunks_and_pings_are_no_tokens() {
    let mut wire = Wire::open();
    wire.send(true, b"GET /ws HTTP/1.1\r\nUpgrade: websocket\r\n\r\n");
    wire.send(false, b"HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\n\r\n");
    wire.send(true, b"\x81\x82abcdxy");
    wire.now += 5 * MS;
    wire.send(false, b"\x89\0\x01\x02he\x80\x03llo\x81\x7e\0\x80");
    wire.now += 5 * MS;
    wire.send(false, &[b'x'; 128]);
    wire.send(false, b"\x88\0");
    let (requests, tokens) = wire.rows();
    assert_eq!((requests[0].protocol, requests[0].tokens), ("websocket", Some(2)));
    let kinds: Vec<_> = tokens.iter().map(|token| (token.kind, token.bytes)).collect();
    assert_eq!(kinds, [(Kind::Comment, 0), (Kind::Token, 5), (Kind::Token, 128), (Kind::Comment, 0)]);
}

#[test]
fn a_lookup_with_a_retry_and_a_lost_syn_belong_to_the_first_request() {
    let resolver = (Address::V4([10, 0, 0, 53]), 53);
    let asker = (CLIENT.0, 5353);
    let Address::V4(server) = SERVER.0 else { panic!() };
    let mut wire = Wire::new();
    wire.datagram(asker, resolver, &dns_message(7, &[]));
    wire.now = 5000 * MS;
    wire.datagram(asker, resolver, &dns_message(7, &[]));
    wire.now = 5002 * MS;
    wire.datagram(resolver, asker, &dns_message(7, &[server]));
    wire.now = 5003 * MS;
    wire.lost_syn();
    wire.now = 6003 * MS;
    wire.handshake();
    for _ in 0..2 {
        wire.send(true, b"GET / HTTP/1.1\r\n\r\n");
        wire.send(false, b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    }
    let (requests, _) = wire.rows();
    let [dns, first, second] = &requests[..] else { panic!() };
    assert_eq!(
        (dns.protocol, dns.host.as_deref(), dns.dns, dns.dns_retries),
        ("dns", Some("gpu.lan"), Some(5002 * MS), Some(1))
    );
    assert_eq!((first.dns, first.dns_retries), (Some(5002 * MS), Some(1)));
    assert_eq!((first.connect, first.syn_retries), (Some(1001 * MS), Some(1)));
    assert_eq!((second.dns, second.connect, second.syn_retries), (None, None, None));
}

#[test]
fn too_much_behind_a_hole_is_a_problem_and_the_rest_is_still_read() {
    let mut wire = Wire::open();
    wire.send(true, ASK);
    wire.send(false, b"HTTP/1.1 200 OK\r\nContent-Length: 400000\r\n\r\n");
    wire.skip(false, 1000);
    for _ in 0..399 {
        wire.send(false, &[b'x'; 1000]);
    }
    wire.send(true, b"GET /next HTTP/1.1\r\n\r\n");
    let (requests, _, problems) = wire.all();
    assert_eq!((requests.len(), requests[0].ended, requests[0].response_bytes), (2, "complete", 400_043));
    assert!(problems[0].what.contains("holes in TCP streams"));
}
