use super::super::tests::{Tap, kinds, over_ipv4, udp};

const GROUP: [u8; 4] = [224, 0, 0, 2];

fn hsrp(src: u8, operation: u8, state: u8) -> Vec<u8> {
    hsrp_for(src, operation, state, [10, 0, 0, 254])
}

fn hsrp_for(src: u8, operation: u8, state: u8, gateway: [u8; 4]) -> Vec<u8> {
    let message = [&[0, operation, state, 3, 10, 100, 1, 0][..], b"cisco\0\0\0", &gateway].concat();
    over_ipv4([10, 0, 0, src], GROUP, 17, &udp(1985, 1985, &message))
}

fn vrrp(src: u8, priority: u8) -> Vec<u8> {
    over_ipv4([10, 0, 0, src], GROUP, 112, &[0x31, 7, priority, 1, 0, 100, 0, 0, 10, 0, 0, 254])
}

#[test]
fn another_active_router_is_told() {
    let mut tap = Tap::default();
    for frame in [hsrp(1, 0, 16), hsrp(2, 0, 8), hsrp(1, 0, 16), hsrp(2, 0, 16)] {
        tap.sees(0, &frame);
    }
    let events = tap.events();
    assert_eq!(kinds(&events), [("hsrp", "gateway changed", 1), ("hsrp", "state changed", 1)]);
    assert_eq!(events[0].fact.subject.as_deref(), Some("group 1 (10.0.0.254)"));
    assert_eq!(
        (events[0].fact.before.as_deref(), events[0].fact.after.as_deref()),
        (Some("10.0.0.1"), Some("10.0.0.2"))
    );
}

#[test]
fn the_same_group_number_for_another_address_is_another_group() {
    let mut tap = Tap::default();
    tap.sees(0, &hsrp_for(1, 0, 16, [10, 1, 0, 254]));
    tap.sees(0, &hsrp_for(2, 0, 16, [10, 2, 0, 254]));
    assert!(tap.events().is_empty());
}

#[test]
fn a_vrrp_master_that_gives_up_and_the_next_are_told() {
    let mut tap = Tap::default();
    for frame in [vrrp(1, 100), vrrp(1, 0), vrrp(2, 90)] {
        tap.sees(0, &frame);
    }
    assert_eq!(kinds(&tap.events()), [("vrrp", "resigned", 1), ("vrrp", "gateway changed", 1)]);
}

#[test]
fn a_truncated_or_unknown_message_says_nothing() {
    let mut tap = Tap::default();
    tap.sees(0, &over_ipv4([10, 0, 0, 1], GROUP, 112, &[0x31, 7]));
    tap.sees(0, &over_ipv4([10, 0, 0, 1], GROUP, 112, &[0x12, 7, 0, 1]));
    tap.sees(0, &over_ipv4([10, 0, 0, 1], GROUP, 17, &udp(1985, 1985, &[0, 9, 16])));
    assert!(tap.events().is_empty());
}
