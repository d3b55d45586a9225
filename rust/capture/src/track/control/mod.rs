//! Control protocols on the wire: neighbours, and events of links, routes and addresses.

mod arp;
mod bfd;
mod bgp;
mod cdp;
mod dcbx;
mod events;
mod fields;
mod gateways;
mod icmp;
mod lacp;
mod lldp;
mod mau;
mod nd;
mod neighbours;
mod resolution;
mod settings;
mod stp;
#[cfg(test)]
mod tests;
mod text;
mod tlvs;

use crate::net;
use crate::packet::{Kind, Packet};
use crate::tables::captured::Captured;
use crate::tables::control_events::ControlEvent;
use crate::tables::neighbours::Neighbour;
use crate::tables::problems::ProblemRow;
use events::Events;
use gateways::Gateways;
use neighbours::Neighbours;
use resolution::Resolution;
use stp::Trees;

/// What control protocols said.
#[derive(Debug, Default)]
pub struct Control {
    events: Events,
    neighbours: Neighbours,
    trees: Trees,
    arp: Resolution,
    nd: Resolution,
    bgp: bgp::Sessions,
    bfd: bfd::Sessions,
    gateways: Gateways,
    last_frame: u64,
    last_ts: Option<i64>,
}

impl Control {
    /// A packet passed the tap that is neither RDMA nor a pause. Nearly all are TCP or UDP of other ports, for which two
    /// comparisons must do.
    #[inline]
    pub fn on_packet(&mut self, row: &Captured<'_>) {
        if concerns(&row.packet) {
            self.follow(row);
        }
    }

    #[cold]
    fn follow(&mut self, row: &Captured<'_>) {
        self.last_frame = row.frame;
        self.last_ts = self.last_ts.max(row.ts);
        let packet = &row.packet;
        let events = &mut self.events;
        match packet.kind {
            Kind::Lldp | Kind::Cdp | Kind::Lacp => self.neighbours.on_announcement(row, events),
            Kind::Stp => self.trees.on_bpdu(row, events),
            Kind::Arp => arp::on_packet(row, &mut self.arp, events),
            // a later fragment has no header
            Kind::Icmp if packet.stopped.is_none() => {
                let six = packet.ip.is_some_and(|ip| ip.protocol == net::ICMPV6);
                match packet.payload.first() {
                    Some(&(nd::SOLICITATION | nd::ADVERTISEMENT)) if six => nd::on_packet(row, &mut self.nd, events),
                    _ => icmp::on_packet(row, events),
                }
            }
            Kind::Tcp => {
                if let Some(tcp) = &packet.tcp {
                    self.bgp.on_segment(row, tcp, events);
                }
            }
            Kind::Udp if packet.dport.is_some_and(|port| gateways::HSRP.contains(&port)) => {
                self.gateways.on_hsrp(row, events);
            }
            Kind::Udp => self.bfd.on_packet(row, events),
            Kind::Other => self.gateways.on_vrrp(row, events),
            _ => {}
        }
    }

    /// The rows of `neighbours` and `control_events`; limits that were hit go to `problems`.
    pub fn finish(mut self, source: &str, problems: &mut Vec<ProblemRow>) -> (Vec<Neighbour>, Vec<ControlEvent>) {
        let neighbours_untracked = self.neighbours.untracked;
        let rows = self.neighbours.finish(source, self.last_ts, &mut self.events);
        let untracked = [
            (neighbours_untracked, "announcements of more ports"),
            (self.trees.untracked, "BPDUs of more spanning trees"),
            (self.arp.untracked, "ARP packets about more addresses"),
            (self.nd.untracked, "neighbour discovery packets about more addresses"),
            (self.bgp.untracked, "BGP segments of more sessions"),
            (self.bfd.untracked, "BFD packets of more sessions"),
            (self.gateways.untracked, "VRRP and HSRP messages of more groups"),
        ];
        self.arp.finish("arp", &mut self.events);
        self.nd.finish("nd", &mut self.events);
        let events = [(self.events.untracked, "control events of more kinds")];
        for (count, what) in untracked.into_iter().chain(events).filter(|(count, _)| *count > 0) {
            problems.push(ProblemRow {
                source: source.to_owned(),
                offset: 0,
                frame: self.last_frame,
                what: format!("{count} {what} than are tracked"),
                next: "filter the capture by host or VLAN and read it again".to_owned(),
            });
        }
        (rows, self.events.finish(source))
    }
}

/// Whether a packet belongs to a control protocol, in as few instructions as can be.
#[inline]
fn concerns(packet: &Packet<'_>) -> bool {
    match packet.kind {
        Kind::Tcp => packet.dport == Some(bgp::PORT) || packet.sport == Some(bgp::PORT),
        Kind::Udp => match (packet.sport, packet.dport) {
            (Some(bfd::SEAMLESS), _) => true,
            (_, Some(port)) => bfd::PORTS.contains(&port) || gateways::HSRP.contains(&port),
            _ => false,
        },
        Kind::Other => packet.ip.is_some_and(|ip| ip.protocol == gateways::VRRP),
        Kind::Icmp | Kind::Arp | Kind::Lldp | Kind::Cdp | Kind::Lacp | Kind::Stp => true,
        Kind::Roce | Kind::Pfc | Kind::Pause => false,
    }
}
