use super::super::tests::{Tap, cuts, ethernet, kinds, mac};
use super::*;

const BRIDGES: [u8; 6] = [1, 0x80, 0xc2, 0, 0, 0];

/// An RST BPDU of port 0x8005 of a bridge that takes the one of this number for its root.
fn bpdu(version: u8, flags: u8, root: u8) -> Vec<u8> {
    let ids = [&[0x80, 0, 2, 0, 0, 0, 0, root][..], &[0, 0, 0, 4], &[0x80, 1, 2, 0, 0, 0, 0, 9], &[0x80, 5]].concat();
    [&[0, 0, version, 2, flags][..], &ids, &[0, 0, 20, 0, 2, 0, 15, 0], &[0]].concat()
}

fn framed(llc: &[u8], body: &[u8]) -> Vec<u8> {
    let payload = [llc, body].concat();
    ethernet(BRIDGES, mac(1), payload.len() as u16, &payload)
}

fn rapid(body: &[u8]) -> Vec<u8> {
    framed(&[0x42, 0x42, 3], body)
}

#[test]
fn topology_changes_are_counted_for_each_port() {
    let mut tap = Tap::default();
    for flags in [0x3c, 0x3d, 0x3d] {
        tap.sees(0, &rapid(&bpdu(2, flags, 1)));
    }
    tap.sees(0, &rapid(&[0, 0, 0, 0x80]));
    let events = tap.events();
    assert_eq!(kinds(&events), [("stp", "topology change", 2), ("stp", "topology change notification", 1)]);
    assert_eq!(events[0].fact.subject.as_deref(), Some("bridge port 0x8005"));
    assert_eq!(events[0].fact.src_mac, Some(Mac(mac(1))));
}

#[test]
fn another_root_is_told_with_both() {
    let mut tap = Tap::default();
    for root in [1, 1, 2] {
        tap.sees(0, &rapid(&bpdu(2, 0, root)));
    }
    let events = tap.events();
    assert_eq!(kinds(&events), [("stp", "root changed", 1)]);
    let fact = &events[0].fact;
    assert_eq!(
        (fact.before.as_deref(), fact.after.as_deref()),
        (Some("32768.02:00:00:00:00:01"), Some("32768.02:00:00:00:00:02"))
    );
}

#[test]
fn each_vlan_of_pvst_has_a_tree_of_its_own() {
    let pvst = |vlan: u8, root| {
        framed(&[0xaa, 0xaa, 3, 0, 0, 0x0c, 1, 0x0b], &[&bpdu(2, 1, root)[..], &[0, 0, 0, 2, 0, vlan]].concat())
    };
    let mut tap = Tap::default();
    tap.sees(0, &pvst(5, 1));
    tap.sees(0, &pvst(6, 2));
    let events = tap.events();
    assert_eq!(kinds(&events), [("stp", "topology change", 1); 2], "two roots, and none changed");
    assert_eq!((events[0].fact.vlan, events[1].fact.vlan), (Some(5), Some(6)));
}

#[test]
fn an_instance_of_mstp_changes_by_itself() {
    let message = [&[0x3d][..], &[0x80, 3, 2, 0, 0, 0, 0, 1], &[0; 7]].concat();
    let body = [&bpdu(3, 0, 1)[..], &[0; 66], &message].concat();
    let mut tap = Tap::default();
    tap.sees(0, &rapid(&body));
    let events = tap.events();
    assert_eq!(kinds(&events), [("stp", "topology change", 1)]);
    assert_eq!(events[0].fact.subject.as_deref(), Some("bridge port 0x8005 instance 3"));
}

#[test]
fn a_cut_bpdu_invents_no_change() {
    for (_, events) in cuts(&rapid(&bpdu(2, 1, 1))) {
        assert!(events.iter().all(|event| event.fact.kind == "topology change"));
    }
}
