//! The fuzz targets in every run of the tests: on arbitrary bytes, and on scripts that reach the trackers.

use std::collections::BTreeSet;
use std::path::Path;

use proptest::prelude::*;

use super::reel::Reel;
use super::{TARGETS, control, fragments, rdma, requests, tcp, whole};
use crate::decode::decode;
use crate::fragments::Fragments;
use crate::track::{Settings, Tracked};

/// A script: its first byte, and pieces of control, time and body.
fn script() -> impl Strategy<Value = Vec<u8>> {
    let time = prop_oneof![Just(0u8), 1..96u8, any::<u8>()];
    let byte = prop_oneof![Just(0u8), Just(1), any::<u8>()];
    let body = prop::collection::vec(byte, 0..48);
    let piece = (any::<u8>(), time, body).prop_map(|(control, time, body)| [&[control, time][..], &body].concat());
    let pieces = prop::collection::vec(piece, 0..40);
    (any::<u8>(), pieces).prop_map(|(first, pieces)| [&[first][..], &pieces.join(&[0xa5, 0x5a][..])].concat())
}

/// A test for each target, so that each fails alone.
macro_rules! holds {
    ($($target:ident)*) => {$(
        proptest! {
            #![proptest_config(ProptestConfig::with_cases(64))]

            #[test]
            fn $target(bytes in prop::collection::vec(any::<u8>(), 0..600), script in script()) {
                run(stringify!($target), &bytes);
                run(stringify!($target), &script);
            }
        }
    )*};
}

/// No promise is broken by arbitrary bytes and by scripts of packets.
mod no_promise_is_broken {
    use proptest::prelude::*;

    use super::script;
    use crate::properties::run;

    holds!(pcap pcapng unpack packet pickle track tcp requests control rdma pauses fragments tunnels taps);
}

#[test]
fn every_target_has_a_program_for_the_fuzzer() {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz");
    let manifest = std::fs::read_to_string(fuzz.join("Cargo.toml")).unwrap();
    let named = |line: &str| line.strip_prefix("path = \"fuzz_targets/")?.strip_suffix(".rs\"").map(str::to_owned);
    let programs: BTreeSet<String> = manifest.lines().filter_map(named).collect();
    assert_eq!(programs, TARGETS.iter().map(|(name, _)| (*name).to_owned()).collect());
    for (name, _) in TARGETS {
        let program = std::fs::read_to_string(fuzz.join(format!("fuzz_targets/{name}.rs"))).unwrap();
        assert!(program.contains(&format!("capture::properties::run(\"{name}\", input)")), "{name}");
    }
}

/// A script of these pieces: control, code of time, body.
fn written(pieces: &[(u8, u8, &[u8])]) -> Vec<u8> {
    let pieces = pieces.iter().map(|(control, time, body)| [&[*control, *time][..], *body].concat());
    pieces.collect::<Vec<_>>().join(&[0xa5, 0x5a][..])
}

fn tables(reel: &Reel) -> Tracked {
    whole::check(&reel.frames, &Settings::default())
}

#[test]
fn a_script_of_segments_is_a_connection_with_its_resends() {
    let syn: &[u8] = &[2, 0, 0, 0, 60, 0, 1, 7];
    let data: &[u8] = &[0, 0, 0, 20, 60, 0, 0];
    let again: &[u8] = &[0, (-10i8) as u8, 0, 20, 60, 0, 0];
    let script = [(16, 0, syn), (1, 40, syn), (0, 40, &[0, 0, 0, 0, 60][..]), (0, 1, data), (0, 85, again)];
    let tables = tables(&tcp::capture(&written(&script)));
    let [row] = &tables.tcp_connections[..] else { panic!("{:?}", tables.tcp_connections) };
    assert_eq!((row.opened, row.client.bytes, row.client.retransmissions), ("handshake", 2000, 1));
    assert_eq!(row.handshake_to_server, Some(256_000));
}

#[test]
fn a_script_of_payloads_is_a_request_with_its_lookup() {
    let ask = b"GET /v1 HTTP/1.1\r\nHost: a\r\n\r\n";
    let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    let query = b"\0\x07\x01\0\0\x01\0\0\0\0\0\0\x01a\0\0\x01\0\x01";
    let script = [(3 << 3, 0, &query[..]), (0, 40, &ask[..]), (1, 40, &answer[..])];
    let tables = tables(&requests::capture(1, &written(&script)));
    let rows: Vec<_> = tables.requests.iter().map(|row| (row.protocol, row.status)).collect();
    assert_eq!(rows, [("dns", None), ("http/1.1", Some(200))]);
}

#[test]
fn a_script_of_messages_is_a_neighbour_and_a_lost_session() {
    let announcement = b"\x02\x07\x04\x02\0\0\0\0\x01\x04\x05\x05swp1\x06\x02\0\x78\0\0";
    let notification = [&[0xff; 16][..], &[0, 21, 3, 6, 2]].concat();
    let script = [(0, 0, &announcement[..]), (9, 1, &notification[..])];
    let tables = tables(&control::capture(&written(&script)));
    assert_eq!(tables.neighbours.len(), 1);
    assert!(tables.control_events.iter().any(|event| event.fact.protocol == "bgp"), "{:?}", tables.control_events);
}

#[test]
fn a_script_of_requests_and_answers_is_a_queue_pair_with_its_loss() {
    let send: &[u8] = &[4, 0, 0, 4, 1];
    let skipped: &[u8] = &[4, 1, 0, 4, 1];
    let nak: &[u8] = &[0x11, (-2i8) as u8, 0, 0, 0, 0x60, 0, 0];
    let ack = |back: i8| [0x11, back as u8, 0, 0, 0, 0x1f, 0, 1];
    let resend: &[u8] = &[4, (-2i8) as u8, 0, 4, 1];
    let last: &[u8] = &[4, (-1i8) as u8, 0, 4, 1];
    let mut script: Vec<(u8, u8, &[u8])> = Vec::new();
    let (before, after) = (ack(-1), ack(-1));
    for _ in 0..4 {
        script.extend([(0, 1, send), (1, 1, &before[..])]);
    }
    script.extend([(0, 1, skipped), (1, 1, nak), (0, 1, resend), (0, 1, last), (1, 1, &after[..])]);
    let tables = tables(&rdma::capture(&written(&script)));
    assert_eq!((tables.roce_qps.len(), tables.loss_episodes.len()), (1, 1));
    assert_eq!(tables.roce_qps[0].bad_icrc, 0, "the ICRCs are right");
}

#[test]
fn a_script_of_fragments_is_datagrams_whose_parts_know_the_first() {
    let first = [&[0, 0, 0x9c, 0x40, 0, 80][..], &[0; 20]].concat();
    let later = [&[0, 3][..], &[0; 24]].concat();
    let reel = fragments::capture(&written(&[(4 | 16, 0, &first[..]), (4, 1, &later[..])]));
    let mut known = Fragments::default();
    let mut datagrams = Vec::new();
    for (frame, bytes) in (1..).zip(&reel.frames) {
        let mut packet = decode(1, &bytes.bytes, bytes.wire_len);
        known.complete(frame, Some(bytes.ts), &mut packet);
        datagrams.push(packet.fragment.and_then(|fragment| fragment.datagram).map(u64::from));
    }
    assert_eq!(datagrams, [Some(1), Some(1)]);
}
