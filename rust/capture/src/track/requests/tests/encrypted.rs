//! TLS on a made-up wire: exact handshakes, and of what is inside intervals or nothing.

use super::wire::{MS, Wire, duration, reason};
use crate::tables::requests::Request;

fn record(kind: u8, content: &[u8]) -> Vec<u8> {
    [&[kind, 3, 3], (content.len() as u16).to_be_bytes().as_slice(), content].concat()
}

fn data(len: usize) -> Vec<u8> {
    record(23, &vec![0xee; len])
}

fn vector<const N: usize>(content: &[u8]) -> Vec<u8> {
    let len = (content.len() as u32).to_be_bytes();
    [&len[4 - N..], content].concat()
}

fn hello(kind: u8, extensions: &[(u16, Vec<u8>)]) -> Vec<u8> {
    let extensions: Vec<u8> = extensions
        .iter()
        .flat_map(|(id, content)| [id.to_be_bytes().to_vec(), vector::<2>(content)].concat())
        .collect();
    let choice = if kind == 1 { [vector::<2>(&[0x13, 1]), vector::<1>(&[0])].concat() } else { vec![0x13, 1, 0] };
    let body = [vec![3, 3], vec![7; 32], vector::<1>(&[]), choice, vector::<2>(&extensions)].concat();
    record(22, &[vec![kind], vector::<3>(&body)].concat())
}

/// TLS 1.3 up to the client's Finished: 1 ms to the `ServerHello`, 1 ms more.
fn handshake(alpn: &[&str]) -> Wire {
    let names: Vec<u8> = alpn.iter().flat_map(|name| vector::<1>(name.as_bytes())).collect();
    let name = vector::<2>(&[vec![0], vector::<2>(b"llm.example")].concat());
    let mut wire = Wire::open();
    wire.send(true, &hello(1, &[(0, name), (16, vector::<2>(&names)), (43, vec![2, 3, 4])]));
    wire.now += MS;
    wire.send(false, &[hello(2, &[(43, vec![3, 4])]), record(20, &[1]), data(2000)].concat());
    wire.now += MS;
    wire.send(true, &[record(20, &[1]), data(53)].concat());
    wire
}

/// A request, headers after 10 ms, twenty tokens from 400 ms on.
fn ask(wire: &mut Wire) {
    wire.send(true, &data(900));
    wire.now += 10 * MS;
    wire.send(false, &data(320));
    wire.now += 390 * MS;
    for n in 0..20 {
        wire.send(false, &data(210 + n % 5));
        wire.now += 20 * MS;
    }
}

fn ms(request: &Request, column: &str) -> Option<i64> {
    duration(request, column).map(|span| span / MS)
}

#[test]
fn over_http_1_the_first_token_is_an_interval_between_headers_and_cadence() {
    let mut wire = handshake(&["http/1.1"]);
    ask(&mut wire);
    ask(&mut wire);
    let (requests, tokens) = wire.rows();
    let [first, second] = &requests[..] else { panic!("{requests:?}") };
    assert_eq!(
        (first.host.as_deref(), first.tls_version, first.alpn.as_deref()),
        (Some("llm.example"), Some("1.3"), Some("http/1.1"))
    );
    assert_eq!((ms(first, "tls"), ms(second, "tls")), (Some(2), None));
    for request in [first, second] {
        assert_eq!((ms(request, "ttft_earliest"), ms(request, "ttft_latest")), (Some(10), Some(400)));
        assert_eq!((ms(request, "ttft"), request.tokens), (None, None));
    }
    // The first record after a handshake may be a session ticket; later ones are not.
    assert_eq!((ms(first, "think"), ms(second, "think")), (None, Some(10)));
    assert!(tokens.is_empty());
}

#[test]
fn where_h2_may_run_several_requests_none_of_them_is_told() {
    let mut wire = handshake(&["h2", "http/1.1"]);
    ask(&mut wire);
    ask(&mut wire);
    let (requests, _) = wire.rows();
    assert_eq!(requests.len(), 1);
    for column in ["upload", "acked", "think", "ttft", "ttft_earliest", "ttft_latest", "gap_median"] {
        assert_eq!(duration(&requests[0], column), None, "{column}");
    }
    assert_eq!(ms(&requests[0], "tls"), Some(2));
    assert!(reason(&requests[0]).contains("multiplexed"));
}

#[test]
fn a_single_request_over_h2_has_its_interval_and_control_frames_are_none() {
    let mut wire = handshake(&["h2"]);
    ask(&mut wire);
    for control in [26, 30, 34] {
        wire.send(true, &data(control));
    }
    let (requests, _) = wire.rows();
    assert_eq!(
        (requests.len(), ms(&requests[0], "ttft_earliest"), ms(&requests[0], "ttft_latest")),
        (1, Some(10), Some(400))
    );
    assert_eq!(ms(&requests[0], "think"), None);
}

#[test]
fn a_handshake_cut_at_any_snap_length_gives_no_wrong_name_or_version() {
    for snap in 0..200 {
        let mut wire = Wire::open();
        wire.snap = snap;
        let name = vector::<2>(&[vec![0], vector::<2>(b"llm.example")].concat());
        wire.send(true, &hello(1, &[(0, name)]));
        wire.send(false, &[hello(2, &[(43, vec![3, 4])]), data(500)].concat());
        wire.send(true, &data(53));
        for request in wire.rows().0 {
            assert!(request.host.is_none_or(|host| &*host == "llm.example"), "cut to {snap}");
            assert!(matches!(request.tls_version, None | Some("1.3")), "cut to {snap}");
        }
    }
}
