//! LACP (IEEE 802.1AX, 6.4.2.3): which ports form one link, and whether both sides agree.

use super::events::{Events, Moment};
use super::fields::Fields;
use crate::tables::captured::Captured;
use crate::tables::control_events::Fact;
use crate::tables::neighbours::announced::{Announced, LacpEnd};

/// Where the information of each side begins: after subtype and version, type 1 or 2 and length 20.
const ACTOR: usize = 2;
const PARTNER: usize = 22;
const LEN: u8 = 20;
/// Churn detection time: a port out of sync for so long has something wrong (802.1AX, 6.4.17).
const CHURN: i64 = 60_000_000_000;

/// Reads an LACPDU.
pub(super) fn read(payload: &[u8]) -> Announced {
    let fields = Fields(payload);
    let (actor, partner) = (end(fields, ACTOR, 1), end(fields, PARTNER, 2));
    let mut said = Announced { actor, partner, ..Announced::default() };
    if let Some(actor) = actor {
        (said.chassis_id_kind, said.chassis_id) = (Some("mac"), Some(actor.system.to_string()));
        (said.port_id_kind, said.port_id) = (Some("local"), Some(actor.port.to_string()));
    }
    if actor.is_none() || partner.is_none() {
        said.incomplete = Some("cut, or not laid out as LACP version 1");
    }
    said
}

fn end(fields: Fields<'_>, at: usize, kind: u8) -> Option<LacpEnd> {
    if fields.bytes(at)? != &[kind, LEN] {
        return None;
    }
    Some(LacpEnd {
        system_priority: fields.u16(at + 2)?,
        system: fields.mac(at + 4)?,
        key: fields.u16(at + 10)?,
        port: fields.u16(at + 14)?,
        state: fields.u8(at + 16)?,
    })
}

/// The sender does not hear its partner.
const LOST: u8 = LacpEnd::EXPIRED | LacpEnd::DEFAULTED;

/// What is remembered of a port between two LACPDUs.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Member {
    last: Option<(LacpEnd, LacpEnd)>,
    out_of_sync: Option<Moment>,
    churn_told: bool,
}

impl Member {
    /// The next LACPDU of this port.
    pub(super) fn follow(&mut self, row: &Captured<'_>, said: &Announced, events: &mut Events) {
        let (Some(actor), Some(partner)) = (said.actor, said.partner) else { return };
        let subject = format!("{} port {}", actor.system, actor.port);
        let fact = |kind, before: Option<String>, after: String| Fact {
            protocol: "lacp",
            kind,
            src_mac: row.packet.src_mac,
            vlan: row.packet.vlan.map(|tag| tag.id),
            subject: Some(subject.clone().into()),
            before: before.map(Into::into),
            after: Some(after.into()),
            ..Fact::default()
        };
        let before = self.last.replace((actor, partner));
        let lost = actor.state & LOST;
        if lost != 0 && before.is_none_or(|(actor, _)| actor.state & LOST != lost) {
            let fact = fact("partner lost", before.map(|(actor, _)| actor.words()), actor.words());
            let what = if lost & LacpEnd::DEFAULTED != 0 { "no partner heard" } else { "the partner fell silent" };
            events.add(row, fact, || format!("{subject}: {what} ({})", actor.words()));
        }
        if let Some((actor_before, partner_before)) = before {
            if actor_before.state != actor.state {
                let fact = fact("state changed", Some(actor_before.words()), actor.words());
                events.add(row, fact, || format!("{subject}: {} → {}", actor_before.words(), actor.words()));
            }
            let who = |end: LacpEnd| format!("{} key {} port {}", end.system, end.key, end.port);
            if who(partner_before) != who(partner) {
                let fact = fact("partner changed", Some(who(partner_before)), who(partner));
                events.add(row, fact, || {
                    format!("{subject}: its partner was {}, now {}", who(partner_before), who(partner))
                });
            }
        }
        self.look_for_churn(row, actor, fact("churn", None, actor.words()), events);
    }

    fn look_for_churn(&mut self, row: &Captured<'_>, actor: LacpEnd, fact: Fact, events: &mut Events) {
        if actor.state & LacpEnd::SYNC != 0 {
            self.out_of_sync = None;
            self.churn_told = false;
            return;
        }
        let now = Moment::of(row);
        let since = *self.out_of_sync.get_or_insert(now);
        let Some(lasted) = now.since(since).filter(|lasted| *lasted >= CHURN && !self.churn_told) else { return };
        self.churn_told = true;
        let seconds = lasted / 1_000_000_000;
        events
            .add(row, fact, || format!("{} port {} is out of sync for {seconds} s and more", actor.system, actor.port));
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// An LACPDU of the systems 02:…:0a and 02:…:0b, each with this port and state.
    pub(in super::super) fn lacpdu(actor: (u8, u8), partner: (u8, u8)) -> Vec<u8> {
        let side = |kind, system, (port, state)| {
            [&[kind, 20, 0x80, 0, 2, 0, 0, 0, 0, system, 0, 13, 0x80, 0, 0, port][..], &[state, 0, 0, 0]].concat()
        };
        [&[1, 1][..], &side(1, 0x0a, actor), &side(2, 0x0b, partner), &[3, 16, 0x80, 0], &[0; 66]].concat()
    }

    #[test]
    fn both_sides_are_read_and_a_cut_one_is_not() {
        let pdu = lacpdu((22, 0x3d), (25, 0x3d));
        let full = read(&pdu);
        let partner = full.partner.unwrap();
        assert_eq!((partner.key, partner.port, partner.state, partner.system_priority), (13, 25, 0x3d, 0x8000));
        assert_eq!((full.port_id.as_deref(), full.incomplete), (Some("22"), None));
        for len in 0..pdu.len() {
            let said = read(&pdu[..len]);
            assert!(said.actor.is_none() || said.actor == full.actor, "{len}");
            assert!(said.partner.is_none() || said.partner == full.partner, "{len}");
            assert_eq!(said.incomplete.is_some(), len < PARTNER + 17, "{len}");
        }
    }
}
