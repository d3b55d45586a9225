use super::super::tests::{Tap, cuts, ethernet, ipv4, ipv6, kinds, mac, over_ipv4, tcp, udp};
use super::*;

const ROUTER: [u8; 4] = [10, 0, 0, 254];
const CLIENT: [u8; 4] = [10, 0, 0, 1];
const SERVER: [u8; 4] = [10, 9, 0, 2];

/// An ICMP error about a full TCP segment of the client, quoted up to the ports and sequence number.
fn error(of_type: u8, code: u8, word: [u8; 4], quote: &[u8]) -> Vec<u8> {
    over_ipv4(ROUTER, CLIENT, 1, &[&[of_type, code, 0, 0][..], &word, quote].concat())
}

fn segment() -> Vec<u8> {
    let mut quote = ipv4(CLIENT, SERVER, 6, &tcp((40_000, 443), 7, 0x10, &[0; 1400]));
    quote.truncate(28);
    quote
}

#[test]
fn fragmentation_needed_tells_the_mtu_and_the_connection() {
    let mut tap = Tap::default();
    for _ in 0..3 {
        tap.sees(0, &error(3, 4, [0, 0, 0x05, 0x78], &segment()));
    }
    let events = tap.events();
    assert_eq!(kinds(&events), [("icmp", "fragmentation needed", 3)]);
    let fact = &events[0].fact;
    assert_eq!((fact.mtu, fact.code, fact.src), (Some(1400), Some(4), Some(Address::V4(ROUTER))));
    let flow = fact.flow.unwrap();
    assert_eq!((flow.src, flow.dst), (Address::V4(CLIENT), Address::V4(SERVER)));
    assert_eq!((flow.protocol, flow.sport, flow.dport), (Some(6), Some(40_000), Some(443)));
    assert_eq!(
        events[0].detail,
        "fragmentation needed, next-hop MTU 1400, for TCP 10.0.0.1 port 40000 → 10.9.0.2 port 443"
    );
}

#[test]
fn a_router_that_tells_no_mtu_leaves_it_null() {
    let mut tap = Tap::default();
    tap.sees(0, &error(3, 4, [0; 4], &segment()));
    let events = tap.events();
    assert_eq!(events[0].fact.mtu, None);
    assert!(events[0].detail.contains("MTU not told"), "{}", events[0].detail);
}

#[test]
fn packet_too_big_tells_the_same_of_ipv6() {
    let (client, server) = ([0x20; 16], [0x21; 16]);
    let quote = ipv6(client, server, 6, &tcp((40_000, 443), 7, 0x10, &[0; 100]));
    let body = [&[2, 0, 0, 0, 0, 0, 0x05, 0x00][..], &quote].concat();
    let mut tap = Tap::default();
    tap.sees(0, &ethernet(mac(2), mac(1), 0x86dd, &ipv6([0x22; 16], client, 58, &body)));
    let events = tap.events();
    assert_eq!(kinds(&events), [("icmpv6", "packet too big", 1)]);
    assert_eq!(events[0].fact.mtu, Some(1280));
    assert_eq!(events[0].fact.flow.unwrap().dport, Some(443));
}

#[test]
fn each_code_has_its_name() {
    let mut tap = Tap::default();
    for (of_type, code) in [(3, 0), (3, 1), (3, 3), (3, 13), (11, 0), (11, 1)] {
        tap.sees(0, &error(of_type, code, [0; 4], &segment()));
    }
    let events = tap.events();
    let names: Vec<_> = events.iter().map(|event| event.fact.kind).collect();
    let expected = [
        "network unreachable",
        "host unreachable",
        "port unreachable",
        "administratively prohibited",
        "time to live exceeded",
        "reassembly timed out",
    ];
    assert_eq!(names, expected);
    assert!(events.iter().all(|event| event.fact.mtu.is_none()));
}

#[test]
fn an_unreachable_roce_port_names_its_flow() {
    let quote = ipv4(CLIENT, SERVER, 17, &udp(49_153, 4791, &[4, 0, 0xff, 0xff, 0, 0, 0, 9, 0, 0, 0, 1]));
    let mut tap = Tap::default();
    tap.sees(0, &error(3, 3, [0; 4], &quote));
    let flow = tap.events()[0].fact.flow.unwrap();
    assert_eq!((flow.protocol, flow.sport, flow.dport), (Some(17), Some(49_153), Some(4791)));
}

#[test]
fn a_redirect_names_the_better_hop() {
    let mut tap = Tap::default();
    tap.sees(0, &error(5, 1, [10, 0, 0, 253], &segment()));
    let events = tap.events();
    assert_eq!(kinds(&events), [("icmp", "redirect", 1)]);
    assert_eq!(events[0].fact.subject.as_deref(), Some("10.0.0.253"));
    assert_eq!(events[0].fact.flow.unwrap().dst, Address::V4(SERVER));
}

#[test]
fn a_cut_error_never_names_another_flow_or_mtu() {
    let frame = error(3, 4, [0, 0, 0x05, 0x78], &segment());
    for (len, (_, events)) in cuts(&frame).into_iter().enumerate() {
        for event in events {
            assert!(event.fact.mtu.is_none_or(|mtu| mtu == 1400), "{len}");
            let Some(flow) = event.fact.flow else { continue };
            assert_eq!((flow.src, flow.dst), (Address::V4(CLIENT), Address::V4(SERVER)), "{len}");
            assert!(flow.dport.is_none_or(|port| port == 443), "{len}");
        }
    }
}

#[test]
fn a_later_fragment_is_no_error_message() {
    let mut packet = ipv4(ROUTER, CLIENT, 1, &[3, 4, 0, 0, 0, 0, 5, 0x78]);
    packet[7] = 9; // fragment offset
    let mut tap = Tap::default();
    tap.sees(0, &ethernet(mac(2), mac(1), 0x0800, &packet));
    assert!(tap.events().is_empty());
}
