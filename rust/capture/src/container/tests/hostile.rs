//! Files from anywhere: no panic, an end, and a bounded list of problems.

use super::build::{Endian, MICROSECONDS, block, interface, packet, pcap_header, section};
use super::{only_problem, open, read_all};
use crate::decode::decode;
use crate::rdma::icrc_ok;
use crate::window::{Compression, pack::pack};
use proptest::prelude::*;

/// Walks a whole file and decodes every packet: the entry point of the fuzz targets too.
fn walk(bytes: &[u8]) {
    let Ok(mut capture) = open(bytes) else { return };
    read_all(bytes); // which holds a map against a stream
    let mut frames = 0;
    while let Some(record) = capture.next() {
        let packet = decode(record.link_type, record.data, record.wire_len);
        let _ = (packet.stopped.map(|stopped| stopped.to_string()), packet.roce.as_ref().and_then(icrc_ok));
        frames += 1;
        assert!(frames <= bytes.len() * 1100, "more packets than bytes could hold");
    }
    assert!(capture.problems().len() <= 100);
}

#[test]
fn a_file_damaged_throughout_lists_a_bounded_number_of_problems() {
    let mut file = [section(Endian::Little), interface(Endian::Little, 1, 0, &[])].concat();
    for _ in 0..1000 {
        file.extend(packet(Endian::Little, 99, 0, &[0], 1, &[]));
    }
    let (_, capture) = read_all(&file);
    let last = capture.problems().last().map(|p| p.what.clone()).unwrap_or_default();
    assert_eq!(capture.problems().len(), 100);
    assert!(last.starts_with("901 more problems"), "{last}");
}

#[test]
fn interfaces_do_not_fill_the_memory() {
    let one = interface(Endian::Little, 1, 0, &[]);
    let file = [section(Endian::Little), one.repeat(65_600)].concat();
    let (_, capture) = read_all(&file);
    assert!(capture.problems().iter().any(|p| p.what.contains("more than 65536 interfaces")));
}

#[test]
fn a_compressed_file_that_unpacks_without_end_is_left_with_a_problem() {
    let head = [section(Endian::Little), interface(Endian::Little, 1, 0, &[])].concat();
    // A block that is walked over, of 2 GiB of zeros.
    let mut bomb = [head, Endian::Little.words(&[0x7777, 1 << 31])].concat();
    bomb = [pack(Compression::Zstd, &bomb), zstd_zeros(20_000)].concat();
    let (_, capture) = read_all(&bomb);
    assert!(only_problem(&capture).what.contains("unpacking stopped at compressed byte"), "{:?}", capture.problems());
}

/// A zstd frame of so many blocks of 128 KiB of zeros, four bytes each (RFC 8878, 3.1.1: no checksum, run-length blocks).
fn zstd_zeros(blocks: usize) -> Vec<u8> {
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0, 7 << 3];
    for block in 1..=blocks {
        let header = 1u32 << 20 | 1 << 1 | u32::from(block == blocks);
        frame.extend([&header.to_le_bytes()[..3], &[0]].concat());
    }
    frame
}

#[test]
fn a_block_that_claims_4_gib_costs_nothing() {
    let mut file = section(Endian::Little);
    file.extend(Endian::Little.words(&[0x7777, u32::MAX - 3, 0, 0]));
    let (read, capture) = read_all(&file);
    assert_eq!((read.len(), capture.problems().len()), (0, 1));
}

#[test]
fn tags_and_snap_headers_in_turns_do_not_deepen_the_stack() {
    let round = [0x81, 0, 0, 0, 0, 0, 0xaa, 0xaa, 3, 0, 0, 0];
    let mut frame = vec![0; 12];
    frame.extend(round.repeat(20_000));
    let packet = decode(1, &frame, frame.len() as u32);
    assert!(packet.stopped.is_some());
}

/// Bytes that begin like a capture, so that chance gets past the door.
fn almost_a_capture() -> impl Strategy<Value = Vec<u8>> {
    let word = prop_oneof![
        any::<u32>(),
        0..200u32,
        prop::sample::select(vec![0x0a0d_0d0a_u32, 0x1a2b_3c4d, 1, 2, 3, 5, 6, 28, 32, 0x0bad, u32::MAX]),
    ];
    let words = prop::collection::vec(word, 0..120);
    (words, any::<bool>(), any::<bool>(), prop::sample::select(vec![0u16, 1, 12, 101, 108, 113, 197, 229, 247, 276]))
        .prop_map(|(words, big, ng, link_type)| {
            let endian = if big { Endian::Big } else { Endian::Little };
            let head = if ng {
                [section(endian), interface(endian, link_type, 0, &[])].concat()
            } else {
                pcap_header(endian, MICROSECONDS, 4, 65_535, link_type.into())
            };
            [head, endian.words(&words)].concat()
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        walk(&bytes);
    }

    #[test]
    fn bytes_that_look_like_a_capture_never_panic(bytes in almost_a_capture()) {
        walk(&bytes);
    }

    #[test]
    fn a_good_file_with_some_bytes_changed_never_panics(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        cut in any::<prop::sample::Index>(),
    ) {
        let e = Endian::Little;
        let mut file = [
            section(e), interface(e, 1, 0, &[]), packet(e, 0, 7, &[0x45; 60], 60, &[]), block(e, 5, &[0; 24]),
            section(Endian::Big), interface(Endian::Big, 247, 64, &[]), packet(Endian::Big, 0, 7, &[2; 60], 90, &[]),
        ].concat();
        for (place, value) in changes {
            let at = place.index(file.len());
            file[at] = value;
        }
        file.truncate(cut.index(file.len()) + 1);
        walk(&file);
    }
}
