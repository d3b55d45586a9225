//! BGP (RFC 4271): sessions that open, end with a named error, or are cut off.

use std::collections::HashMap;

use super::events::Events;
use super::fields::Fields;
use crate::address::Address;
use crate::packet::Tcp;
use crate::tables::captured::Captured;
use crate::tables::control_events::Fact;

pub(super) const PORT: u16 = 179;
const MARKER: [u8; 16] = [0xff; 16];
/// Marker, length, type.
const HEADER: usize = 19;
const OPEN: u8 = 1;
const NOTIFICATION: u8 = 3;
const FIN: u8 = 0x01;
const RST: u8 = 0x04;
const MOST_SIDES: usize = 1 << 14;

type End = (Address, u16);

/// One direction of a session.
#[derive(Debug, Clone, Copy)]
struct Side {
    /// Sequence number at which the next message begins.
    next: u32,
}

/// The sessions of a capture.
#[derive(Debug, Default)]
pub(super) struct Sessions {
    sides: HashMap<(End, End), Side>,
    /// Segments of sessions beyond the limit.
    pub(super) untracked: u64,
}

impl Sessions {
    /// A segment from or to port 179.
    pub(super) fn on_segment(&mut self, row: &Captured<'_>, tcp: &Tcp<'_>, events: &mut Events) {
        let packet = &row.packet;
        let (Some(src), Some(sport), Some(dst), Some(dport)) = (packet.src, packet.sport, packet.dst, packet.dport)
        else {
            return;
        };
        let ends = ((src, sport), (dst, dport));
        if !packet.payload.is_empty() {
            self.messages(row, ends, tcp.seq, events);
        }
        if tcp.flags & (RST | FIN) == 0 {
            return;
        }
        // Without a message there was no session: a refused or scanned port is TCP's to tell.
        let back = (ends.1, ends.0);
        let forth = self.sides.remove(&ends).is_some();
        let known = if tcp.flags & RST != 0 { self.sides.remove(&back).is_some() || forth } else { forth };
        if known {
            let kind = if tcp.flags & RST != 0 { "session reset" } else { "session closed" };
            let how = if tcp.flags & RST != 0 { "resets" } else { "closes" };
            events.add(row, fact(row, kind), || format!("{src} {how} the connection of its session with {dst}"));
        }
    }

    fn messages(&mut self, row: &Captured<'_>, ends: (End, End), seq: u32, events: &mut Events) {
        let payload = row.packet.payload;
        let known = self.sides.get(&ends).copied();
        // A message may begin in the middle of a segment, behind the rest of a longer one.
        let mut at = match known {
            Some(side) => match side.next.wrapping_sub(seq) {
                ahead if (ahead as usize) < payload.len() => ahead as usize,
                0x8000_0000.. => 0, // segments are missing: begin anew where a marker is
                _ => return,        // sent again, or the inside of a long message
            },
            None => 0,
        };
        let mut next = None;
        while let Some(message) = payload.get(at..) {
            let fields = Fields(message);
            let (Some(&MARKER), Some(len), Some(kind)) = (fields.bytes(0), fields.u16(16), fields.u8(18)) else {
                break;
            };
            let len = usize::from(len);
            if len < HEADER {
                break;
            }
            let body = message.get(HEADER..len);
            match (kind, body) {
                (OPEN, Some(body)) => open(row, Fields(body), events),
                (NOTIFICATION, Some(body)) => notification(row, Fields(body), events),
                _ => {}
            }
            at = at.saturating_add(len);
            next = Some(seq.wrapping_add(at as u32)); // at most a segment and a message
        }
        let Some(next) = next else { return };
        if known.is_none() && self.sides.len() >= MOST_SIDES {
            self.untracked = self.untracked.saturating_add(1);
            return;
        }
        self.sides.insert(ends, Side { next });
    }
}

fn fact(row: &Captured<'_>, kind: &'static str) -> Fact {
    Fact {
        protocol: "bgp",
        kind,
        src: row.packet.src,
        dst: row.packet.dst,
        vlan: row.packet.vlan.map(|tag| tag.id),
        ..Fact::default()
    }
}

fn open(row: &Captured<'_>, body: Fields<'_>, events: &mut Events) {
    let (Some(version), Some(system), Some(hold), Some(router)) = (body.u8(0), body.u16(1), body.u16(3), body.ipv4(5))
    else {
        return;
    };
    let system = four_octets(body).unwrap_or(system.into());
    let fact = Fact { subject: Some(format!("AS {system}").into()), ..fact(row, "open") };
    events.add(row, fact, || {
        let hold = if hold == 0 { "no hold time".to_owned() } else { format!("hold time {hold} s") };
        format!("AS {system}, router {router}, version {version}, proposes {hold}")
    });
}

/// The AS number of capability 65 (RFC 6793) among the optional parameters.
fn four_octets(body: Fields<'_>) -> Option<u32> {
    const CAPABILITIES: u8 = 2;
    const FOUR_OCTETS: u8 = 65;
    let mut parameters = body.0.get(10..)?;
    while let Some((&[kind, len], rest)) = parameters.split_first_chunk() {
        let (mut value, next) = rest.split_at_checked(len.into())?;
        while let Some((&[code, len], rest)) = value.split_first_chunk().filter(|_| kind == CAPABILITIES) {
            let (capability, next) = rest.split_at_checked(len.into())?;
            if code == FOUR_OCTETS {
                return Fields(capability).u32(0);
            }
            value = next;
        }
        parameters = next;
    }
    None
}

fn notification(row: &Captured<'_>, body: Fields<'_>, events: &mut Events) {
    let (Some(code), Some(subcode)) = (body.u8(0), body.u8(1)) else { return };
    let error = error(code);
    let fact = Fact {
        code: Some(code),
        subject: Some(format!("{error}, subcode {subcode}").into()),
        ..fact(row, "notification")
    };
    events.add(row, fact, || {
        let detail = detail(code, subcode);
        format!("ends the session: {error} (code {code}){detail} (subcode {subcode})")
    });
}

/// Error codes (IANA).
const fn error(code: u8) -> &'static str {
    match code {
        1 => "message header error",
        2 => "OPEN message error",
        3 => "UPDATE message error",
        4 => "hold timer expired",
        5 => "finite state machine error",
        6 => "cease",
        7 => "ROUTE-REFRESH message error",
        8 => "send hold timer expired",
        _ => "error that is not known",
    }
}

/// Subcodes that say what to do next (RFC 4271, 4486, 9003, 9384).
const fn detail(code: u8, subcode: u8) -> &'static str {
    match (code, subcode) {
        (2, 1) => ", unsupported version",
        (2, 2) => ", wrong peer AS",
        (2, 3) => ", bad router id",
        (2, 4) => ", unsupported parameter",
        (2, 6) => ", unacceptable hold time",
        (2, 7) => ", unsupported capability",
        (6, 1) => ", too many prefixes",
        (6, 2) => ", administrative shutdown",
        (6, 3) => ", peer removed",
        (6, 4) => ", administrative reset",
        (6, 5) => ", connection rejected",
        (6, 6) => ", other configuration change",
        (6, 7) => ", connection collision",
        (6, 8) => ", out of resources",
        (6, 9) => ", hard reset",
        (6, 10) => ", BFD down",
        _ => "",
    }
}

#[cfg(test)]
mod tests;
