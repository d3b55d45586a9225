//! Queue pairs: requests, answers, resends, connection management, credits.
//!
//! Control byte: bit 0 from the second host, 1 and 2 the pair of hosts and queue pairs, 3 a broken ICRC, 4 `RoCEv1`, 5 a
//! management datagram, 6 marked CE, 7 cut. Body: opcode, distance of its PSN from the next one of its kind (twice, the
//! second in 256), BTH flags, length (in 64 bytes), AETH syndrome, distance of the IP identification, and what follows the
//! BTH; of a management datagram all of it is the MAD.

use super::frames::{self, UDP, Way, framed, mac, udp};
use super::reel::Reel;
use super::script::{Piece, pieces};
use super::whole;
use crate::decode::decode;
use crate::link::ETHERNET;
use crate::rdma::icrc_of;
use crate::rdma::opcode::{is_response, name};
use crate::track::Settings;

const PORT: u16 = 4791;
const ROCE_V1: u16 = 0x8915;
/// UD SEND only.
const DATAGRAM: u8 = 0x64;
const ACK: u8 = 0x11;
const CNP: u8 = 0x81;

/// One end of a queue pair.
#[derive(Debug, Clone, Copy)]
struct End {
    /// The next request.
    psn: u32,
    /// The IP identification that comes next.
    id: u16,
    msn: u32,
}

pub(super) fn rdma(input: &[u8]) {
    let tracked = whole::check(&capture(input).frames, &Settings::default());
    for row in &tracked.roce_qps {
        assert!(row.first_frame <= row.last_frame);
    }
    for row in &tracked.loss_episodes {
        assert!(row.sent_frame.is_none_or(|sent| row.resend_frame.is_none_or(|resend| sent < resend)));
        assert!(row.nak_frame.is_none_or(|nak| row.sent_frame.is_none_or(|sent| sent < nak)));
    }
}

/// The capture of a script.
pub(super) fn capture(input: &[u8]) -> Reel {
    let mut reel = Reel::new();
    let mut ends = [[End { psn: 0x00ff_ffe0, id: 0xfff0, msn: 0 }; 2]; 4]; // PSNs and identifications soon wrap
    for piece in pieces(input) {
        reel.wait(piece.step);
        let pair = usize::from(piece.control >> 1 & 3);
        let own = usize::from(piece.is(0));
        let inside = if piece.is(5) { datagram(&piece) } else { packet(&piece, &mut ends[pair], own) };
        let end = &mut ends[pair][own];
        end.id = end.id.wrapping_add(1);
        let (from, to) = if own == 0 { (1, 2) } else { (2, 1) };
        let way = Way {
            id: end.id.wrapping_add(piece.signed(6) as u16),
            class: 26 << 2 | if piece.is(6) { 3 } else { 2 },
            ..Way::of(from + 10 * pair as u8, to + 10 * pair as u8, pair == 3)
        };
        let sport = 49_152 + 8 * pair as u16 + if pair == 1 { own as u16 } else { 0 };
        let more = if piece.is(5) { 0 } else { usize::from(piece.byte(4)) * 64 };
        let snapped = more > 256; // long messages are captured without their payload, short ones whole
        let (inside, more) = if snapped { (inside, more) } else { ([inside, vec![0; more]].concat(), 0) };
        let inside = [inside, vec![0; 4]].concat();
        let mut bytes = if piece.is(4) {
            let global = frames::bare_ip(Way { six: true, ..way }, 0x1b, &inside, more);
            framed(mac(way.to), mac(way.from), ROCE_V1, &global)
        } else {
            frames::ip(way, UDP, &udp((sport, PORT), &inside, more), more)
        };
        if !snapped && !piece.is(3) {
            sign(&mut bytes);
        }
        let wire_len = (bytes.len() + more) as u32;
        let cut = usize::from(piece.is(7)) * usize::from(piece.byte(8) % 48);
        bytes.truncate(bytes.len() - cut.min(bytes.len()));
        reel.push(bytes, wire_len);
    }
    reel
}

/// A packet of the queue pair: BTH and what the body says follows it.
fn packet(piece: &Piece<'_>, ends: &mut [End; 2], own: usize) -> Vec<u8> {
    let opcode = match piece.byte(0) {
        code if name(code).is_some() || code == CNP => code,
        code => code & 0x1f, // RC, the transport that has most to track
    };
    let answer = is_response(opcode);
    let of = if answer { 1 - own } else { own };
    let distance = piece.signed(1) + 256 * (piece.signed(2) / 16);
    let psn = ends[of].psn.wrapping_add(distance as u32) & 0x00ff_ffff;
    if !answer && (0..128).contains(&distance) {
        ends[of].psn = (psn + 1) & 0x00ff_ffff;
    }
    let flags = piece.byte(3);
    let dest_qp: u32 = 0x11 + own as u32; // the same numbers between every two hosts
    let mut bytes = vec![opcode, flags & 0xf0, 0xff, 0xff, flags << 6];
    bytes.extend(&dest_qp.to_be_bytes()[1..]);
    bytes.push(flags << 5 & 0x80);
    bytes.extend(&psn.to_be_bytes()[1..]);
    if opcode == ACK || (0x0d..=0x12).contains(&opcode) && opcode != 0x0e {
        ends[own].msn += u32::from(piece.byte(7) & 1);
        bytes.push(piece.byte(5));
        bytes.extend(&ends[own].msn.to_be_bytes()[1..]);
        bytes.extend(piece.rest(9));
    } else {
        let mut rest = piece.rest(9).to_vec();
        if matches!(opcode, 0x06 | 0x0a | 0x0b | 0x0c) && rest.len() < 16 {
            rest.resize(12, 0);
            rest.extend((u32::from(piece.byte(5)) * 512).to_be_bytes()); // the length in a RETH
        }
        bytes.extend(rest);
    }
    bytes
}

/// A management datagram from queue pair 1 to queue pair 1.
fn datagram(piece: &Piece<'_>) -> Vec<u8> {
    let mut bytes = vec![DATAGRAM, 0, 0xff, 0xff, 0, 0, 0, 1, 0, 0, 0, piece.byte(6)];
    bytes.extend([0x80, 1, 0, 0, 0, 0, 0, 1]);
    bytes.extend(piece.rest(9));
    bytes.resize(bytes.len().max(20 + 256), 0);
    bytes
}

/// Puts the right ICRC at the end of a packet, where one can be told.
fn sign(bytes: &mut [u8]) {
    let packet = decode(ETHERNET, bytes, bytes.len() as u32);
    let Some((right, _)) = packet.roce.as_ref().and_then(icrc_of) else { return };
    if let Some(last) = bytes.last_chunk_mut() {
        *last = right.to_le_bytes();
    }
}
