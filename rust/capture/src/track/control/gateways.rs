//! VRRP (RFC 9568) and HSRP (RFC 2281): which router is the gateway, and when that changes.

use std::collections::HashMap;

use super::events::Events;
use super::fields::Fields;
use crate::address::Address;
use crate::tables::captured::Captured;
use crate::tables::control_events::Fact;

/// IP protocol of VRRP.
pub(super) const VRRP: u8 = 112;
/// UDP ports of HSRP, for IPv4 and IPv6.
pub(super) const HSRP: [u16; 2] = [1985, 2029];
const MOST_GROUPS: usize = 1 << 14;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Group {
    interface: u32,
    vlan: Option<u16>,
    protocol: &'static str,
    number: u16,
    /// The address of the gateway: numbers repeat in other VLANs, of which a mirror may not tell. `None` while it is learned.
    address: Option<Address>,
}

/// The groups of a capture.
#[derive(Debug, Default)]
pub(super) struct Gateways {
    active: HashMap<Group, Address>,
    states: HashMap<(Group, Address), &'static str>,
    /// Messages of groups beyond the limit.
    pub(super) untracked: u64,
}

impl Gateways {
    /// A VRRP advertisement: only the master sends them.
    pub(super) fn on_vrrp(&mut self, row: &Captured<'_>, events: &mut Events) {
        let Some(&[first, number, priority, _]) = Fields(row.packet.payload).bytes(0) else { return };
        let Some(src) = row.packet.src else { return };
        if !matches!(first, 0x21 | 0x31) {
            return; // version 2 or 3, advertisement
        }
        let fields = Fields(row.packet.payload);
        let address = if matches!(src, Address::V6(_)) { fields.ipv6(8) } else { fields.ipv4(8) };
        let group = Group::of(row, "vrrp", number.into(), address);
        if priority == 0 {
            events.add(row, group.fact(row, "resigned"), || format!("{src} gives up {group} (priority 0)"));
            return;
        }
        self.becomes_active(row, group, src, events);
    }

    /// An HSRP message of either version.
    pub(super) fn on_hsrp(&mut self, row: &Captured<'_>, events: &mut Events) {
        let fields = Fields(row.packet.payload);
        let Some(src) = row.packet.src else { return };
        let (operation, state, number, address) = match (fields.u8(0), fields.u8(1)) {
            (Some(0), Some(operation)) => {
                (operation, version_1(fields.u8(2)), fields.u8(6).map(u16::from), fields.ipv4(16))
            }
            // the group state TLV of version 2: its version, operation, state, IP version, group
            (Some(1), Some(40)) if fields.u8(2) == Some(2) => {
                let address = if fields.u8(5) == Some(6) { fields.ipv6(26) } else { fields.ipv4(26) };
                (fields.u8(3).unwrap_or(u8::MAX), version_2(fields.u8(4)), fields.u16(6), address)
            }
            _ => return,
        };
        let Some(number) = number else { return };
        let group = Group::of(row, "hsrp", number, address);
        match operation {
            0 => {}
            1 => events.add(row, group.fact(row, "coup"), || format!("{src} takes over {group}")),
            2 => events.add(row, group.fact(row, "resigned"), || format!("{src} gives up {group}")),
            _ => return,
        }
        let Some(state) = state else { return };
        if self.states.len() >= MOST_GROUPS && !self.states.contains_key(&(group, src)) {
            self.untracked = self.untracked.saturating_add(1);
            return;
        }
        if let Some(before) = self.states.insert((group, src), state).filter(|before| *before != state) {
            let fact =
                Fact { before: Some(before.into()), after: Some(state.into()), ..group.fact(row, "state changed") };
            events.add(row, fact, || format!("{src} was {before} in {group}, now {state}"));
        }
        if state == "active" && operation == 0 {
            self.becomes_active(row, group, src, events);
        }
    }

    fn becomes_active(&mut self, row: &Captured<'_>, group: Group, src: Address, events: &mut Events) {
        if self.active.len() >= MOST_GROUPS && !self.active.contains_key(&group) {
            self.untracked = self.untracked.saturating_add(1);
            return;
        }
        if let Some(before) = self.active.insert(group, src).filter(|before| *before != src) {
            let fact = Fact {
                before: Some(before.to_string().into()),
                after: Some(src.to_string().into()),
                ..group.fact(row, "gateway changed")
            };
            events.add(row, fact, || format!("{group}: the gateway was {before}, now {src}"));
        }
    }
}

impl Group {
    fn of(row: &Captured<'_>, protocol: &'static str, number: u16, address: Option<Address>) -> Self {
        Self {
            interface: row.interface,
            vlan: row.packet.vlan.map(|tag| tag.id),
            protocol,
            number,
            address: address.filter(|address| !matches!(address, Address::V4([0, 0, 0, 0]) | Address::V6([0, ..]))),
        }
    }

    fn fact(self, row: &Captured<'_>, kind: &'static str) -> Fact {
        Fact {
            protocol: self.protocol,
            kind,
            src: row.packet.src,
            vlan: self.vlan,
            subject: Some(self.to_string().into()),
            ..Fact::default()
        }
    }
}

impl std::fmt::Display for Group {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "group {}", self.number)?;
        self.address.map_or(Ok(()), |address| write!(f, " ({address})"))
    }
}

fn version_1(state: Option<u8>) -> Option<&'static str> {
    match state? {
        0 => Some("initial"),
        1 => Some("learn"),
        2 => Some("listen"),
        4 => Some("speak"),
        8 => Some("standby"),
        16 => Some("active"),
        _ => None,
    }
}

fn version_2(state: Option<u8>) -> Option<&'static str> {
    match state? {
        1 => Some("initial"),
        2 => Some("learn"),
        3 => Some("listen"),
        4 => Some("speak"),
        5 => Some("standby"),
        6 => Some("active"),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
