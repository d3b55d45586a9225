//! Captures of the same traffic at two or three places: nothing that arrived is called lost, and no count is invented.
//!
//! Control byte: bits 0 to 2 at which taps the packet is seen, 3 from the second host, 4 and 5 what it is (RDMA, TCP, UDP,
//! RDMA over IPv6), 6 it comes twice. Body: the time from each tap to the next in microseconds, the
//! distance of its PSN or sequence number from the next, its opcode or flags. The first byte of a script is the distance of
//! the clocks in seconds.

use std::collections::HashMap;

use super::frames::{self, Segment, TCP, UDP, Way, tcp, udp};
use super::reel::{Reel, pcap};
use super::script::{Piece, pieces};
use super::whole::open;
use crate::taps::compare_open;

const TAPS: usize = 3;

pub(super) fn taps(input: &[u8]) {
    let Some((&apart, script)) = input.split_first() else { return };
    let mut reels: [Reel; TAPS] = std::array::from_fn(|_| Reel::new());
    let mut next = [[1u32; 2]; 4];
    let mut id = 0;
    let mut arrived: HashMap<(usize, u64), [bool; TAPS]> = HashMap::new();
    let mut now = reels[0].now;
    for piece in pieces(script) {
        now = now.saturating_add(piece.step).clamp(0, i64::MAX / 2);
        id += u16::from(id < u16::MAX);
        let kind = usize::from(piece.control >> 4 & 3);
        let bytes = packet(&piece, &mut next[kind], id, kind);
        let mut ts = now;
        for copy in 0..=u8::from(piece.is(6)) {
            for at in 0..TAPS {
                let tap = if piece.is(3) { TAPS - 1 - at } else { at };
                ts += i64::from(piece.byte(0)) * 1000 + i64::from(copy);
                if piece.is(tap as u8) {
                    reels[tap].now = ts;
                    reels[tap].wait(i64::from(apart) * tap as i64 * 1_000_000_000);
                    reels[tap].take(bytes.clone(), usize::MAX);
                    // Without IP identification resends are alike, and the first of them is called lost for any of them.
                    let seen = if kind == 3 { [false; TAPS] } else { [0, 1, 2].map(|tap| piece.is(tap)) };
                    arrived.insert((tap, reels[tap].frames.len() as u64), seen);
                }
            }
        }
    }
    let names = ["tap0", "tap1", "tap2"];
    let captures =
        names.iter().zip(&reels).map(|(name, reel)| Ok((open(&pcap(&reel.frames)).expect("a capture"), *name)));
    let found = compare_open(captures, &mut |_, _, _| true).expect("nobody stopped it");
    found.batches().expect("columns as declared");
    let tap = |name: &str| names.iter().position(|known| name.starts_with(known)).expect("a name that was given");
    for row in &found.segment_losses {
        let a = tap(&row.tap_a);
        let frames = reels[a].frames.len() as u64;
        assert!((1..=frames).contains(&row.frame_a), "frame {} of {frames}", row.frame_a);
        assert!(row.resent_frame.is_none_or(|frame| (1..=frames).contains(&frame)));
        let seen = arrived[&(a, row.frame_a)];
        assert!(row.tap_a == row.tap_b || !seen[tap(&row.tap_b)], "frame {} of {} came by", row.frame_a, row.tap_a);
    }
    for row in &found.segments {
        let (a, b) = (&reels[tap(&row.tap_a)].frames, &reels[tap(&row.tap_b)].frames);
        let all: usize = reels.iter().map(|reel| reel.frames.len()).sum();
        // A packet that was seen farther on has passed both, whether their captures have it or not.
        assert!(row.matched <= all as u64 && row.matched <= b.len() as u64 + row.missing_b, "{row:?}");
        assert!(row.sent == row.matched + row.lost && row.lost <= a.len() as u64, "{row:?}");
        assert!(row.witnessed <= row.lost);
    }
    for row in &found.tap_clocks {
        assert!(row.offset.is_none_or(|offset| row.lower <= Some(offset) && Some(offset) <= row.upper), "{row:?}");
    }
}

fn packet(piece: &Piece<'_>, next: &mut [u32; 2], id: u16, kind: usize) -> Vec<u8> {
    let own = usize::from(piece.is(3));
    let (from, to) = if own == 0 { (1, 2) } else { (2, 1) };
    let way = Way { id, class: 2, ..Way::of(from, to, kind == 3) };
    let number = next[own].wrapping_add(piece.signed(1) as u32);
    next[own] = next[own].wrapping_add(1);
    match kind {
        1 => {
            let ports = if own == 0 { (40_000, 80) } else { (80, 40_000) };
            let segment = Segment { ports, seq: number, ack: 1, flags: piece.byte(2), window: 100, options: &[] };
            frames::ip(way, TCP, &tcp(&segment, &[0; 8]), 0)
        }
        2 => frames::ip(way, UDP, &udp((5000 + u16::from(piece.byte(2)), 6000), &id.to_be_bytes(), 0), 0),
        _ => {
            let psn = number & 0x00ff_ffff;
            let mut bytes = vec![piece.byte(2) & 0x1f, 0, 0xff, 0xff, 0, 0, 0, 0x11 + own as u8, 0x80];
            bytes.extend(&psn.to_be_bytes()[1..]);
            bytes.extend([0; 24]);
            frames::ip(way, UDP, &udp((49_200, 4791), &bytes, 0), 0)
        }
    }
}
