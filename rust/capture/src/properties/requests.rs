//! What applications say to each other over TCP, and DNS: HTTP/1.1 and its streams of events, HTTP/2, WebSocket, TLS.
//!
//! The first byte of a script chooses which connections begin with a handshake. Control byte of a piece: bit 0 from the server, 1 and
//! 2 the connection, 3 and 4 what it is (a segment, one that does not pass here, one that comes late, a datagram of DNS), 5
//! FIN, 6 RST, 7 the capture keeps half of its payload. The body is the payload.

use super::frames::{self, UDP, Way};
use super::reel::Reel;
use super::script::pieces;
use super::streams::{ACK, FIN, Odd, RST, Stream};
use super::whole;
use crate::track::Settings;

/// Ports of the servers: requests in plain text, TLS, and what nobody has named.
const PORTS: [u16; 4] = [8000, 443, 80, 50_051];

/// What a piece is.
const SENT: u8 = 0;
const SKIPPED: u8 = 1;
const LATE: u8 = 2;

/// Payload bytes in one segment, at most.
const LONGEST: usize = 60_000;

pub(super) fn requests(input: &[u8]) {
    let Some((&opened, script)) = input.split_first() else { return };
    let told = whole::check(&capture(opened, script).frames, &Settings::default());
    for row in &told.requests {
        assert!(row.tokens.is_none_or(|tokens| u64::from(tokens) <= script.len() as u64));
        let chunks = told.tokens.iter().filter(|token| token.request == row.request).count();
        assert!(chunks as u64 <= u64::from(row.chunks), "{chunks} rows for {} chunks", row.chunks);
    }
}

/// The capture of a script.
pub(super) fn capture(opened: u8, script: &[u8]) -> Reel {
    let mut reel = Reel::new();
    let mut streams: [Stream; 4] = std::array::from_fn(|number| Stream::of(number as u8, PORTS[number], number == 2));
    for (number, stream) in streams.iter_mut().enumerate() {
        if opened >> number & 1 == 1 {
            stream.open(&mut reel);
        }
    }
    let mut holes: [Option<(bool, i64)>; 4] = [None; 4];
    for piece in pieces(script) {
        reel.wait(piece.step);
        let number = usize::from(piece.control >> 1 & 3);
        let (stream, hole) = (&mut streams[number], &mut holes[number]);
        let from_client = !piece.is(0);
        let payload = piece.body.get(..LONGEST).unwrap_or(piece.body);
        let flags = ACK | if piece.is(5) { FIN } else { 0 } | if piece.is(6) { RST } else { 0 };
        let odd = Odd { flags, window: 60_000, ..Odd::default() };
        match piece.control >> 3 & 3 {
            SENT => {
                let kept = if piece.is(7) { payload.len() / 2 } else { payload.len() };
                stream.send(&mut reel, from_client, &payload[..kept], &Odd { more: payload.len() - kept, ..odd });
            }
            SKIPPED => {
                stream.skip(from_client, payload.len() as u32);
                *hole = Some((from_client, payload.len() as i64));
            }
            LATE => {
                let back = hole.filter(|(client, _)| *client == from_client).map_or(1, |(_, len)| len.max(1));
                stream.send(&mut reel, from_client, payload, &Odd { seq: -back, ..odd });
            }
            _ => {
                let (from, to) = if from_client { (1, 53) } else { (53, 1) };
                let ports = if from_client { (5353, 53) } else { (53, 5353) };
                let bytes = frames::ip(Way::of(from, to, false), UDP, &frames::udp(ports, payload, 0), 0);
                reel.take(bytes, usize::MAX);
            }
        }
    }
    reel
}
