//! Control protocols: neighbours, spanning trees, addresses, routes.
//!
//! Control byte: bits 0 to 3 the protocol, 4 and 5 the sender, 6 a VLAN tag, 7 the capture keeps half of it. The body is the
//! message; of BGP it is a part of the stream, of ICMP the message with its type.

use super::frames::{self, Way, framed, mac, udp};
use super::reel::Reel;
use super::script::{Piece, pieces};
use super::streams::{ACK, Odd, Stream};
use super::whole;
use crate::tables::control_events::LONGEST_TEXT;
use crate::track::Settings;

const BRIDGES: [u8; 6] = [1, 0x80, 0xc2, 0, 0, 0];
const ICMP: u8 = 1;
const ICMPV6: u8 = 58;
const VRRP: u8 = 112;

pub(super) fn control(input: &[u8]) {
    let reel = capture(input);
    let tracked = whole::check(&reel.frames, &Settings::default());
    let bytes = reel.frames.iter().map(|frame| frame.bytes.len() as u64).sum();
    assert!(tracked.control_events.iter().all(|row| (1..=bytes).contains(&row.count)));
    assert!(tracked.problems.iter().all(|row| row.what.len() <= LONGEST_TEXT * 4));
}

/// The capture of a script.
pub(super) fn capture(input: &[u8]) -> Reel {
    let mut reel = Reel::new();
    let mut sessions: [Stream; 4] = std::array::from_fn(|number| Stream::of(number as u8, 179, number == 3));
    for piece in pieces(input) {
        reel.wait(piece.step);
        let sender = piece.control >> 4 & 3;
        if piece.control & 15 == 9 || piece.control & 15 == 10 {
            let (from_client, odd) = (piece.control & 15 == 9, Odd { flags: ACK, window: 60_000, ..Odd::default() });
            sessions[usize::from(sender)].send(&mut reel, from_client, piece.body, &odd);
            continue;
        }
        let mut frame = message(&piece, 1 + sender);
        if piece.is(6) && frame.len() >= 12 {
            frame.splice(12..12, [0x81, 0, 0, 100 + sender]);
        }
        let keep = if piece.is(7) { frame.len() / 2 } else { frame.len() };
        reel.take(frame, keep);
    }
    reel
}

fn message(piece: &Piece<'_>, sender: u8) -> Vec<u8> {
    let body = piece.body;
    let way = Way::of(sender, 9, false);
    let six = Way { six: true, ..way };
    let llc = |header: &[u8]| {
        let inside = [header, body].concat();
        framed(BRIDGES, mac(sender), inside.len().min(1500) as u16, &inside)
    };
    match piece.control & 15 {
        0 => framed(BRIDGES, mac(sender), 0x88cc, body),
        1 => framed(BRIDGES, mac(sender), 0x8809, body),
        2 => framed([0xff; 6], mac(sender), 0x0806, body),
        3 => llc(&[0x42, 0x42, 3]),
        4 => llc(&[0xaa, 0xaa, 3, 0, 0, 0x0c, 0x20, 0]),
        5 => llc(&[0xaa, 0xaa, 3, 0, 0, 0x0c, 0x01, 0x0b]),
        6 => frames::ip(way, ICMP, body, 0),
        7 => frames::ip(six, ICMPV6, body, 0),
        8 => frames::ip(way, VRRP, body, 0),
        11 => frames::ip(way, frames::UDP, &udp((50_000, 3784), body, 0), 0),
        12 => frames::ip(way, frames::UDP, &udp((50_000, 4784), body, 0), 0),
        13 => frames::ip(way, frames::UDP, &udp((1985, 1985), body, 0), 0),
        14 => frames::ip(six, frames::UDP, &udp((50_000, 6784), body, 0), 0),
        _ => body.to_vec(),
    }
}
