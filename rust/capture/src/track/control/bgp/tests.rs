use super::super::tests::{Tap, cuts, kinds, over_ipv4, tcp};

const A: [u8; 4] = [10, 0, 0, 1];
const B: [u8; 4] = [10, 0, 0, 2];

fn message(kind: u8, body: &[u8]) -> Vec<u8> {
    [&[0xff; 16][..], &(19 + body.len() as u16).to_be_bytes(), &[kind], body].concat()
}

fn open() -> Vec<u8> {
    let capability = [2, 6, 65, 4, 0xfa, 0x56, 0xea, 0x01];
    message(1, &[&[4, 0x5b, 0xa0, 0, 9, 10, 0, 0, 1, capability.len() as u8][..], &capability].concat())
}

fn to_b(seq: u32, flags: u8, payload: &[u8]) -> Vec<u8> {
    over_ipv4(A, B, 6, &tcp((40_000, 179), seq, flags, payload))
}

#[test]
fn an_open_tells_as_number_router_and_hold_time() {
    let mut tap = Tap::default();
    tap.sees(0, &to_b(1, 0x18, &open()));
    let events = tap.events();
    assert_eq!(kinds(&events), [("bgp", "open", 1)]);
    assert_eq!(events[0].detail, "AS 4200000001, router 10.0.0.1, version 4, proposes hold time 9 s");
}

#[test]
fn a_notification_is_named_wherever_in_the_stream_it_begins() {
    let update = message(2, &[0; 200]);
    let (front, back) = update.split_at(100);
    let end = [back, &message(3, &[4, 0])].concat();
    let mut tap = Tap::default();
    tap.sees(0, &to_b(1, 0x18, front));
    tap.sees(0, &to_b(101, 0x18, &end));
    let events = tap.events();
    assert_eq!(kinds(&events), [("bgp", "notification", 1)]);
    assert_eq!(events[0].fact.code, Some(4));
    assert!(events[0].detail.contains("hold timer expired"), "{}", events[0].detail);
}

#[test]
fn what_is_sent_again_is_counted_once() {
    let mut tap = Tap::default();
    for _ in 0..3 {
        tap.sees(0, &to_b(1, 0x18, &message(3, &[6, 2])));
    }
    let events = tap.events();
    assert_eq!(kinds(&events), [("bgp", "notification", 1)]);
    assert!(events[0].detail.contains("administrative shutdown"), "{}", events[0].detail);
}

#[test]
fn a_reset_ends_a_session_and_a_refused_port_is_none() {
    let mut tap = Tap::default();
    tap.sees(0, &to_b(1, 0x18, &open()));
    tap.sees(0, &over_ipv4(B, A, 6, &tcp((179, 40_000), 1, 0x14, b"")));
    assert_eq!(kinds(&tap.events()), [("bgp", "open", 1), ("bgp", "session reset", 1)]);
    let mut refused = Tap::default();
    refused.sees(0, &to_b(1, 0x02, b""));
    refused.sees(0, &over_ipv4(B, A, 6, &tcp((179, 40_000), 0, 0x14, b"")));
    assert!(refused.events().is_empty());
}

#[test]
fn after_a_gap_reading_begins_anew_at_a_marker() {
    let mut tap = Tap::default();
    tap.sees(0, &to_b(1, 0x18, &message(2, &[0; 50])));
    tap.sees(0, &to_b(5000, 0x18, &message(3, &[6, 9])));
    assert_eq!(kinds(&tap.events()), [("bgp", "notification", 1)]);
}

#[test]
fn a_cut_message_is_not_told() {
    let all = cuts(&to_b(1, 0x18, &open()));
    let whole = all.len() - 1;
    for (len, (_, events)) in all.into_iter().enumerate() {
        assert_eq!(events.len(), usize::from(len == whole), "{len}");
    }
}
