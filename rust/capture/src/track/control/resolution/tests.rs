use super::super::tests::{BROADCAST, SECOND, Tap, ethernet, ipv6, kinds, mac, tagged};
use super::*;

const REQUEST: u8 = 1;
const REPLY: u8 = 2;

/// ARP among hosts 10.0.0.N.
fn arp(operation: u8, (src, src_ip): (u8, u8), (dst, dst_ip): (u8, u8)) -> Vec<u8> {
    let ip = |last| if last == 0 { [0; 4] } else { [10, 0, 0, last] };
    let (to, target) = if dst == 0 { (BROADCAST, [0; 6]) } else { (mac(dst), mac(dst)) };
    let body = [&[0, 1, 8, 0, 6, 4, 0, operation][..], &mac(src), &ip(src_ip), &target, &ip(dst_ip)].concat();
    ethernet(to, mac(src), 0x0806, &body)
}

fn told(frames: &[(i64, Vec<u8>)]) -> Vec<crate::tables::control_events::ControlEvent> {
    let mut tap = Tap::default();
    for (second, frame) in frames {
        tap.sees(second * SECOND, frame);
    }
    tap.events()
}

#[test]
fn an_address_that_two_hosts_claim_in_turns_is_a_conflict() {
    let claim = |host| arp(REPLY, (host, 7), (1, 1));
    let events = told(&[(0, claim(5)), (1, claim(6)), (2, claim(5)), (3, claim(6))]);
    assert_eq!(kinds(&events), [("arp", "address moved", 1), ("arp", "address conflict", 2)]);
    let fact = &events[1].fact;
    assert_eq!(fact.subject.as_deref(), Some("10.0.0.7"));
    assert_eq!((fact.before.as_deref(), fact.after.as_deref()), (Some("02:00:00:00:00:05"), Some("02:00:00:00:00:06")));
}

#[test]
fn an_address_that_goes_to_another_host_once_has_moved() {
    let events = told(&[(0, arp(REPLY, (5, 7), (1, 1))), (1, arp(REPLY, (6, 7), (1, 1)))]);
    assert_eq!(kinds(&events), [("arp", "address moved", 1)]);
}

#[test]
fn the_same_address_in_another_vlan_is_another_hosts() {
    let events = told(&[(0, tagged(10, &arp(REPLY, (5, 7), (1, 1)))), (1, tagged(20, &arp(REPLY, (6, 7), (1, 1))))]);
    assert!(events.is_empty(), "{events:?}");
}

#[test]
fn three_questions_without_answer_are_told_and_two_are_not() {
    let ask = || arp(REQUEST, (1, 1), (0, 9));
    let seen = (0, arp(REPLY, (2, 2), (1, 1)));
    assert!(told(&[seen.clone(), (1, ask()), (2, ask())]).is_empty());
    let events = told(&[seen, (1, ask()), (2, ask()), (3, ask())]);
    assert_eq!(kinds(&events), [("arp", "unanswered", 3)]);
    assert_eq!((events[0].frame, events[0].last_frame), (2, 4));
    assert_eq!(events[0].fact.subject.as_deref(), Some("10.0.0.9"));
    assert_eq!(events[0].fact.src, Some(Address::V4([10, 0, 0, 1])));
}

#[test]
fn a_tap_that_saw_nothing_go_to_the_asker_cannot_say_that_no_answer_came() {
    let ask = |second| (second, arp(REQUEST, (1, 1), (0, 9)));
    let events = told(&[ask(1), ask(2), ask(3)]);
    assert_eq!(kinds(&events), [("arp", "asked again", 3)]);
}

#[test]
fn an_answer_or_a_pause_ends_the_row_of_questions() {
    let ask = |second| (second, arp(REQUEST, (1, 1), (0, 9)));
    let answer = (4, arp(REPLY, (9, 9), (1, 1)));
    assert!(told(&[ask(1), ask(2), ask(3), answer]).is_empty());
    assert!(told(&[ask(1), ask(60), ask(120), ask(180)]).is_empty(), "that is how a cache is kept fresh");
}

#[test]
fn an_announcement_is_gratuitous_and_a_test_that_is_answered_a_duplicate() {
    let test = (0, arp(REQUEST, (5, 0), (0, 7)));
    let announcement = (2, arp(REQUEST, (5, 7), (0, 7)));
    assert_eq!(kinds(&told(&[test.clone(), announcement])), [("arp", "gratuitous", 1)]);
    let events = told(&[test, (0, arp(REPLY, (6, 7), (5, 0)))]);
    assert_eq!(kinds(&events), [("arp", "duplicate address", 1)]);
    assert!(events[0].detail.contains("02:00:00:00:00:05 wants to take 10.0.0.7, which 02:00:00:00:00:06 has"));
}

fn address(last: u8) -> [u8; 16] {
    let mut address = [0; 16];
    (address[0], address[1], address[15]) = (0xfe, 0x80, last);
    address
}

fn nd(of_type: u8, flags: u8, (host, src): (u8, [u8; 16]), (to, dst): ([u8; 6], [u8; 16]), target: u8) -> Vec<u8> {
    let option =
        if src == [0; 16] { Vec::new() } else { [&[if of_type == 135 { 1 } else { 2 }, 1][..], &mac(host)].concat() };
    let body = [&[of_type, 0, 0, 0, flags, 0, 0, 0][..], &address(target), &option].concat();
    ethernet(to, mac(host), 0x86dd, &ipv6(src, dst, 58, &body))
}

const ALL: ([u8; 6], [u8; 16]) = ([0x33, 0x33, 0, 0, 0, 1], [0xff, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);

#[test]
fn neighbour_discovery_is_judged_like_arp() {
    let ask = |second| (second, nd(135, 0, (1, address(1)), ALL, 9));
    let answer = |second| (second, nd(136, 0x60, (9, address(9)), (mac(1), address(1)), 9));
    assert!(told(&[ask(0), answer(1)]).is_empty());
    let other = (2, nd(136, 0x60, (8, address(9)), (mac(1), address(1)), 9));
    assert_eq!(kinds(&told(&[ask(0), answer(1), other])), [("nd", "address moved", 1)]);
    assert_eq!(kinds(&told(&[ask(0), answer(1), ask(60), ask(61), ask(62)])), [("nd", "unanswered", 3)]);
}

#[test]
fn a_duplicate_ipv6_address_is_told_by_its_owner() {
    let test = (0, nd(135, 0, (5, [0; 16]), ALL, 7));
    let owner = (0, nd(136, 0x20, (6, address(7)), ALL, 7));
    assert_eq!(kinds(&told(&[test.clone(), owner])), [("nd", "duplicate address", 1)]);
    let itself = (1, nd(136, 0x20, (5, address(7)), ALL, 7));
    assert!(told(&[test, itself]).is_empty());
}

#[test]
fn a_proxy_does_not_contradict_the_owner() {
    let proxy = |host| nd(136, 0x40, (host, address(7)), (mac(1), address(1)), 7);
    assert!(told(&[(0, proxy(5)), (1, proxy(6)), (2, proxy(5))]).is_empty());
}
