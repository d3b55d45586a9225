//! TCP connections: retransmissions, holes, windows, options, ports used again.
//!
//! Control byte: bit 0 from the server, 1 and 2 the connection, 3 ports of its own, 4 no ACK flag, 5 marked CE, 6 cut inside
//! its header. Body: flags, distance of its sequence number from the next and of its acknowledgement from all that the other
//! end sent (in 100 bytes), length (in 50 bytes), window (in 256), distance of its IP identification, which options, their
//! numbers.

use super::reel::Reel;
use super::script::{Piece, pieces};
use super::streams::{ACK, Odd, Stream};
use super::whole;
use crate::track::Settings;

pub(super) fn tcp(input: &[u8]) {
    let reel = capture(input);
    let tracked = whole::check(&reel.frames, &Settings::default());
    let packets: u64 = tracked.tcp_connections.iter().map(|row| row.client.packets + row.server.packets).sum();
    assert!(packets <= reel.frames.len() as u64, "{packets} of {} segments", reel.frames.len());
    for row in &tracked.tcp_connections {
        let kinds = row.fast + row.rto + row.tail + row.spurious + row.unexplained;
        assert_eq!(kinds, row.client.retransmissions + row.server.retransmissions);
    }
}

/// The capture of a script.
pub(super) fn capture(input: &[u8]) -> Reel {
    let mut reel = Reel::new();
    let mut streams: [Stream; 4] = std::array::from_fn(|number| Stream::of(number as u8, 443, number == 3));
    for piece in pieces(input) {
        reel.wait(piece.step);
        let mut stream = &mut streams[usize::from(piece.control >> 1 & 3)];
        let mut other;
        if piece.is(3) {
            other = Stream { ports: (50_000 + u16::from(piece.byte(0)), 443), ..*stream };
            stream = &mut other;
        }
        let from_client = !piece.is(0);
        let options = options(&piece, stream, from_client, reel.now);
        let odd = Odd {
            flags: piece.byte(0) | if piece.is(4) { 0 } else { ACK },
            seq: piece.signed(1) * 100,
            ack: piece.signed(2) * 100,
            window: u16::from(piece.byte(4)) << 8,
            options: &options,
            id: piece.signed(5),
            class: if piece.is(5) { 3 } else { 2 },
            more: usize::from(piece.byte(3)) * 50,
        };
        stream.send(&mut reel, from_client, &[], &odd);
        if piece.is(6)
            && let Some(frame) = reel.frames.last_mut()
        {
            frame.bytes.truncate(frame.bytes.len() - usize::from(piece.byte(7) % 40));
        }
    }
    reel
}

/// The options that byte 6 of the body asks for; the numbers of a SACK block count from what the other end sent.
fn options(piece: &Piece<'_>, stream: &Stream, from_client: bool, now: i64) -> Vec<u8> {
    let (which, mut options) = (piece.byte(6), Vec::new());
    if which & 1 != 0 {
        options.extend([2, 4, 5, 0xb4, 1, 3, 3, piece.byte(7) % 16, 4, 2]);
    }
    if which & 2 != 0 {
        let value = (now / 1_000_000) as u32;
        let echo = value.wrapping_sub(piece.byte(7).into());
        options.extend([1, 1, 8, 10]);
        options.extend([value.to_be_bytes(), echo.to_be_bytes()].concat());
    }
    if which & 4 != 0 {
        let other = stream.next[usize::from(from_client)];
        let at = |byte: usize| other.wrapping_add((piece.signed(byte) * 100) as u32).to_be_bytes();
        let blocks = usize::from(which >> 6).max(1);
        options.extend([1, 1, 5, 2 + 8 * blocks as u8]);
        for block in 0..blocks {
            options.extend([at(8 + 2 * block), at(9 + 2 * block)].concat());
        }
    }
    if which & 8 != 0 {
        options.extend(piece.rest(8));
    }
    options.truncate(40);
    options
}
