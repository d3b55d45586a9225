use super::super::tests::{Tap, cuts, kinds, over_ipv4, udp};

const A: [u8; 4] = [10, 0, 0, 1];
const B: [u8; 4] = [10, 0, 0, 2];

fn control(diagnostic: u8, state: u8) -> Vec<u8> {
    let intervals = [50_000_u32, 50_000, 0].map(u32::to_be_bytes).concat();
    let packet = [&[0x20 | diagnostic, state << 6, 3, 24, 0, 0, 0, 7, 0, 0, 0, 9][..], &intervals].concat();
    over_ipv4(A, B, 17, &udp(49_152, 3784, &packet))
}

#[test]
fn a_session_that_goes_down_names_its_diagnostic() {
    let mut tap = Tap::default();
    for (diagnostic, state) in [(0, 3), (0, 3), (1, 1), (1, 1), (0, 2), (0, 3)] {
        tap.sees(0, &control(diagnostic, state));
    }
    let events = tap.events();
    assert_eq!(kinds(&events), [("bfd", "down", 1), ("bfd", "init", 1), ("bfd", "up", 1)]);
    assert_eq!(events[0].frame, 3);
    assert_eq!((events[0].fact.before.as_deref(), events[0].fact.code), (Some("Up"), Some(1)));
    assert_eq!(
        events[0].detail,
        "session 0x00000007 to 0x00000009 was Up, is Down: control detection time expired; sends every 50000 µs, 3 missed make 150000 µs"
    );
}

#[test]
fn a_session_that_is_up_is_no_event_and_one_found_down_is() {
    let first = |state| {
        let mut tap = Tap::default();
        tap.sees(0, &control(0, state));
        kinds(&tap.events())
    };
    assert!(first(3).is_empty());
    assert_eq!(first(1), [("bfd", "down", 1)]);
    assert_eq!(first(0), [("bfd", "admin down", 1)]);
}

#[test]
fn a_packet_that_its_receiver_would_discard_says_nothing() {
    let all = cuts(&control(1, 1));
    let whole = all.len() - 1;
    for (len, (_, events)) in all.into_iter().enumerate() {
        assert_eq!(events.len(), usize::from(len == whole), "{len}");
    }
    let mut other_version = control(1, 1);
    other_version[42] = 0x41;
    let mut tap = Tap::default();
    tap.sees(0, &other_version);
    assert!(tap.events().is_empty());
}
