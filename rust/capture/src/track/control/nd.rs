//! IPv6 neighbour discovery (RFC 4861, 4862): the same questions and claims as ARP, in `ICMPv6`.

use super::arp::sends;
use super::events::Events;
use super::fields::Fields;
use super::resolution::{Question, Resolution};
use crate::address::{Address, Mac};
use crate::tables::captured::Captured;

pub(super) const SOLICITATION: u8 = 135;
pub(super) const ADVERTISEMENT: u8 = 136;
/// Flag of an advertisement: replaces what is known. Proxies and anycast addresses leave it out (7.2.8, 7.2.7).
const OVERRIDE: u8 = 0x20;
const SOURCE_MAC: u8 = 1;
const TARGET_MAC: u8 = 2;
const NOBODY: Address = Address::V6([0; 16]);
/// Type, code, checksum, flags and target.
const HEADER: usize = 24;
/// Routers do not forward these packets (RFC 4861, 7.1): another hop limit is an impostor's, or a message in a tunnel.
const HOP_LIMIT: u8 = 255;

/// A solicitation or an advertisement.
pub(super) fn on_packet(row: &Captured<'_>, resolution: &mut Resolution, events: &mut Events) {
    let fields = Fields(row.packet.payload);
    let (Some(of_type), Some(flags), Some(target)) = (fields.u8(0), fields.u8(4), fields.ipv6(8)) else { return };
    let (Some(src), Some(dst)) = (row.packet.src, row.packet.dst) else { return };
    if row.packet.ip.is_none_or(|ip| ip.ttl != HOP_LIMIT) || !matches!(src, Address::V6(_)) {
        return;
    }
    resolution.passes(row);
    let wanted = if of_type == SOLICITATION { SOURCE_MAC } else { TARGET_MAC };
    let Some(mac) = option(row.packet.payload, wanted).or(row.packet.src_mac).filter(|mac| sends(*mac)) else { return };
    if of_type == SOLICITATION {
        if src == NOBODY {
            resolution.test(row, mac, target);
            return;
        }
        if option(row.packet.payload, SOURCE_MAC).is_some() {
            resolution.claim(row, "nd", src, mac, events);
        }
        resolution.ask(row, "nd", Question { asker: mac, by: src, about: target }, events);
        return;
    }
    if flags & OVERRIDE != 0 {
        resolution.claim(row, "nd", target, mac, events);
    }
    if let (Some(asker), Address::V6([first, ..])) = (row.packet.dst_mac, dst)
        && first != 0xff
    {
        resolution.answer(row, asker, target);
    }
}

/// The link-layer address in an option of this type. The length counts units of 8; 0 would never end.
fn option(payload: &[u8], wanted: u8) -> Option<Mac> {
    let mut rest = payload.get(HEADER..)?;
    loop {
        let (&[kind, units], _) = rest.split_first_chunk()?;
        let (this, next) = rest.split_at_checked(usize::from(units) * 8).filter(|(this, _)| !this.is_empty())?;
        if kind == wanted {
            return Fields(this).mac(2);
        }
        rest = next;
    }
}
