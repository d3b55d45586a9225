//! Who has which address: claims that contradict each other, and questions that nobody answers. ARP and IPv6 neighbour
//! discovery both end here.

use std::collections::{HashMap, HashSet};

use super::events::{Events, Moment};
use crate::address::{Address, Mac};
use crate::tables::captured::Captured;
use crate::tables::control_events::Fact;

/// Addresses whose owner is remembered, and questions that wait for an answer.
const MOST_ADDRESSES: usize = 1 << 16;
/// Questions that follow each other within this time are one try: Linux asks every second, others up to every few.
const RETRY: i64 = 5_000_000_000;
/// So many questions make a try that failed: Linux gives up after three.
const RETRIES: u64 = 3;

/// Where an address is unique: the same one in another VLAN or tunnel is another host's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Segment {
    interface: u32,
    vlan: Option<u16>,
    tunnel: Option<u32>,
}

impl Segment {
    fn of(row: &Captured<'_>) -> Self {
        Self {
            interface: row.interface,
            vlan: row.packet.vlan.map(|tag| tag.id),
            tunnel: row.packet.outer.and_then(|outer| outer.id),
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct Owner {
    mac: Mac,
    before: Option<Mac>,
}

#[derive(Debug, Clone, Copy)]
struct Asked {
    by: Address,
    count: u64,
    first: Moment,
    last: Moment,
}

/// Somebody asks who has an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Question {
    pub(super) asker: Mac,
    pub(super) by: Address,
    pub(super) about: Address,
}

/// What is known of the addresses of a capture.
#[derive(Debug, Default)]
pub(super) struct Resolution {
    owners: HashMap<(Segment, Address), Owner>,
    asked: HashMap<(Segment, Mac, Address), Asked>,
    tests: HashMap<(Segment, Address), (Mac, Moment)>,
    /// Hosts to which the tap saw a packet of this protocol go: it would see their answers.
    reached: HashSet<(Segment, Mac)>,
    /// Claims and questions beyond the limit.
    pub(super) untracked: u64,
}

impl Resolution {
    /// `mac` says that it has this address.
    pub(super) fn claim(
        &mut self,
        row: &Captured<'_>,
        protocol: &'static str,
        address: Address,
        mac: Mac,
        events: &mut Events,
    ) {
        self.look_for_test(row, protocol, address, mac, events);
        let place = (Segment::of(row), address);
        let Some(owner) = self.owners.get_mut(&place) else {
            if self.owners.len() >= MOST_ADDRESSES {
                self.untracked = self.untracked.saturating_add(1);
                return;
            }
            self.owners.insert(place, Owner { mac, before: None });
            return;
        };
        if owner.mac == mac {
            return;
        }
        let old = owner.mac;
        // One that comes back after another: both have it. Otherwise it may have moved for good.
        let conflict = owner.before == Some(mac);
        *owner = Owner { mac, before: Some(old) };
        // The two of a conflict take turns: one row for both orders.
        let (first, second) = if conflict && mac < old { (mac, old) } else { (old, mac) };
        let fact = Fact {
            before: Some(first.to_string().into()),
            after: Some(second.to_string().into()),
            src_mac: (!conflict).then_some(mac),
            ..fact(row, protocol, if conflict { "address conflict" } else { "address moved" }, address)
        };
        events.add(row, fact, || {
            if conflict {
                format!("{first} and {second} claim {address} in turns")
            } else {
                format!("{address} was claimed by {old}, now by {mac}")
            }
        });
    }

    /// A packet passed that may go to one host only.
    pub(super) fn passes(&mut self, row: &Captured<'_>) {
        if let Some(dst) = row.packet.dst_mac.filter(|mac| mac.0[0] & 1 == 0)
            && self.reached.len() < MOST_ADDRESSES
        {
            self.reached.insert((Segment::of(row), dst));
        }
    }

    /// A question.
    pub(super) fn ask(&mut self, row: &Captured<'_>, protocol: &'static str, question: Question, events: &mut Events) {
        let place = (Segment::of(row), question.asker, question.about);
        let now = Moment::of(row);
        let fresh = Asked { by: question.by, count: 1, first: now, last: now };
        let Some(asked) = self.asked.get_mut(&place) else {
            if self.asked.len() >= MOST_ADDRESSES {
                self.untracked = self.untracked.saturating_add(1);
                return;
            }
            self.asked.insert(place, fresh);
            return;
        };
        if now.since(asked.last).is_some_and(|gap| gap <= RETRY) {
            asked.count = asked.count.saturating_add(1);
            asked.last = now;
        } else {
            let before = std::mem::replace(asked, fresh);
            self.tell_unanswered(protocol, place, before, events);
        }
    }

    /// `asker` got an answer about this address.
    pub(super) fn answer(&mut self, row: &Captured<'_>, asker: Mac, address: Address) {
        self.asked.remove(&(Segment::of(row), asker, address));
    }

    /// Somebody tests whether an address is free, before taking it.
    pub(super) fn test(&mut self, row: &Captured<'_>, tester: Mac, address: Address) {
        let place = (Segment::of(row), address);
        if self.tests.len() >= MOST_ADDRESSES && !self.tests.contains_key(&place) {
            self.untracked = self.untracked.saturating_add(1);
            return;
        }
        self.tests.insert(place, (tester, Moment::of(row)));
    }

    /// A claim while another host tests the same address says that the address is not free.
    fn look_for_test(
        &mut self,
        row: &Captured<'_>,
        protocol: &'static str,
        address: Address,
        mac: Mac,
        events: &mut Events,
    ) {
        if self.tests.is_empty() {
            return;
        }
        let Some((tester, since)) = self.tests.remove(&(Segment::of(row), address)) else { return };
        if tester == mac || Moment::of(row).since(since).is_none_or(|gap| gap > RETRY) {
            return;
        }
        let fact = Fact {
            src_mac: Some(mac),
            before: Some(mac.to_string().into()),
            after: Some(tester.to_string().into()),
            ..fact(row, protocol, "duplicate address", address)
        };
        events.add(row, fact, || format!("{tester} wants to take {address}, which {mac} has"));
    }

    /// Questions without an answer, at the end of the capture.
    pub(super) fn finish(mut self, protocol: &'static str, events: &mut Events) {
        let mut open: Vec<_> = std::mem::take(&mut self.asked).into_iter().collect();
        open.sort_by_key(|(_, asked)| asked.first.frame); // the same rows in every run
        for (place, asked) in open {
            self.tell_unanswered(protocol, place, asked, events);
        }
    }

    /// Answers go to the asker alone: many taps do not see them, and asking again and again is no proof that none came.
    fn tell_unanswered(
        &self,
        protocol: &'static str,
        (segment, asker, about): (Segment, Mac, Address),
        run: Asked,
        events: &mut Events,
    ) {
        if run.count < RETRIES {
            return;
        }
        let seen = self.reached.contains(&(segment, asker));
        let fact = Fact {
            protocol,
            kind: if seen { "unanswered" } else { "asked again" },
            src_mac: Some(asker),
            src: Some(run.by),
            vlan: segment.vlan,
            subject: Some(about.to_string().into()),
            ..Fact::default()
        };
        let count = run.count;
        events.add_run(run.first, run.last, count, fact, || {
            let none = if seen {
                "no answer came"
            } else {
                "no answer passed this tap, which may not see what goes to the asker"
            };
            format!("{asker} asked {count} times in a row for {about}; {none}")
        });
    }
}

fn fact(row: &Captured<'_>, protocol: &'static str, kind: &'static str, address: Address) -> Fact {
    Fact {
        protocol,
        kind,
        vlan: row.packet.vlan.map(|tag| tag.id),
        subject: Some(address.to_string().into()),
        ..Fact::default()
    }
}

#[cfg(test)]
mod tests;
