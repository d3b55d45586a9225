//! Spanning tree (IEEE 802.1D, 802.1w, 802.1s; PVST): topology changes, and another root.

use std::collections::HashMap;

use super::events::Events;
use super::fields::Fields;
use crate::address::Mac;
use crate::tables::captured::Captured;
use crate::tables::control_events::Fact;

/// BPDU types (802.1D, 9.3).
const CONFIGURATION: u8 = 0x00;
const RAPID: u8 = 0x02;
const CHANGE_NOTIFICATION: u8 = 0x80;
const MULTIPLE: u8 = 3;
const TOPOLOGY_CHANGE: u8 = 0x01;
/// Where PVST puts its VLAN: type 0, length 2, number.
const PVST_VLAN: usize = 36;
/// The messages of further instances of MSTP, 16 bytes each (802.1Q, 14.4).
const INSTANCES: usize = 102;
const INSTANCE: usize = 16;
/// Bridge ports and VLANs whose root is remembered.
const MOST_TREES: usize = 1 << 14;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Root {
    priority: u16,
    mac: Mac,
}

impl std::fmt::Display for Root {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.priority, self.mac)
    }
}

/// The trees of a capture.
#[derive(Debug, Default)]
pub(super) struct Trees {
    roots: HashMap<(u32, Option<Mac>, Option<u16>), Root>,
    /// BPDUs of trees beyond the limit.
    pub(super) untracked: u64,
}

impl Trees {
    /// A BPDU.
    pub(super) fn on_bpdu(&mut self, row: &Captured<'_>, events: &mut Events) {
        let fields = Fields(row.packet.payload);
        let (Some(0), Some(version), Some(kind)) = (fields.u16(0), fields.u8(2), fields.u8(3)) else { return };
        let pvst = (version < MULTIPLE).then(|| fields.bytes::<6>(PVST_VLAN)).flatten();
        let pvst = pvst.and_then(|&[t0, t1, l0, l1, v0, v1]| {
            ([t0, t1, l0, l1] == [0, 0, 0, 2]).then_some(u16::from_be_bytes([v0, v1]))
        });
        let vlan = pvst.or(row.packet.vlan.map(|tag| tag.id));
        let fact = |kind, subject: &str| Fact {
            protocol: "stp",
            kind,
            src_mac: row.packet.src_mac,
            vlan,
            subject: Some(subject.into()),
            ..Fact::default()
        };
        if kind == CHANGE_NOTIFICATION {
            events.add(row, fact("topology change notification", "bridge"), || {
                "a bridge tells its root that a port went up or down (TCN BPDU)".to_owned()
            });
            return;
        }
        if kind != CONFIGURATION && kind != RAPID {
            return;
        }
        let (Some(flags), Some(priority), Some(mac)) = (fields.u8(4), fields.u16(5), fields.mac(7)) else { return };
        let port = fields.u16(25);
        let subject = port.map_or_else(|| "bridge".to_owned(), |port| format!("bridge port 0x{port:04x}"));
        if flags & TOPOLOGY_CHANGE != 0 {
            events.add(row, fact("topology change", &subject), || {
                format!("{subject}: the tree changed, bridges forget what they learned (TC flag)")
            });
        }
        if version >= MULTIPLE {
            let instances = row.packet.payload.get(INSTANCES..).unwrap_or_default();
            for message in instances.as_chunks::<INSTANCE>().0 {
                let [flags, id0, id1, ..] = *message;
                if flags & TOPOLOGY_CHANGE != 0 {
                    let subject = format!("{subject} instance {}", u16::from_be_bytes([id0, id1]) & 0x0fff);
                    events.add(row, fact("topology change", &subject), || {
                        format!("{subject}: the tree changed, bridges forget what they learned (TC flag)")
                    });
                }
            }
        }
        let root = Root { priority, mac };
        if let Some(before) = self.remember((row.interface, row.packet.src_mac, vlan), root)
            && before != root
        {
            let fact = Fact {
                before: Some(before.to_string().into()),
                after: Some(root.to_string().into()),
                ..fact("root changed", &subject)
            };
            events.add(row, fact, || format!("{subject}: root bridge was {before}, now {root}"));
        }
    }

    fn remember(&mut self, tree: (u32, Option<Mac>, Option<u16>), root: Root) -> Option<Root> {
        if self.roots.len() >= MOST_TREES && !self.roots.contains_key(&tree) {
            self.untracked = self.untracked.saturating_add(1);
            return None;
        }
        self.roots.insert(tree, root)
    }
}

#[cfg(test)]
mod tests;
