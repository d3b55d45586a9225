//! Frames as bytes through the decoder and the whole of [`Control`], to rows: what an engineer would see of them.

mod hostile;
pub(super) mod round_trip;

use super::Control;
use crate::address::Mac;
use crate::decode::decode;
use crate::link;
use crate::tables::captured::Captured;
use crate::tables::control_events::ControlEvent;
use crate::tables::neighbours::Neighbour;

pub(super) const SECOND: i64 = 1_000_000_000;
pub(super) const BROADCAST: [u8; 6] = [0xff; 6];

/// A host's MAC.
pub(super) const fn mac(last: u8) -> [u8; 6] {
    [2, 0, 0, 0, 0, last]
}

pub(super) fn ethernet(dst: [u8; 6], src: [u8; 6], ethertype: u16, payload: &[u8]) -> Vec<u8> {
    [&dst[..], &src, &ethertype.to_be_bytes(), payload].concat()
}

pub(super) fn tagged(vlan: u16, frame: &[u8]) -> Vec<u8> {
    [&frame[..12], &[0x81, 0], &vlan.to_be_bytes(), &frame[12..]].concat()
}

pub(super) fn ipv4(src: [u8; 4], dst: [u8; 4], protocol: u8, payload: &[u8]) -> Vec<u8> {
    let total = (20 + payload.len()) as u16;
    let front = [&[0x45, 0][..], &total.to_be_bytes(), &[0, 1, 0x40, 0, 64, protocol, 0, 0]].concat();
    [&front[..], &src, &dst, payload].concat()
}

pub(super) fn ipv6(src: [u8; 16], dst: [u8; 16], next: u8, payload: &[u8]) -> Vec<u8> {
    let front = [&[0x60, 0, 0, 0][..], &(payload.len() as u16).to_be_bytes(), &[next, 255]].concat();
    [&front[..], &src, &dst, payload].concat()
}

pub(super) fn udp(sport: u16, dport: u16, payload: &[u8]) -> Vec<u8> {
    let len = 8 + payload.len() as u16;
    [&sport.to_be_bytes()[..], &dport.to_be_bytes(), &len.to_be_bytes(), &[0, 0], payload].concat()
}

pub(super) fn tcp(ports: (u16, u16), seq: u32, flags: u8, payload: &[u8]) -> Vec<u8> {
    let ports = [ports.0.to_be_bytes(), ports.1.to_be_bytes()].concat();
    let rest = [&seq.to_be_bytes()[..], &[0, 0, 0, 0, 0x50, flags, 1, 0, 0, 0, 0, 0]].concat();
    [&ports[..], &rest, payload].concat()
}

/// An IPv4 packet in a frame between two hosts.
pub(super) fn over_ipv4(src: [u8; 4], dst: [u8; 4], protocol: u8, payload: &[u8]) -> Vec<u8> {
    ethernet(mac(2), mac(1), 0x0800, &ipv4(src, dst, protocol, payload))
}

/// A place where a capture is made.
#[derive(Default)]
pub(super) struct Tap {
    control: Control,
    frame: u64,
}

impl Tap {
    /// A whole frame passes, so many nanoseconds after the start.
    pub(super) fn sees(&mut self, ts: i64, frame: &[u8]) {
        self.sees_cut(ts, frame, frame.len());
    }

    /// Only its first bytes are captured.
    pub(super) fn sees_cut(&mut self, ts: i64, frame: &[u8], captured: usize) {
        self.frame += 1;
        self.control.on_packet(&Captured {
            source: "tap",
            frame: self.frame,
            ts: Some(ts),
            interface: 0,
            captured_len: captured as u32,
            wire_len: frame.len() as u32,
            link_type: link::ETHERNET,
            packet: decode(link::ETHERNET, &frame[..captured], frame.len() as u32),
        });
    }

    pub(super) fn rows(self) -> (Vec<Neighbour>, Vec<ControlEvent>) {
        let mut problems = Vec::new();
        let rows = self.control.finish("tap", &mut problems);
        assert!(problems.is_empty(), "{problems:?}");
        rows
    }

    pub(super) fn events(self) -> Vec<ControlEvent> {
        self.rows().1
    }
}

/// Protocol, kind and count of each event.
pub(super) fn kinds(events: &[ControlEvent]) -> Vec<(&'static str, &'static str, u64)> {
    events.iter().map(|event| (event.fact.protocol, event.fact.kind, event.count)).collect()
}

/// Captured through a snap length, a message may say less, and never anything else. Gives the rows of each length.
pub(super) fn cuts(frame: &[u8]) -> Vec<(Vec<Neighbour>, Vec<ControlEvent>)> {
    let of = |len| {
        let mut tap = Tap::default();
        tap.sees_cut(0, frame, len);
        tap.rows()
    };
    (0..=frame.len()).map(of).collect()
}

#[test]
fn what_is_no_control_protocol_leaves_no_row() {
    let mut tap = Tap::default();
    tap.sees(0, &over_ipv4([10, 0, 0, 1], [10, 0, 0, 2], 6, &tcp((40_000, 443), 1, 0x18, b"data")));
    tap.sees(1, &over_ipv4([10, 0, 0, 1], [10, 0, 0, 2], 17, &udp(40_000, 53, b"data")));
    tap.sees(2, &over_ipv4([10, 0, 0, 1], [10, 0, 0, 2], 1, &[8, 0, 0, 0, 0, 1, 0, 1]));
    let (neighbours, events) = tap.rows();
    assert!(neighbours.is_empty() && events.is_empty());
}

#[test]
fn control_traffic_inside_a_tunnel_is_judged_as_any() {
    let inside = round_trip::lldp_frame(&[]);
    let vxlan = [&[8, 0, 0, 0, 0, 0, 7, 0][..], &inside].concat();
    let mut tap = Tap::default();
    tap.sees(0, &over_ipv4([10, 0, 0, 1], [10, 0, 0, 2], 17, &udp(50_000, 4789, &vxlan)));
    let (neighbours, _) = tap.rows();
    assert_eq!(neighbours[0].said.system_name.as_deref(), Some("leaf1"));
    assert_eq!(neighbours[0].sender, Some(Mac(mac(1))));
}
