use super::super::lacp::tests::lacpdu;
use super::super::tests::round_trip::{lldp_of, organisation, tlv};
use super::super::tests::{SECOND, Tap, cuts, ethernet, kinds, mac};

const SLOW: [u8; 6] = [1, 0x80, 0xc2, 0, 0, 2];

fn pfc(enabled: u8) -> Vec<u8> {
    organisation([0, 0x80, 0xc2], 0x0b, &[0x08, enabled])
}

#[test]
fn a_port_that_repeats_itself_is_one_row_without_an_event() {
    let mut tap = Tap::default();
    for second in 0..3 {
        tap.sees(30 * second * SECOND, &lldp_of(1, 120, &pfc(8)));
    }
    let (neighbours, events) = tap.rows();
    assert_eq!((neighbours.len(), events.len()), (1, 0));
    let row = &neighbours[0];
    assert_eq!((row.announcements, row.first_frame, row.last_frame), (3, 1, 3));
    assert_eq!((row.first_ts, row.last_ts), (Some(0), Some(60 * SECOND)));
}

#[test]
fn a_changed_pfc_setting_is_told_with_both_values() {
    let mut tap = Tap::default();
    for enabled in [0x08, 0x08, 0x00, 0x08] {
        tap.sees(0, &lldp_of(1, 120, &pfc(enabled)));
    }
    let (neighbours, events) = tap.rows();
    assert_eq!(neighbours[0].said.pfc.unwrap().enabled, 8);
    assert_eq!(kinds(&events), [("lldp", "setting changed", 1), ("lldp", "setting changed", 1)]);
    assert_eq!(events[0].frame, 3);
    assert_eq!((events[0].fact.before.as_deref(), events[0].fact.after.as_deref()), (Some("pfc 3"), Some("pfc ")));
    assert_eq!(events[0].detail, "leaf1 port Ethernet1: pfc 3 → none");
}

#[test]
fn a_cut_announcement_takes_nothing_back() {
    let frame = lldp_of(1, 120, &pfc(8));
    let mut tap = Tap::default();
    tap.sees(0, &frame);
    tap.sees_cut(SECOND, &frame, frame.len() - 9);
    let (neighbours, events) = tap.rows();
    assert!(events.is_empty(), "{events:?}");
    assert_eq!(neighbours[0].said.pfc.unwrap().enabled, 8);
    assert!(neighbours[0].said.incomplete.is_some());
}

#[test]
fn a_change_after_a_cut_announcement_is_still_told() {
    let frame = lldp_of(1, 120, &pfc(8));
    let mut tap = Tap::default();
    tap.sees(0, &frame);
    tap.sees_cut(1, &frame, frame.len() - 9);
    tap.sees(2, &lldp_of(1, 120, &pfc(0)));
    assert_eq!(kinds(&tap.events()), [("lldp", "setting changed", 1)]);
}

#[test]
fn a_good_bye_is_told_by_the_name_known_before_and_changes_no_setting() {
    let mut tap = Tap::default();
    tap.sees(0, &lldp_of(1, 120, &pfc(8)));
    let pdu = [tlv(1, &[4, 2, 0, 0, 0, 0, 0x10]), tlv(2, b"\x05Ethernet1"), tlv(3, &[0, 0]), vec![0, 0]].concat();
    tap.sees(SECOND, &ethernet([1, 0x80, 0xc2, 0, 0, 0x0e], mac(1), 0x88cc, &pdu));
    tap.sees(900 * SECOND, &lldp_of(2, 120, &[]));
    let (neighbours, events) = tap.rows();
    assert_eq!((neighbours[0].said.ttl, neighbours[0].said.pfc.unwrap().enabled), (Some(0), 8));
    assert_eq!(events[0].fact.kind, "shutdown");
    assert_eq!(events[0].fact.subject.as_deref(), Some("leaf1 port Ethernet1"));
    assert!(events.iter().all(|event| event.fact.kind != "expired"), "it said so itself");
}

#[test]
fn a_sender_on_another_port_moved_only_once_the_old_port_fell_silent() {
    let run = |end: i64| {
        let mut tap = Tap::default();
        tap.sees(0, &lldp_of(1, 120, &[]));
        tap.sees(10 * SECOND, &lldp_of(2, 120, &[]));
        tap.sees(end * SECOND, &lldp_of(2, 120, &[]));
        tap.events()
    };
    assert!(run(100).is_empty(), "a device may send from one MAC on all its ports");
    let events = run(130);
    assert_eq!(kinds(&events), [("lldp", "expired", 1), ("lldp", "port changed", 1)]);
    let moved = &events[1].fact;
    assert_eq!(
        (moved.before.as_deref(), moved.after.as_deref()),
        (Some("leaf1 port Ethernet1"), Some("leaf1 port Ethernet2"))
    );
}

#[test]
fn an_lacp_partner_that_falls_silent_and_a_state_that_changes_are_told() {
    let frame = |state| ethernet(SLOW, mac(1), 0x8809, &lacpdu((22, state), (25, 0x3d)));
    let mut tap = Tap::default();
    for state in [0x3d, 0x3d, 0x85] {
        tap.sees(0, &frame(state));
    }
    let (neighbours, events) = tap.rows();
    assert_eq!(neighbours[0].said.aggregating(), Some(false));
    assert_eq!(kinds(&events), [("lacp", "partner lost", 1), ("lacp", "state changed", 1)]);
    assert_eq!(events[0].frame, 3);
    assert_eq!(events[0].fact.subject.as_deref(), Some("02:00:00:00:00:0a port 22"));
}

#[test]
fn a_port_out_of_sync_for_a_minute_churns_and_a_short_start_does_not() {
    let run = |seconds: i64| {
        let mut tap = Tap::default();
        for second in 0..=seconds {
            tap.sees(second * SECOND, &ethernet(SLOW, mac(1), 0x8809, &lacpdu((22, 0x05), (25, 0x05))));
        }
        kinds(&tap.events())
    };
    assert!(run(59).is_empty());
    assert_eq!(run(90), [("lacp", "churn", 1)]);
}

#[test]
fn a_cut_lacpdu_is_no_change_of_state() {
    for (neighbours, events) in cuts(&ethernet(SLOW, mac(1), 0x8809, &lacpdu((22, 0x3d), (25, 0x3d)))) {
        assert!(events.is_empty());
        assert!(neighbours.iter().all(|row| row.said.partner.is_none_or(|end| end.state == 0x3d)));
    }
}
