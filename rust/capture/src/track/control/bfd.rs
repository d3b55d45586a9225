//! BFD (RFC 5880): when a session goes down or comes up, and why.

use std::collections::HashMap;

use super::events::Events;
use super::fields::Fields;
use crate::address::Address;
use crate::tables::captured::Captured;
use crate::tables::control_events::Fact;

/// Single hop, multihop, on members of an aggregation, seamless (RFC 5881, 5883, 7130, 7881). The echo port carries
/// packets that mean something to their sender only.
pub(super) const PORTS: [u16; 4] = [3784, 4784, 6784, 7784];
/// Of RFC 7881: reflectors answer from it.
pub(super) const SEAMLESS: u16 = 7784;
const MOST_SESSIONS: usize = 1 << 14;
const ADMIN_DOWN: u8 = 0;
const DOWN: u8 = 1;
const LEN: u8 = 24;

/// Sessions and the state that each end last said.
#[derive(Debug, Default)]
pub(super) struct Sessions {
    states: HashMap<(Address, Address, u32), u8>,
    /// Packets of sessions beyond the limit.
    pub(super) untracked: u64,
}

impl Sessions {
    /// A control packet.
    pub(super) fn on_packet(&mut self, row: &Captured<'_>, events: &mut Events) {
        let fields = Fields(row.packet.payload);
        let Some(&[first, second, multiplier, len]) = fields.bytes(0) else { return };
        let (Some(mine), Some(yours), Some(interval)) = (fields.u32(4), fields.u32(8), fields.u32(12)) else { return };
        let (Some(src), Some(dst)) = (row.packet.src, row.packet.dst) else { return };
        // What RFC 5880, 6.8.6 discards is no word of the other end.
        if first >> 5 != 1 || len < LEN || multiplier == 0 || mine == 0 || fields.bytes::<24>(0).is_none() {
            return;
        }
        let (state, diagnostic) = (second >> 6, first & 0x1f);
        let place = (src, dst, mine);
        if self.states.len() >= MOST_SESSIONS && !self.states.contains_key(&place) {
            self.untracked = self.untracked.saturating_add(1);
            return;
        }
        let before = self.states.insert(place, state);
        // A session that is up when the capture begins is no event; one that is down is.
        let tells = match before {
            Some(before) => before != state,
            None => state == DOWN || state == ADMIN_DOWN,
        };
        if !tells {
            return;
        }
        let fact = Fact {
            protocol: "bfd",
            kind: ["admin down", "down", "init", "up"][usize::from(state)], // two bits
            src: Some(src),
            dst: Some(dst),
            vlan: row.packet.vlan.map(|tag| tag.id),
            subject: Some(format!("session 0x{mine:08x}").into()),
            before: before.map(|before| name(before).into()),
            after: Some(name(state).into()),
            code: Some(diagnostic),
            ..Fact::default()
        };
        events.add(row, fact, || {
            let was = before.map_or_else(String::new, |before| format!("was {}, ", name(before)));
            let detect = u64::from(interval) * u64::from(multiplier);
            format!(
                "session 0x{mine:08x} to 0x{yours:08x} {was}is {}: {}; sends every {interval} µs, {multiplier} missed make {detect} µs",
                name(state),
                why(diagnostic)
            )
        });
    }
}

const fn name(state: u8) -> &'static str {
    match state {
        ADMIN_DOWN => "AdminDown",
        DOWN => "Down",
        2 => "Init",
        _ => "Up",
    }
}

/// The diagnostic (IANA; RFC 5880, 4.1).
const fn why(diagnostic: u8) -> &'static str {
    match diagnostic {
        0 => "no diagnostic",
        1 => "control detection time expired",
        2 => "echo function failed",
        3 => "neighbour signalled session down",
        4 => "forwarding plane reset",
        5 => "path down",
        6 => "concatenated path down",
        7 => "administratively down",
        8 => "reverse concatenated path down",
        9 => "mis-connectivity defect",
        _ => "diagnostic that is not known",
    }
}

#[cfg(test)]
mod tests;
