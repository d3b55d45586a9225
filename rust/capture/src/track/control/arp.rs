//! ARP (RFC 826, 5227): who asks, who answers, and who tells everybody without being asked.

use super::events::Events;
use super::fields::Fields;
use super::resolution::{Question, Resolution};
use crate::address::{Address, Mac};
use crate::tables::captured::Captured;
use crate::tables::control_events::Fact;

const REQUEST: u16 = 1;
const REPLY: u16 = 2;
/// Ethernet, IPv4, and the lengths of their addresses.
const ETHERNET_IPV4: [u8; 6] = [0, 1, 8, 0, 6, 4];
const NOBODY: Address = Address::V4([0; 4]);

/// An ARP packet.
pub(super) fn on_packet(row: &Captured<'_>, resolution: &mut Resolution, events: &mut Events) {
    let fields = Fields(row.packet.payload);
    if fields.bytes(0) != Some(&ETHERNET_IPV4) {
        return;
    }
    let (Some(operation), Some(mac), Some(address)) = (fields.u16(6), fields.mac(8), fields.ipv4(14)) else { return };
    let (Some(target_mac), Some(target)) = (fields.mac(18), fields.ipv4(24)) else { return };
    if !matches!(operation, REQUEST | REPLY) || !sends(mac) {
        return;
    }
    resolution.passes(row);
    if address == NOBODY {
        if operation == REQUEST && target != NOBODY {
            resolution.test(row, mac, target);
        }
        return;
    }
    resolution.claim(row, "arp", address, mac, events);
    if address == target {
        let fact = Fact {
            protocol: "arp",
            kind: "gratuitous",
            src_mac: Some(mac),
            src: Some(address),
            vlan: row.packet.vlan.map(|tag| tag.id),
            subject: Some(address.to_string().into()),
            ..Fact::default()
        };
        events.add(row, fact, || format!("{mac} tells everybody, unasked, that it has {address}"));
    } else if operation == REQUEST {
        resolution.ask(row, "arp", Question { asker: mac, by: address, about: target }, events);
    } else {
        resolution.answer(row, target_mac, address);
    }
}

/// Whether a host can have this MAC: neither none nor a group.
pub(super) fn sends(mac: Mac) -> bool {
    mac.0 != [0; 6] && mac.0[0] & 1 == 0
}
