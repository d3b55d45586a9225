//! What a port says of itself in LLDP, CDP or LACP, as the columns of `neighbours` show it.
#![allow(missing_docs)] // the columns say it

use std::fmt::Write;

use crate::address::{Address, Mac};

/// Everything that one announcement said. `None` is what it did not say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Announced {
    pub chassis_id: Option<String>,
    pub chassis_id_kind: Option<&'static str>,
    pub port_id: Option<String>,
    pub port_id_kind: Option<&'static str>,
    pub port_description: Option<String>,
    pub system_name: Option<String>,
    pub system_description: Option<String>,
    pub management_address: Option<Management>,
    pub ttl: Option<u16>,
    pub port_vlan: Option<u16>,
    pub max_frame: Option<u16>,
    pub mtu: Option<u32>,
    pub aggregated: Option<bool>,
    pub aggregation_id: Option<u32>,
    pub auto_negotiation: Option<bool>,
    pub mau_type: Option<u16>,
    pub speed: Option<u32>,
    pub duplex: Option<&'static str>,
    pub actor: Option<LacpEnd>,
    pub partner: Option<LacpEnd>,
    pub ieee: bool,
    pub cee: bool,
    pub pfc: Option<Pfc>,
    pub ets: Option<Ets>,
    pub ets_recommended: Option<Ets>,
    pub apps: Vec<App>,
    pub apps_more: u32,
    pub roce_v1_priority: Option<u8>,
    pub roce_v2_priority: Option<u8>,
    /// Why it could not be read to its end.
    pub incomplete: Option<&'static str>,
}

/// Where the device can be managed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Management {
    Ip(Address),
    Mac(Mac),
}

/// One side of an aggregation, as an LACPDU describes it (IEEE 802.1AX, 6.4.2.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LacpEnd {
    pub system: Mac,
    pub system_priority: u16,
    pub key: u16,
    pub port: u16,
    pub state: u8,
}

impl LacpEnd {
    pub const SYNC: u8 = 0x08;
    pub const COLLECTING: u8 = 0x10;
    pub const DISTRIBUTING: u8 = 0x20;
    pub const DEFAULTED: u8 = 0x40;
    pub const EXPIRED: u8 = 0x80;

    /// The set bits by name, from the lowest on.
    pub fn words(self) -> String {
        const NAMES: [&str; 8] =
            ["active", "fast", "aggregatable", "sync", "collecting", "distributing", "defaulted", "expired"];
        list(NAMES.iter().enumerate().filter(|(bit, _)| self.state >> bit & 1 != 0).map(|(_, name)| name))
    }

    /// In sync, collecting and distributing: traffic flows through this member.
    pub const fn works(self) -> bool {
        const ALL: u8 = LacpEnd::SYNC | LacpEnd::COLLECTING | LacpEnd::DISTRIBUTING;
        self.state & ALL == ALL
    }
}

/// Priority flow control.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pfc {
    /// Bit n is priority n.
    pub enabled: u8,
    pub most_classes: u8,
    pub willing: bool,
    /// CEE only: the port says whether the feature is in operation.
    pub operating: Option<bool>,
}

/// Enhanced transmission selection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ets {
    /// Of a recommendation there is none.
    pub willing: Option<bool>,
    pub most_classes: Option<u8>,
    /// Traffic class (CEE: priority group) of each priority.
    pub classes: [u8; 8],
    /// Percent of each class.
    pub bandwidth: [u8; 8],
    /// Transmission selection algorithm of each class; CEE has none.
    pub algorithms: Option<[u8; 8]>,
}

impl Ets {
    pub fn classes_text(&self) -> String {
        list(self.classes.iter().enumerate().map(|(priority, class)| format!("{priority}:{class}")))
    }

    pub fn bandwidth_text(&self) -> String {
        let used = self.bandwidth.iter().enumerate().filter(|(_, percent)| **percent > 0);
        list(used.map(|(class, percent)| format!("{class}:{percent}")))
    }

    pub fn algorithms_text(&self) -> Option<String> {
        let named = |(class, algorithm): (usize, &u8)| match algorithm {
            0 => format!("{class}:strict"),
            1 => format!("{class}:cbs"),
            2 => format!("{class}:ets"),
            255 => format!("{class}:vendor"),
            other => format!("{class}:{other}"),
        };
        Some(list(self.algorithms.as_ref()?.iter().enumerate().map(named)))
    }
}

/// One entry of the application priorities.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct App {
    pub selector: Selector,
    pub protocol: u16,
    pub priority: u8,
}

/// What the number of an application entry is (IEEE 802.1Q table D-9).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Selector {
    Ethertype,
    Tcp,
    Udp,
    /// TCP, UDP and others.
    Port,
    Dscp,
    Other(u8),
}

impl App {
    fn text(self) -> String {
        let Self { selector, protocol, priority } = self;
        match selector {
            Selector::Ethertype if protocol == 0 => format!("default:{priority}"),
            Selector::Ethertype => format!("ethertype 0x{protocol:04x}:{priority}"),
            Selector::Tcp => format!("tcp {protocol}:{priority}"),
            Selector::Udp => format!("udp {protocol}:{priority}"),
            Selector::Port => format!("port {protocol}:{priority}"),
            Selector::Dscp => format!("dscp {protocol}:{priority}"),
            Selector::Other(number) => format!("selector {number} {protocol}:{priority}"),
        }
    }
}

impl Announced {
    /// Application entries kept: a full TLV has 168, an honest switch a handful.
    pub const MOST_APPS: usize = 24;

    pub fn add_app(&mut self, app: App) {
        // Of an entry that is repeated the first counts.
        match (app.selector, app.protocol) {
            (Selector::Ethertype, 0x8915) => _ = self.roce_v1_priority.get_or_insert(app.priority),
            (Selector::Udp | Selector::Port, 4791) => _ = self.roce_v2_priority.get_or_insert(app.priority),
            _ => {}
        }
        if self.apps.len() < Self::MOST_APPS {
            self.apps.push(app);
        } else {
            self.apps_more = self.apps_more.saturating_add(1);
        }
    }

    pub fn apps_text(&self) -> Option<String> {
        let mut text = list(self.apps.iter().map(|app| app.text()));
        if self.apps_more > 0 {
            let _ = write!(text, ",{} more", self.apps_more); // writing to a String cannot fail
        }
        (!text.is_empty()).then_some(text)
    }

    pub fn pfc_text(&self) -> Option<String> {
        let enabled = self.pfc?.enabled;
        Some(list((0..8).filter(|priority| enabled >> priority & 1 != 0)))
    }

    pub const fn dcbx(&self) -> Option<&'static str> {
        match (self.ieee, self.cee) {
            (true, true) => Some("both"),
            (true, false) => Some("ieee"),
            (false, true) => Some("cee"),
            (false, false) => None,
        }
    }

    /// Whether traffic flows through this member of an aggregation: as far as the sender knows, for both sides.
    pub fn aggregating(&self) -> Option<bool> {
        let (actor, partner) = (self.actor?, self.partner?);
        let heard = actor.state & (LacpEnd::DEFAULTED | LacpEnd::EXPIRED) == 0;
        Some(actor.works() && heard && partner.state & LacpEnd::SYNC != 0)
    }
}

fn list<T: std::fmt::Display>(items: impl Iterator<Item = T>) -> String {
    let mut text = String::new();
    for item in items {
        let comma = if text.is_empty() { "" } else { "," };
        let _ = write!(text, "{comma}{item}"); // writing to a String cannot fail
    }
    text
}

impl std::fmt::Display for Management {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Ip(address) => address.fmt(f),
            Self::Mac(mac) => mac.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_pfc_vector_is_not_the_same_as_no_pfc() {
        let pfc = |enabled| Announced {
            pfc: Some(Pfc { enabled, most_classes: 8, willing: false, operating: None }),
            ..Announced::default()
        };
        assert_eq!(pfc(0b1_1000).pfc_text().as_deref(), Some("3,4"));
        assert_eq!(pfc(0).pfc_text().as_deref(), Some(""));
        assert_eq!(Announced::default().pfc_text(), None);
    }

    #[test]
    fn many_application_entries_are_counted_and_roce_is_found_among_them() {
        let mut announced = Announced::default();
        for protocol in 0..60 {
            announced.add_app(App { selector: Selector::Tcp, protocol: 3000 + protocol, priority: 1 });
        }
        announced.add_app(App { selector: Selector::Udp, protocol: 4791, priority: 3 });
        let text = announced.apps_text().unwrap();
        assert!(text.starts_with("tcp 3000:1,tcp 3001:1,") && text.ends_with(",37 more"), "{text}");
        assert_eq!(announced.roce_v2_priority, Some(3));
    }

    #[test]
    fn a_member_aggregates_only_when_both_sides_are_in_sync() {
        let end = |state| LacpEnd { system: Mac([0; 6]), system_priority: 1, key: 1, port: 1, state };
        let of = |actor, partner| {
            Announced { actor: Some(end(actor)), partner: Some(end(partner)), ..Announced::default() }.aggregating()
        };
        assert_eq!(of(0x3d, 0x3d), Some(true));
        assert_eq!(of(0x3d, 0x05), Some(false));
        assert_eq!(of(0xbd, 0x3d), Some(false), "expired: the partner is not heard");
        assert_eq!(end(0x85).words(), "active,aggregatable,expired");
    }
}
