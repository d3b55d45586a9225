//! Tunnels in tunnels: what is inside is decoded as if nothing were around it.
//!
//! Control byte: bits 0 and 1 what is inside, 6 something else than a whole frame, 7 cut. Body: how many wrappers (at most
//! ten), then a byte for each, innermost first, then the payload.

use super::frames::{self, IPV4, IPV6, Segment, TCP, UDP, Way, framed, mac, tcp, udp};
use super::reel::Reel;
use super::script::{Piece, pieces};
use super::whole;
use crate::decode::decode;
use crate::link::ETHERNET;
use crate::packet::Stopped;
use crate::track::Settings;

/// Tunnels that are followed.
const DEEPEST: usize = 8;
const GRE: u8 = 47;

/// What a wrapper is put around.
#[derive(Debug, Clone)]
struct Carried {
    /// IPv4, IPv6 or an Ethernet frame.
    kind: Kind,
    bytes: Vec<u8>,
    tunnels: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Ip(u16),
    Frame,
}

pub(super) fn tunnels(input: &[u8]) {
    let mut reel = Reel::new();
    for piece in pieces(input) {
        reel.wait(piece.step);
        let count = usize::from(piece.byte(0) % 11);
        let payload = piece.rest(1 + count);
        let mut inside = innermost(&piece, payload);
        let plain = frame(&inside).0;
        for at in 0..count {
            inside = wrapped(&inside, piece.byte(1 + at));
        }
        let (whole, tunnels) = frame(&inside);
        if whole.len() > 60_000 {
            continue;
        }
        if !piece.is(6) {
            same_inside(&plain, &whole, tunnels);
        }
        let keep = if piece.is(7) { whole.len() * 3 / 4 } else { whole.len() };
        reel.take(whole, keep);
    }
    whole::check(&reel.frames, &Settings::default());
}

/// The packet inside, of which the decoder must find the same as without tunnels.
fn same_inside(plain: &[u8], whole: &[u8], tunnels: usize) {
    let alone = decode(ETHERNET, plain, plain.len() as u32);
    let found = decode(ETHERNET, whole, whole.len() as u32);
    if tunnels > DEEPEST {
        assert!(matches!(found.stopped, Some(Stopped::TooDeep { .. })), "{:?}", found.stopped);
        return;
    }
    assert_eq!(usize::from(found.depth()), tunnels);
    assert_eq!((found.kind, found.stopped), (alone.kind, alone.stopped));
    assert_eq!((found.src, found.dst, found.sport, found.dport), (alone.src, alone.dst, alone.sport, alone.dport));
    assert_eq!((found.payload, found.payload_len), (alone.payload, alone.payload_len));
    assert_eq!(found.ip, alone.ip);
}

fn innermost(piece: &Piece<'_>, payload: &[u8]) -> Carried {
    let way = Way { class: 2, ..Way::of(1, 2, piece.is(0)) };
    let kind = Kind::Ip(if way.six { IPV6 } else { IPV4 });
    let segment = Segment { ports: (40_000, 80), seq: 7, ack: 9, flags: 0x18, window: 100, options: &[] };
    let bytes = if piece.is(6) {
        payload.to_vec()
    } else if piece.is(1) {
        frames::bare_ip(way, UDP, &udp((40_000, 9), payload, 0), 0)
    } else {
        frames::bare_ip(way, TCP, &tcp(&segment, payload), 0)
    };
    Carried { kind, bytes, tunnels: 0 }
}

/// A frame with what is carried, and how many tunnels it has.
fn frame(carried: &Carried) -> (Vec<u8>, usize) {
    let bytes = match carried.kind {
        Kind::Ip(ethertype) => framed(mac(8), mac(7), ethertype, &carried.bytes),
        Kind::Frame => carried.bytes.clone(),
    };
    (bytes, carried.tunnels)
}

/// One tunnel or tag more.
fn wrapped(carried: &Carried, code: u8) -> Carried {
    let tunnels = carried.tunnels + 1;
    let in_ip = |protocol: u8, inside: &[u8]| {
        let way = Way { class: 3, ..Way::of(50, 51, code & 0x80 != 0) };
        let kind = Kind::Ip(if way.six { IPV6 } else { IPV4 });
        Carried { kind, bytes: frames::bare_ip(way, protocol, inside, 0), tunnels }
    };
    let in_udp = |port: u16, inside: &[u8]| in_ip(UDP, &udp((50_000, port), inside, 0));
    let in_frame = |ethertype: u16, inside: &[u8]| Carried {
        kind: Kind::Frame,
        bytes: framed(mac(8), mac(7), ethertype, inside),
        tunnels,
    };
    let ethertype = match carried.kind {
        Kind::Ip(ethertype) => ethertype,
        Kind::Frame => 0x6558,
    };
    let bytes = &carried.bytes;
    let pad_to_frame = || frame(carried).0;
    let with = |header: &[u8], inside: &[u8]| [header, inside].concat();
    let typed = |header: &[u8]| with(&[header, &ethertype.to_be_bytes()].concat(), bytes);
    match code & 15 {
        0 => {
            let whole = pad_to_frame();
            let tag = [0x81, 0, code >> 4 << 5, code];
            let bytes = [&whole[..12], &tag, &whole[12..]].concat();
            Carried { kind: Kind::Frame, bytes, tunnels: carried.tunnels }
        }
        1 if carried.kind != Kind::Frame => in_frame(0x8847, &with(&[0, 1, 0x01, 64], bytes)),
        1 => in_frame(0x8847, &with(&[0, 1, 0x01, 64, 0, 0, 0, 0], bytes)),
        2 if carried.kind != Kind::Frame => {
            let protocol: u16 = if ethertype == IPV4 { 0x21 } else { 0x57 };
            let len = (bytes.len() + 2) as u16;
            let header = [&[0x11, 0, 0, 9][..], &len.to_be_bytes(), &protocol.to_be_bytes()].concat();
            in_frame(0x8864, &with(&header, bytes))
        }
        3 => in_ip(GRE, &typed(&[0, 0])),
        4 => in_ip(GRE, &[&[0xb0, 0][..], &ethertype.to_be_bytes(), &[0; 12], bytes].concat()),
        5 => in_ip(GRE, &with(&[0x20, 0, 0x65, 0x58, 0x12, 0x34, 0x56, 0], &pad_to_frame())),
        6 => in_ip(GRE, &with(&[0, 0, 0x88, 0xbe], &pad_to_frame())),
        7 => {
            let header = [0x10, 0, 0x88, 0xbe, 0, 0, 0, 7, 0x10, 1, 0, 1, 0, 0, 0, 1];
            in_ip(GRE, &with(&header, &pad_to_frame()))
        }
        8 => {
            let header = [0x10, 0, 0x22, 0xeb, 0, 0, 0, 8, 0x20, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0];
            in_ip(GRE, &with(&header, &pad_to_frame()))
        }
        9 => in_udp(4789, &with(&[8, 0, 0, 0, 0, 0, 7, 0], &pad_to_frame())),
        10 => {
            let next = [1, 2, 3][usize::from(ethertype == IPV6) + 2 * usize::from(carried.kind == Kind::Frame)];
            in_udp(4790, &with(&[0x0c, 0, 0, next, 0, 0, 7, 0], bytes))
        }
        11 => in_udp(6081, &[&[0, 0][..], &ethertype.to_be_bytes(), &[0, 0, 7, 0], bytes].concat()),
        12 if carried.kind != Kind::Frame => {
            let len = (bytes.len() as u16).to_be_bytes();
            in_udp(2152, &[&[0x30, 0xff][..], &len, &[0, 0, 0, 5], bytes].concat())
        }
        13 if carried.kind != Kind::Frame => in_ip(if ethertype == IPV4 { 4 } else { 41 }, bytes),
        14 if carried.kind != Kind::Frame => in_udp(6635, &with(&[0, 1, 0x01, 64], bytes)),
        _ => in_udp(8472, &with(&[8, 0, 0, 0, 0, 0, 9, 0], &pad_to_frame())),
    }
}
