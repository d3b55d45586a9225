//! Fragments of IP datagrams, in any order.
//!
//! Control byte: bit 0 from the second host, 1 IPv6, 2 and 3 the identification, 4 more follow, 5 UDP in place of TCP, 6
//! inside a VXLAN, 7 cut. Body: the offset in 8 bytes (two bytes), then the payload.

use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_array::types::UInt64Type;

use super::frames::{self, IPV4, IPV6, TCP, UDP, Way, framed, mac, udp};
use super::reel::{Reel, pcap};
use super::script::{MOST, Piece, pieces};
use super::whole::{self, open};
use crate::scan::{Request, Scan};
use crate::track::Settings;

const FRAGMENT: u8 = 44;

pub(super) fn fragments(input: &[u8]) {
    let reel = capture(input);
    whole::check(&reel.frames, &Settings::default());
    let columns = ["frame", "datagram", "src", "dst", "tunnel"];
    let request = Request {
        table: "packets",
        source: "fuzz",
        columns: Some(&columns),
        batch_rows: MOST,
        limit: None,
        threads: None,
    };
    let mut scan = Scan::of(open(&pcap(&reel.frames)).expect("a capture"), &request).expect("columns of packets");
    while let Some(batch) = scan.next_batch().expect("columns as declared") {
        let numbers = |column: usize| batch.column(column).as_primitive::<UInt64Type>();
        for (frame, datagram) in numbers(0).iter().zip(numbers(1)) {
            let (Some(frame), Some(first)) = (frame, datagram) else { continue };
            assert!((1..=frame).contains(&first), "the first fragment of {frame} is {first}");
            // The first fragment of a datagram that carries a tunnel has the addresses inside.
            let of = |frame: u64, column: usize| {
                let cells = batch.column(column).as_string_view();
                cells.is_valid(frame as usize - 1).then(|| cells.value(frame as usize - 1))
            };
            let tunnels = of(first, 4).is_some() || of(frame, 4).is_some();
            assert!(
                tunnels || [2, 3].iter().all(|column| of(frame, *column) == of(first, *column)),
                "{frame} of {first}"
            );
        }
    }
}

/// The capture of a script.
pub(super) fn capture(input: &[u8]) -> Reel {
    let mut reel = Reel::new();
    for piece in pieces(input) {
        reel.wait(piece.step);
        let frame = fragment(&piece);
        let keep = if piece.is(7) { frame.len() * 3 / 4 } else { frame.len() };
        reel.take(frame, keep);
    }
    reel
}

fn fragment(piece: &Piece<'_>) -> Vec<u8> {
    let (from, to) = if piece.is(0) { (2, 1) } else { (1, 2) };
    let number = u16::from(piece.control >> 2 & 3);
    let way = Way { id: number, ..Way::of(from, to, piece.is(1)) };
    let protocol = if piece.is(5) { UDP } else { TCP };
    let offset = u16::from_be_bytes([piece.byte(0), piece.byte(1)]) & 0x1fff;
    let payload = piece.rest(2);
    let (ethertype, packet) = if piece.is(1) {
        let field = offset << 3 | u16::from(piece.is(4));
        let mut header = vec![protocol, 0];
        header.extend(field.to_be_bytes());
        header.extend(u32::from(number).to_be_bytes());
        (IPV6, frames::bare_ip(way, FRAGMENT, &[&header, payload].concat(), 0))
    } else {
        let field = offset | if piece.is(4) { 0x2000 } else { 0 };
        (IPV4, frames::ipv4_part(way, protocol, field, payload, 0))
    };
    let frame = framed(mac(to), mac(from), ethertype, &packet);
    if !piece.is(6) {
        return frame;
    }
    let inside = [&[8, 0, 0, 0, 0, 0, 7, 0][..], &frame].concat();
    frames::ip(Way::of(50, 51, false), UDP, &udp((50_000, 4789), &inside, 0), 0)
}
