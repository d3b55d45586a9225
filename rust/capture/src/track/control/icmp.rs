//! ICMP and `ICMPv6` errors: what could not be delivered, why, and which flow it was.

use super::events::Events;
use super::fields::Fields;
use crate::address::Address;
use crate::net;
use crate::packet::{Packet, Rest};
use crate::tables::captured::Captured;
use crate::tables::control_events::{Fact, Flow};

/// Where the quoted packet begins.
const QUOTE: usize = 8;

/// What kind of error this is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Told {
    kind: &'static str,
    mtu: bool,
}

const fn told(kind: &'static str) -> Told {
    Told { kind, mtu: false }
}

/// Errors of IPv4 by type and code (IANA; RFC 792, 1122, 1812).
fn v4(of_type: u8, code: u8) -> Option<Told> {
    Some(match (of_type, code) {
        (3, 0) => told("network unreachable"),
        (3, 1) => told("host unreachable"),
        (3, 2) => told("protocol unreachable"),
        (3, 3) => told("port unreachable"),
        (3, 4) => Told { kind: "fragmentation needed", mtu: true },
        (3, 5) => told("source route failed"),
        (3, 6) => told("network unknown"),
        (3, 7) => told("host unknown"),
        (3, 8) => told("source host isolated"),
        (3, 9) => told("network prohibited"),
        (3, 10) => told("host prohibited"),
        (3, 11) => told("network unreachable for this DSCP"),
        (3, 12) => told("host unreachable for this DSCP"),
        (3, 13) => told("administratively prohibited"),
        (3, 14) => told("host precedence violation"),
        (3, 15) => told("precedence cutoff"),
        (3, _) => told("unreachable"),
        (4, 0) => told("source quench"),
        (11, 0) => told("time to live exceeded"),
        (11, 1) => told("reassembly timed out"),
        (12, _) => told("bad header"),
        _ => return None,
    })
}

/// Errors of IPv6 (RFC 4443, 6550, 7112, 8883).
fn v6(of_type: u8, code: u8) -> Option<Told> {
    Some(match (of_type, code) {
        (1, 0) => told("no route"),
        (1, 1) => told("administratively prohibited"),
        (1, 2) => told("beyond scope of source"),
        (1, 3) => told("address unreachable"),
        (1, 4) => told("port unreachable"),
        (1, 5) => told("source failed policy"),
        (1, 6) => told("route rejected"),
        (1, _) => told("unreachable"),
        (2, _) => Told { kind: "packet too big", mtu: true },
        (3, 0) => told("time to live exceeded"),
        (3, 1) => told("reassembly timed out"),
        (4, _) => told("bad header"),
        _ => return None,
    })
}

/// An ICMP or `ICMPv6` packet.
pub(super) fn on_packet(row: &Captured<'_>, events: &mut Events) {
    let packet = &row.packet;
    let fields = Fields(packet.payload);
    let (Some(of_type), Some(code)) = (fields.u8(0), fields.u8(1)) else { return };
    let (protocol, told, mtu) = match packet.src {
        Some(Address::V4(_)) if of_type == 5 => {
            return redirect(row, "icmp", fields.ipv4(4), quoted(packet, QUOTE), events);
        }
        Some(Address::V6(_)) if of_type == 137 => {
            let flow = fields.ipv6(24).zip(packet.dst).map(|(dst, src)| Flow {
                src,
                dst,
                protocol: None,
                sport: None,
                dport: None,
            });
            return redirect(row, "icmpv6", fields.ipv6(8), flow, events);
        }
        Some(Address::V4(_)) => ("icmp", v4(of_type, code), fields.u16(6).map(u32::from)),
        Some(Address::V6(_)) => ("icmpv6", v6(of_type, code), fields.u32(4)),
        _ => return,
    };
    let Some(told) = told else { return };
    // Routers before RFC 1191 leave the field 0.
    let mtu = mtu.filter(|mtu| told.mtu && *mtu != 0);
    let flow = quoted(packet, QUOTE);
    let fact = Fact { code: Some(code), mtu, flow, ..fact(row, protocol, told.kind) };
    events.add(row, fact, || {
        let mtu = match mtu {
            Some(mtu) => format!(", next-hop MTU {mtu}"),
            None if told.mtu => ", MTU not told".to_owned(),
            None => String::new(),
        };
        format!("{}{mtu}, for {}", told.kind, Quoted(flow))
    });
}

fn redirect(row: &Captured<'_>, protocol: &'static str, to: Option<Address>, flow: Option<Flow>, events: &mut Events) {
    let subject = to.map(|to| to.to_string().into());
    let fact = Fact { subject, flow, ..fact(row, protocol, "redirect") };
    events.add(row, fact, || match to {
        Some(to) => format!("a better next hop is {to}, for {}", Quoted(flow)),
        None => "a better next hop, which was not captured".to_owned(),
    });
}

fn fact(row: &Captured<'_>, protocol: &'static str, kind: &'static str) -> Fact {
    Fact {
        protocol,
        kind,
        src: row.packet.src,
        dst: row.packet.dst,
        vlan: row.packet.vlan.map(|tag| tag.id),
        ..Fact::default()
    }
}

/// The packet that the error quotes: its header and, as a rule, no more than the ports behind it.
fn quoted(packet: &Packet<'_>, at: usize) -> Option<Flow> {
    let bytes = packet.payload.get(at..)?;
    let mut inner = Packet::default();
    let mut rest = Rest::new(bytes, bytes.len() as u32); // shorter than a packet
    let _ = net::decode(&mut rest, &mut inner); // where it stops is where the quote ends
    Some(Flow {
        src: inner.src?,
        dst: inner.dst?,
        protocol: inner.ip.map(|ip| ip.protocol),
        sport: inner.sport,
        dport: inner.dport,
    })
}

/// A flow in a sentence.
struct Quoted(Option<Flow>);

impl std::fmt::Display for Quoted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Some(flow) = self.0 else { return f.write_str("a packet that was not captured") };
        match flow.protocol {
            Some(net::TCP) => f.write_str("TCP ")?,
            Some(net::UDP) => f.write_str("UDP ")?,
            Some(other) => write!(f, "IP protocol {other} ")?,
            None => {}
        }
        let port = |port: Option<u16>| port.map(|port| format!(" port {port}")).unwrap_or_default();
        write!(f, "{}{} → {}{}", flow.src, port(flow.sport), flow.dst, port(flow.dport))
    }
}

#[cfg(test)]
mod tests;
