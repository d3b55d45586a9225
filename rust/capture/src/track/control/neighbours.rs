//! The ports that announced themselves, and what they changed since they were first heard.

use std::collections::HashMap;

use super::events::{Events, Moment};
use super::lacp::Member;
use super::settings::{self, SETTINGS};
use super::{cdp, lacp, lldp};
use crate::address::Mac;
use crate::packet::Kind;
use crate::tables::captured::Captured;
use crate::tables::control_events::Fact;
use crate::tables::neighbours::Neighbour;
use crate::tables::neighbours::announced::Announced;

/// Ports kept. A capture of one link has two; a collector that mirrors a data hall has some thousand.
const MOST_PORTS: usize = 1 << 13;

/// What tells one announcing port from another. Devices that send from one MAC on all ports differ in the port id.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Announcer {
    protocol: &'static str,
    interface: u32,
    sender: Option<Mac>,
    chassis_id: Option<String>,
    port_id: Option<String>,
}

#[derive(Debug)]
struct Heard {
    row: Neighbour,
    member: Member,
    /// How long the last announcement holds, in nanoseconds; 0 after a good-bye, `None` when it does not say.
    holds: Option<i64>,
    /// The values come from an announcement that was read whole.
    whole: bool,
}

/// The neighbours of a capture.
#[derive(Debug, Default)]
pub(super) struct Neighbours {
    ports: HashMap<Announcer, Heard>,
    /// Announcements beyond the limit.
    pub(super) untracked: u64,
}

impl Neighbours {
    /// A frame of LLDP, CDP or LACP.
    pub(super) fn on_announcement(&mut self, row: &Captured<'_>, events: &mut Events) {
        let payload = row.packet.payload;
        let (protocol, said) = match row.packet.kind {
            Kind::Lldp => ("lldp", lldp::read(payload)),
            Kind::Cdp => ("cdp", cdp::read(payload)),
            _ => ("lacp", lacp::read(payload)),
        };
        let announcer = Announcer {
            protocol,
            interface: row.interface,
            sender: row.packet.src_mac,
            chassis_id: said.chassis_id.clone(),
            port_id: said.port_id.clone(),
        };
        let known = self.ports.len();
        let heard = match self.ports.get_mut(&announcer) {
            Some(heard) => heard,
            None if known >= MOST_PORTS => {
                self.untracked = self.untracked.saturating_add(1);
                return;
            }
            None => self.ports.entry(announcer).or_insert_with(|| Heard::first(row, protocol)),
        };
        heard.take(row, said, events);
    }

    /// The rows, in the order in which they were first heard. `end` is the last moment of the capture that is known.
    pub(super) fn finish(self, source: &str, end: Option<i64>, events: &mut Events) -> Vec<Neighbour> {
        let mut all: Vec<Heard> = self.ports.into_values().collect();
        all.sort_by(|a, b| {
            let key = |heard: &Heard| (heard.row.first_frame, heard.row.sender);
            key(a).cmp(&key(b))
        });
        let mut last_of: HashMap<(&'static str, u32, Option<Mac>), usize> = HashMap::new();
        for (at, heard) in all.iter().enumerate() {
            let row = &heard.row;
            let before = last_of.insert((row.protocol, row.interface, row.sender), at);
            let ran_out = heard.ran_out(end);
            if ran_out {
                heard.tell_expiry(events);
            }
            if let Some(before) = before.and_then(|before| all.get(before)) {
                // Devices that send from one MAC on all ports interleave them: only a port that fell silent was left.
                if before.row.last_frame < row.first_frame && before.ran_out(end) {
                    tell_move(&before.row, row, events);
                }
            }
        }
        all.into_iter().map(|heard| Neighbour { source: source.to_owned(), ..heard.row }).collect()
    }
}

impl Heard {
    fn first(row: &Captured<'_>, protocol: &'static str) -> Self {
        let row = Neighbour {
            source: String::new(),
            protocol,
            interface: row.interface,
            sender: row.packet.src_mac,
            first_ts: row.ts,
            last_ts: row.ts,
            first_frame: row.frame,
            last_frame: row.frame,
            announcements: 0,
            said: Announced::default(),
        };
        Self { row, member: Member::default(), holds: None, whole: false }
    }

    fn take(&mut self, row: &Captured<'_>, said: Announced, events: &mut Events) {
        let neighbour = &mut self.row;
        let first = neighbour.announcements == 0;
        neighbour.announcements = neighbour.announcements.saturating_add(1);
        neighbour.last_ts = row.ts.or(neighbour.last_ts);
        neighbour.last_frame = row.frame;
        self.holds = said.ttl.map(|seconds| i64::from(seconds) * 1_000_000_000);
        self.member.follow(row, &said, events);
        if said.ttl == Some(0) {
            // The rest of a good-bye is empty, and nothing was changed: the name is the one known before.
            if first {
                neighbour.said = said;
            } else {
                neighbour.said.ttl = Some(0);
            }
            let said = &neighbour.said;
            let fact = fact(neighbour.protocol, "shutdown", neighbour.sender, said, row);
            events.add(row, fact, || format!("{} takes back what it announced (time to live 0)", settings::name(said)));
            return;
        }
        if !first && said.incomplete.is_some() {
            // What a cut announcement does not say was not taken back.
            neighbour.said.incomplete = said.incomplete;
            return;
        }
        if self.whole && neighbour.said != said && neighbour.said.ttl != Some(0) {
            for setting in SETTINGS {
                let (before, after) = ((setting.text)(&neighbour.said), (setting.text)(&said));
                if before == after {
                    continue;
                }
                let shown = |text: &Option<String>| match text.as_deref() {
                    None => "not said".to_owned(),
                    Some("") => "none".to_owned(),
                    Some(text) => text.to_owned(),
                };
                let name = settings::name(&said);
                let detail = format!("{name}: {} {} → {}", setting.name, shown(&before), shown(&after));
                let fact = Fact {
                    before: before.map(|text| format!("{} {text}", setting.name).into()),
                    after: after.map(|text| format!("{} {text}", setting.name).into()),
                    ..fact(neighbour.protocol, "setting changed", neighbour.sender, &said, row)
                };
                events.add(row, fact, || detail);
            }
        }
        self.whole = said.incomplete.is_none();
        neighbour.said = said;
    }

    /// The last announcement no longer held when the capture ended.
    fn ran_out(&self, end: Option<i64>) -> bool {
        let (Some(holds), Some(last), Some(end)) = (self.holds, self.row.last_ts, end) else { return false };
        end.saturating_sub(last) > holds
    }

    fn tell_expiry(&self, events: &mut Events) {
        let (row, said) = (&self.row, &self.row.said);
        if self.holds == Some(0) {
            return; // it said good-bye, which is told
        }
        let last = Moment { ts: row.last_ts, frame: row.last_frame };
        let fact = Fact {
            protocol: row.protocol,
            kind: "expired",
            src_mac: row.sender,
            subject: Some(settings::name(said).into()),
            ..Fact::default()
        };
        let seconds = said.ttl.unwrap_or_default();
        events.add_run(last, last, 1, fact, || {
            format!(
                "{} was not heard again within the {seconds} s that its last announcement holds",
                settings::name(said)
            )
        });
    }
}

/// One sender that now names another port than it did.
fn tell_move(before: &Neighbour, after: &Neighbour, events: &mut Events) {
    let moment = Moment { ts: after.first_ts, frame: after.first_frame };
    let (old, new) = (settings::name(&before.said), settings::name(&after.said));
    let fact = Fact {
        protocol: after.protocol,
        kind: "port changed",
        src_mac: after.sender,
        subject: Some(new.clone().into()),
        before: Some(old.clone().into()),
        after: Some(new.clone().into()),
        ..Fact::default()
    };
    events.add_run(moment, moment, 1, fact, || format!("the sender was {old} and is now {new}"));
}

fn fact(protocol: &'static str, kind: &'static str, sender: Option<Mac>, said: &Announced, row: &Captured<'_>) -> Fact {
    Fact {
        protocol,
        kind,
        src_mac: sender,
        vlan: row.packet.vlan.map(|tag| tag.id),
        subject: Some(settings::name(said).into()),
        ..Fact::default()
    }
}

#[cfg(test)]
mod tests;
