//! What applications say to each other over TCP, and DNS: HTTP/1.1 and its streams of events, HTTP/2, WebSocket, TLS.
//!
//! The first byte of a script chooses which connections begin with a handshake. Control byte of a piece: bit 0 from the server, 1 and
//! 2 the connection, 3 and 4 what it is (a segment, one that does not pass here, one that comes late, a datagram of DNS), 5
//! FIN, 6 RST, 7 the capture keeps half of its payload. The body is the payload.

use super::frames::{self, UDP, Way};
use super::reel::Reel;
use super::script::{Piece, pieces};
use super::streams::{ACK, FIN, Odd, RST, Stream};
use super::whole;
use crate::track::{Settings, Tracked};

/// Ports of the servers: requests in plain text, TLS, and what nobody has named.
const PORTS: [u16; 4] = [8000, 443, 80, 50_051];

/// Payload bytes in one segment, at most.
const LONGEST: usize = 60_000;

pub(super) fn requests(input: &[u8]) {
    let Some((&opened, script)) = input.split_first() else { return };
    let pieces = pieces(script);
    let told = told(opened, &pieces, 0);
    for row in &told.requests {
        assert!(row.tokens.is_none_or(|tokens| u64::from(tokens) <= script.len() as u64));
        let chunks = told.tokens.iter().filter(|token| token.request == row.request).count();
        assert!(chunks as u64 <= u64::from(row.chunks), "{chunks} rows for {} chunks", row.chunks);
    }
    let whole = pieces.iter().all(|piece| !piece.is(7));
    if whole {
        same_requests(&told, &self::told(opened, &pieces, 1 + usize::from(opened) % 64));
    }
}

/// The tables of a script; where `part` is not 0 each segment comes as several of so many bytes, at the same time.
fn told(opened: u8, pieces: &[Piece<'_>], part: usize) -> Tracked {
    let mut reel = Reel::new();
    let mut streams: [Stream; 4] = std::array::from_fn(|number| Stream::of(number as u8, PORTS[number], number == 2));
    for (number, stream) in streams.iter_mut().enumerate() {
        if opened >> number & 1 == 1 {
            stream.open(&mut reel);
        }
    }
    let mut holes: [Option<(bool, i64)>; 4] = [None; 4];
    for piece in pieces {
        reel.wait(piece.step);
        let number = usize::from(piece.control >> 1 & 3);
        let (stream, hole) = (&mut streams[number], &mut holes[number]);
        let from_client = !piece.is(0);
        let payload = piece.body.get(..LONGEST).unwrap_or(piece.body);
        let flags = ACK | u8::from(piece.is(5)) * FIN | u8::from(piece.is(6)) * RST;
        let kept = if piece.is(7) { payload.len() / 2 } else { payload.len() };
        let odd = Odd { flags, window: 60_000, ..Odd::default() };
        let mut send = |stream: &mut Stream, odd: Odd<'_>| {
            let whole = part == 0 || payload.len() <= part;
            let parts: Vec<&[u8]> = if whole { vec![payload] } else { payload.chunks(part).collect() };
            let mut seq = odd.seq;
            for (at, part) in parts.iter().enumerate() {
                let last = at + 1 == parts.len();
                let kept = if last && part.len() == payload.len() { kept } else { part.len() };
                let flags = if last { odd.flags } else { ACK };
                // A late part counts from where the stream is, which it does not move.
                stream.send(&mut reel, from_client, &part[..kept], &Odd { seq, flags, more: part.len() - kept, ..odd });
                seq += if odd.seq == 0 { 0 } else { part.len() as i64 };
            }
        };
        match piece.control >> 3 & 3 {
            0 => send(stream, odd),
            1 => {
                stream.skip(from_client, payload.len() as u32);
                *hole = Some((from_client, payload.len() as i64));
            }
            2 => {
                let back = hole.filter(|(client, _)| *client == from_client).map_or(1, |(_, len)| len.max(1));
                send(stream, Odd { seq: -back, ..odd });
            }
            _ => {
                let (from, to) = if from_client { (1, 53) } else { (53, 1) };
                let ports = if from_client { (5353, 53) } else { (53, 5353) };
                let bytes = frames::ip(Way::of(from, to, false), UDP, &frames::udp(ports, payload, 0), 0);
                reel.take(bytes, usize::MAX);
            }
        }
    }
    whole::check(&reel.frames, &Settings::default())
}

/// The same bytes at the same times are the same requests, in whatever segments they come.
fn same_requests(a: &Tracked, b: &Tracked) {
    let key = |tracked: &Tracked| {
        let rows = tracked.requests.iter();
        rows.map(|row| format!("{} {:?} {:?} {:?} {:?}", row.protocol, row.method, row.path, row.status, row.tokens))
            .collect::<Vec<_>>()
    };
    assert_eq!(key(a), key(b));
}
