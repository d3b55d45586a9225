//! DCBX as a switch would write it, in both variants, against the row that comes of it.

use proptest::prelude::*;

use super::{Tap, ethernet, mac};
use crate::tables::neighbours::Neighbour;
use crate::tables::neighbours::announced::{App, Ets, Pfc, Selector};

pub(in super::super) fn tlv(kind: u8, value: &[u8]) -> Vec<u8> {
    let header = u16::from(kind) << 9 | value.len() as u16;
    [&header.to_be_bytes()[..], value].concat()
}

pub(in super::super) fn organisation(oui: [u8; 3], subtype: u8, value: &[u8]) -> Vec<u8> {
    tlv(127, &[&oui[..], &[subtype], value].concat())
}

/// The mandatory TLVs and a name, then those given, then the end.
pub(in super::super) fn lldp_frame(more: &[u8]) -> Vec<u8> {
    lldp_of(1, 120, more)
}

pub(in super::super) fn lldp_of(port: u8, ttl: u16, more: &[u8]) -> Vec<u8> {
    let chassis = tlv(1, &[4, 2, 0, 0, 0, 0, 0x10]);
    let port = tlv(2, format!("\u{5}Ethernet{port}").as_bytes());
    let pdu = [chassis, port, tlv(3, &ttl.to_be_bytes()), tlv(5, b"leaf1"), more.to_vec(), vec![0, 0]].concat();
    ethernet([1, 0x80, 0xc2, 0, 0, 0x0e], mac(1), 0x88cc, &pdu)
}

fn row(more: &[u8]) -> Neighbour {
    let mut tap = Tap::default();
    tap.sees(0, &lldp_frame(more));
    let (mut neighbours, events) = tap.rows();
    assert!(events.is_empty());
    neighbours.remove(0)
}

const IEEE: [u8; 3] = [0, 0x80, 0xc2];
const CEE: [u8; 3] = [0, 0x1b, 0x21];

fn packed(classes: [u8; 8]) -> Vec<u8> {
    classes.as_chunks::<2>().0.iter().map(|[high, low]| high << 4 | low).collect()
}

fn selector(number: u8) -> Selector {
    match number {
        1 => Selector::Ethertype,
        2 => Selector::Tcp,
        3 => Selector::Udp,
        4 => Selector::Port,
        5 => Selector::Dscp,
        other => Selector::Other(other),
    }
}

proptest! {
    #[test]
    fn ieee_dcbx_comes_back_as_it_was_written(
        enabled: u8, most in 0..9_u8, willing: bool, ets_most in 0..8_u8,
        classes in prop::array::uniform8(0..16_u8), bandwidth: [u8; 8], algorithms: [u8; 8],
        apps in prop::collection::vec((0..8_u8, 0..8_u8, any::<u16>()), 0..20),
    ) {
        let flag = if willing { 0x80 } else { 0 };
        let body = [packed(classes), bandwidth.to_vec(), algorithms.to_vec()].concat();
        let entries: Vec<u8> = apps.iter().flat_map(|(priority, selector, protocol)| {
            let [high, low] = protocol.to_be_bytes();
            [priority << 5 | selector, high, low]
        }).collect();
        let said = row(&[
            organisation(IEEE, 0x09, &[&[flag | ets_most][..], &body].concat()),
            organisation(IEEE, 0x0a, &[&[0][..], &body].concat()),
            organisation(IEEE, 0x0b, &[flag | most, enabled]),
            organisation(IEEE, 0x0c, &[&[0][..], &entries].concat()),
        ].concat()).said;
        prop_assert_eq!(said.dcbx(), Some("ieee"));
        prop_assert_eq!(said.pfc, Some(Pfc { enabled, most_classes: most, willing, operating: None }));
        let ets = Ets { willing: Some(willing), most_classes: Some(ets_most), classes, bandwidth, algorithms: Some(algorithms) };
        prop_assert_eq!(said.ets, Some(ets));
        prop_assert_eq!(said.ets_recommended, Some(Ets { willing: None, most_classes: None, ..ets }));
        let written: Vec<App> = apps.iter().map(|(priority, number, protocol)| {
            App { selector: selector(*number), protocol: *protocol, priority: *priority }
        }).collect();
        prop_assert_eq!(said.apps, written);
        prop_assert_eq!(said.incomplete, None);
    }

    #[test]
    fn cee_dcbx_comes_back_as_it_was_written(
        enabled: u8, most: u8, willing: bool, error: bool, on: bool, groups_most: u8,
        classes in prop::array::uniform8(0..16_u8), bandwidth: [u8; 8],
        protocol: u16, port: bool, priority in 0..8_u8,
    ) {
        let flags = u8::from(on) << 7 | u8::from(willing) << 6 | u8::from(error) << 5;
        let header = [0, 0, flags, 0];
        let groups = [&header[..], &packed(classes), &bandwidth, &[groups_most]].concat();
        let [high, low] = protocol.to_be_bytes();
        let entry = [high, low, u8::from(port), 0x1b, 0x21, 1 << priority];
        let features = [
            tlv(1, &[0; 10]),
            tlv(2, &groups),
            tlv(3, &[&header[..], &[enabled, most]].concat()),
            tlv(4, &[&header[..], &entry].concat()),
        ].concat();
        let said = row(&organisation(CEE, 2, &features)).said;
        prop_assert_eq!(said.dcbx(), Some("cee"));
        let operating = Some(on && !error);
        prop_assert_eq!(said.pfc, Some(Pfc { enabled, most_classes: most, willing, operating }));
        prop_assert_eq!(said.ets, Some(Ets {
            willing: Some(willing), most_classes: Some(groups_most), classes, bandwidth, algorithms: None,
        }));
        let selector = if port { Selector::Port } else { Selector::Ethertype };
        prop_assert_eq!(said.apps, vec![App { selector, protocol, priority }]);
    }
}

#[test]
fn roce_is_found_among_the_applications_and_lists_read_as_text() {
    let ets = [&[0x80][..], &packed([0, 0, 0, 1, 0, 0, 2, 0]), &[50, 50, 0, 0, 0, 0, 0, 0], &[2, 2, 0, 0, 0, 0, 0, 0]];
    let apps = [0, 3 << 5 | 1, 0x89, 0x15, 3 << 5 | 3, 0x12, 0xb7, 6 << 5 | 5, 0, 48];
    let said = row(&[
        organisation(IEEE, 0x09, &ets.concat()),
        organisation(IEEE, 0x0b, &[0x08, 0x08]),
        organisation(IEEE, 0x0c, &apps),
    ]
    .concat())
    .said;
    assert_eq!((said.roce_v1_priority, said.roce_v2_priority), (Some(3), Some(3)));
    assert_eq!(said.apps_text().as_deref(), Some("ethertype 0x8915:3,udp 4791:3,dscp 48:6"));
    assert_eq!(said.pfc_text().as_deref(), Some("3"));
    let ets = said.ets.unwrap();
    assert_eq!(ets.classes_text(), "0:0,1:0,2:0,3:1,4:0,5:0,6:2,7:0");
    assert_eq!(ets.bandwidth_text(), "0:50,1:50");
    assert_eq!(
        ets.algorithms_text().as_deref(),
        Some("0:ets,1:ets,2:strict,3:strict,4:strict,5:strict,6:strict,7:strict")
    );
}

#[test]
fn where_both_variants_are_spoken_ieee_counts_in_either_order() {
    let cee = organisation(CEE, 2, &tlv(3, &[0, 0, 0x80, 0, 0xff, 8]));
    let ieee = organisation(IEEE, 0x0b, &[0x08, 0x08]);
    for order in [[cee.clone(), ieee.clone()], [ieee, cee]] {
        let said = row(&order.concat()).said;
        assert_eq!((said.dcbx(), said.pfc.unwrap().enabled), (Some("both"), 0x08));
    }
}

#[test]
fn link_settings_are_read_of_either_organisation() {
    const IEEE_802_3: [u8; 3] = [0, 0x12, 0x0f];
    let link = [
        organisation(IEEE, 1, &[0, 42]),
        organisation(IEEE, 7, &[3, 0, 0, 1, 2]),
        organisation(IEEE_802_3, 1, &[3, 0, 0, 0, 77]),
        organisation(IEEE_802_3, 4, &[0x24, 0x00]),
        tlv(8, &[5, 1, 192, 0, 2, 9, 2, 0, 0, 0, 1, 0]),
    ];
    let said = row(&link.concat()).said;
    assert_eq!((said.port_vlan, said.max_frame), (Some(42), Some(9216)));
    assert_eq!((said.aggregated, said.aggregation_id), (Some(true), Some(258)));
    assert_eq!((said.mau_type, said.speed, said.auto_negotiation), (Some(77), Some(100_000), Some(true)));
    assert_eq!(said.management_address.map(|address| address.to_string()).as_deref(), Some("192.0.2.9"));
    assert_eq!((said.port_id.as_deref(), said.port_id_kind), (Some("Ethernet1"), Some("name")));
    assert_eq!((said.chassis_id.as_deref(), said.chassis_id_kind), (Some("02:00:00:00:00:10"), Some("mac")));
}
