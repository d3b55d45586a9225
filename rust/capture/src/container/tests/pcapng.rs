//! Sections, interfaces, the three kinds of packet block, drop counters, damage.

use super::build::{BOTH, Endian, block, interface, option, packet, section};
use super::{only_problem, read_all};
use proptest::prelude::*;

const S: i64 = 1_000_000_000;
const LITTLE: Endian = Endian::Little;
const TSRESOL: u16 = 9;
const FCSLEN: u16 = 13;
const TSOFFSET: u16 = 14;

/// Value of `if_tsresol`, count of units, nanoseconds.
const RESOLUTIONS: [(u8, u64, i64); 8] = [
    (0, 5, 5 * S),
    (3, 1_600_000_000_123, 1_600_000_000_123_000_000),
    (6, 1_600_000_000_123_456, 1_600_000_000_123_456_000),
    (9, 1_600_000_000_123_456_789, 1_600_000_000_123_456_789),
    (12, 1_600_000_123_456_789_999, 1_600_000_123_456_789),
    (0x80, 7, 7 * S),
    (0x94, (3 << 20) + (1 << 19), 3 * S + S / 2),
    (0xc0, u64::MAX, S - 1),
];

#[test]
fn time_is_counted_in_the_units_of_the_interface() {
    for endian in BOTH {
        for (resolution, count, ns) in RESOLUTIONS {
            let options = [option(endian, TSRESOL, &[resolution])];
            let file = [section(endian), interface(endian, 1, 0, &options), packet(endian, 0, count, &[1], 1, &[])];
            let (read, capture) = read_all(&file.concat());
            assert_eq!(read[0].ts, Some(ns), "resolution {resolution:#x}");
            assert_eq!(capture.problems(), []);
        }
    }
}

#[test]
fn microseconds_are_the_default_and_the_offset_is_added() {
    let offset = option(LITTLE, TSOFFSET, &LITTLE.u64(-10_i64 as u64));
    let plain = [section(LITTLE), interface(LITTLE, 1, 0, &[]), packet(LITTLE, 0, 12_000_001, &[1], 1, &[])];
    let moved = [section(LITTLE), interface(LITTLE, 1, 0, &[offset]), packet(LITTLE, 0, 12_000_001, &[1], 1, &[])];
    assert_eq!(read_all(&plain.concat()).0[0].ts, Some(12 * S + 1000));
    assert_eq!(read_all(&moved.concat()).0[0].ts, Some(2 * S + 1000));
}

#[test]
fn a_time_beyond_64_bits_of_nanoseconds_is_null_and_told() {
    let file = [section(LITTLE), interface(LITTLE, 1, 0, &[]), packet(LITTLE, 0, u64::MAX, &[1], 1, &[])];
    let (read, capture) = read_all(&file.concat());
    assert_eq!(read[0].ts, None);
    assert!(only_problem(&capture).what.contains("2262"));
}

#[test]
fn the_finest_interface_gives_the_resolution() {
    let nano = option(LITTLE, TSRESOL, &[9]);
    let file = [section(LITTLE), interface(LITTLE, 1, 96, &[]), interface(LITTLE, 1, 128, &[nano])];
    let (_, capture) = read_all(&file.concat());
    assert_eq!((capture.resolution(), capture.snap_len()), (1, Some(128)));
    let unlimited = [file.concat(), interface(LITTLE, 1, 0, &[])].concat();
    assert_eq!(read_all(&unlimited).1.snap_len(), None, "one interface without limit");
}

#[test]
fn interfaces_count_on_through_sections_of_either_byte_order() {
    let file = [
        section(LITTLE),
        interface(LITTLE, 1, 0, &[]),
        interface(LITTLE, 113, 0, &[]),
        packet(LITTLE, 1, 1, b"one", 3, &[]),
        section(Endian::Big),
        interface(Endian::Big, 276, 0, &[]),
        packet(Endian::Big, 0, 2, b"two", 3, &[]),
    ];
    let (read, capture) = read_all(&file.concat());
    let seen: Vec<_> = read.iter().map(|p| (p.frame, p.interface, p.link_type, p.data.as_slice())).collect();
    assert_eq!(seen, [(1, 1, 113, &b"one"[..]), (2, 2, 276, b"two")]);
    assert_eq!((capture.container(), capture.problems()), ("pcapng", &[][..]));
}

#[test]
fn a_simple_packet_has_no_time_and_ends_at_the_snap_length() {
    let body = [LITTLE.words(&[1000]), vec![7; 8]].concat();
    let file = [section(LITTLE), interface(LITTLE, 1, 6, &[]), block(LITTLE, 3, &body)];
    let (read, capture) = read_all(&file.concat());
    assert_eq!((read[0].ts, read[0].data.len(), read[0].wire_len), (None, 6, 1000));
    assert_eq!(capture.problems(), []);
}

/// An obsolete packet block.
fn old_packet(interface: u16, drops: u16, data: &[u8]) -> Vec<u8> {
    let ids = [LITTLE.u16(interface), LITTLE.u16(drops)].concat();
    block(LITTLE, 2, &[ids, LITTLE.words(&[0, 5, data.len() as u32, 9]), data.to_vec()].concat())
}

#[test]
fn an_obsolete_packet_block_is_read_with_its_drops() {
    let file = [
        section(LITTLE),
        interface(LITTLE, 1, 0, &[]),
        old_packet(0, 3, b"abcd"),
        old_packet(0, u16::MAX, b"abcd"), // all ones: not known
    ];
    let (read, capture) = read_all(&file.concat());
    assert_eq!((read[0].ts, read[0].wire_len, read[0].data.as_slice()), (Some(5000), 9, &b"abcd"[..]));
    assert_eq!(capture.reported_drops(), Some(3));
}

#[test]
fn old_writers_that_left_the_padding_out_of_the_length_are_understood() {
    let mut unpadded = old_packet(0, 0, b"abc");
    let total = (unpadded.len() as u32 - 1).to_le_bytes();
    let last = unpadded.len() - 4;
    unpadded[4..8].copy_from_slice(&total);
    unpadded[last..].copy_from_slice(&total);
    let file = [section(LITTLE), interface(LITTLE, 1, 0, &[]), unpadded.clone(), unpadded];
    let (read, capture) = read_all(&file.concat());
    assert_eq!((read.len(), capture.problems()), (2, &[][..]));
}

#[test]
fn the_fcs_of_the_interface_or_of_the_packet_is_cut_off() {
    let flags = option(LITTLE, 2, &LITTLE.u32(4 << 5));
    for (declared, flags) in [(vec![option(LITTLE, FCSLEN, &[4])], vec![]), (vec![], vec![flags])] {
        let file = [section(LITTLE), interface(LITTLE, 1, 0, &declared), packet(LITTLE, 0, 0, &[1; 64], 64, &flags)];
        let (read, _) = read_all(&file.concat());
        assert_eq!((read[0].data.len(), read[0].wire_len), (60, 60));
    }
}

/// Interface statistics: drops of the interface, and of the operating system.
fn statistics(interface: u32, drops: [u64; 2]) -> Vec<u8> {
    let counters = [option(LITTLE, 5, &LITTLE.u64(drops[0])), option(LITTLE, 7, &LITTLE.u64(drops[1]))];
    block(LITTLE, 5, &[LITTLE.words(&[interface, 0, 0]), counters.concat()].concat())
}

#[test]
fn reported_drops_are_the_last_statistics_of_each_interface_in_each_section() {
    let head = [section(LITTLE), interface(LITTLE, 1, 0, &[]), interface(LITTLE, 1, 0, &[])].concat();
    assert_eq!(read_all(&head).1.reported_drops(), None, "no statistics: not known, which is not 0");
    let first = [head.clone(), statistics(0, [1, 1]), statistics(0, [2, 5]), statistics(1, [0, 0])].concat();
    assert_eq!(read_all(&first).1.reported_drops(), Some(7));
    let both = [first, head.clone(), statistics(1, [10, u64::MAX])].concat();
    assert_eq!(read_all(&both).1.reported_drops(), Some(17), "all ones mean unknown");
}

#[test]
fn drops_told_packet_by_packet_are_not_counted_again_from_the_total() {
    let lost = |count: u64| option(LITTLE, 4, &LITTLE.u64(count));
    let file = [
        section(LITTLE),
        interface(LITTLE, 1, 0, &[]),
        packet(LITTLE, 0, 0, &[1], 1, &[lost(2)]),
        packet(LITTLE, 0, 0, &[1], 1, &[lost(3)]),
    ]
    .concat();
    assert_eq!(read_all(&file).1.reported_drops(), Some(5));
    let with_total = [file, statistics(0, [0, 6])].concat();
    assert_eq!(read_all(&with_total).1.reported_drops(), Some(6));
}

#[test]
fn other_blocks_are_skipped_and_those_that_wireshark_numbers_take_a_number() {
    let file = [
        section(LITTLE),
        block(LITTLE, 0x0bad, &[0; 8]),
        interface(LITTLE, 1, 0, &[]),
        block(LITTLE, 4, &[0; 4]), // names
        block(LITTLE, 0x7777, &[0; 40]),
        packet(LITTLE, 0, 0, &[1], 1, &[]),
    ];
    let (read, capture) = read_all(&file.concat());
    assert_eq!((read.len(), read[0].frame), (1, 2));
    assert_eq!(capture.problems(), []);
}

#[test]
fn a_file_cut_anywhere_gives_every_whole_packet_and_the_place_of_the_cut() {
    let front = [section(LITTLE), interface(LITTLE, 1, 0, &[])].concat();
    let one = packet(LITTLE, 0, 1, &[9; 21], 21, &[]);
    let file = [front.clone(), one.clone(), one.clone()].concat();
    for len in 28..file.len() {
        let (read, capture) = read_all(&file[..len]);
        let whole = len.saturating_sub(front.len()) / one.len();
        assert_eq!(read.len(), whole, "cut after {len} bytes");
        let boundary = [28, front.len(), front.len() + one.len()].contains(&len);
        assert_eq!(capture.problems().len(), usize::from(!boundary), "cut after {len} bytes");
        if let [problem] = capture.problems() {
            assert_eq!(problem.frame, whole as u64);
            assert!(problem.offset < len as u64 && problem.what.contains("the file ends inside a block"));
        }
    }
}

#[test]
fn a_block_whose_two_lengths_differ_is_left_and_the_next_section_is_found() {
    let front = [section(LITTLE), interface(LITTLE, 1, 0, &[]), packet(LITTLE, 0, 1, &[1; 8], 8, &[])].concat();
    let mut broken = packet(LITTLE, 0, 2, &[2; 8], 8, &[]);
    let back = broken.len() - 4;
    broken[back] ^= 0xff;
    let lost = packet(LITTLE, 0, 3, &[3; 8], 8, &[]);
    let rest = [section(Endian::Big), interface(Endian::Big, 1, 0, &[]), packet(Endian::Big, 0, 4, &[4; 8], 8, &[])];
    let without = [front.clone(), broken.clone(), lost.clone()].concat();
    let (read, capture) = read_all(&without);
    assert_eq!(read.len(), 1);
    let problem = only_problem(&capture);
    assert_eq!((problem.offset, problem.frame), (front.len() as u64, 1));
    assert!(problem.next.contains("no other section follows"), "{}", problem.next);

    let (read, capture) = read_all(&[without.clone(), rest.concat()].concat());
    assert_eq!(read.iter().map(|p| p.data[0]).collect::<Vec<_>>(), [1, 4]);
    let resumed = format!("next section, byte {}", without.len());
    assert!(only_problem(&capture).next.contains(&resumed), "{}", only_problem(&capture).next);
}

#[test]
fn a_section_of_an_unknown_version_is_passed_over_as_a_whole() {
    let mut unknown = section(LITTLE);
    unknown[12] = 9;
    let good = [section(LITTLE), interface(LITTLE, 1, 0, &[]), packet(LITTLE, 0, 1, &[1], 1, &[])].concat();
    let bad = [unknown, interface(LITTLE, 1, 0, &[]), packet(LITTLE, 0, 1, &[2], 1, &[])].concat();
    let (read, capture) = read_all(&[good.clone(), bad, good].concat());
    assert_eq!(read.iter().map(|p| (p.data[0], p.interface)).collect::<Vec<_>>(), [(1, 0), (1, 1)]);
    assert!(only_problem(&capture).what.contains("version 9"));
}

#[test]
fn a_packet_of_an_unknown_interface_or_length_is_left_out_and_told() {
    let mut claims = packet(LITTLE, 0, 1, &[1; 4], 4, &[]);
    claims[20..24].copy_from_slice(&500_u32.to_le_bytes());
    let file = [
        section(LITTLE),
        interface(LITTLE, 1, 0, &[]),
        packet(LITTLE, 7, 1, &[1; 4], 4, &[]),
        claims,
        packet(LITTLE, 0, 1, &[2; 4], 4, &[]),
    ];
    let (read, capture) = read_all(&file.concat());
    assert_eq!((read.len(), read[0].frame), (1, 1));
    let what: Vec<_> = capture.problems().iter().map(|p| p.what.as_str()).collect();
    assert!(what[0].contains("interface 7") && what[1].contains("500"), "{what:?}");
}

#[test]
fn a_block_too_short_for_its_type_is_left_out_and_told() {
    for kind in [1, 2, 3, 5, 6] {
        let file = [section(LITTLE), block(LITTLE, kind, &[]), interface(LITTLE, 1, 0, &[])].concat();
        let (_, capture) = read_all(&file);
        let problem = only_problem(&capture);
        assert_eq!((problem.offset, problem.next.as_str()), (28, "this block was left out"));
        assert!(problem.what.contains("too short with a length of 12"), "{}", problem.what);
    }
}

proptest! {
    #[test]
    fn what_was_written_is_read_in_every_resolution_and_byte_order(
        packets in prop::collection::vec((0..(1_u64 << 60), prop::collection::vec(any::<u8>(), 0..80), 0..2000u32), 0..8),
        resolution in 6..=9u8,
        big in any::<bool>(),
    ) {
        let endian = if big { Endian::Big } else { LITTLE };
        let unit = 10_i64.pow(9 - u32::from(resolution));
        let mut file = section(endian);
        file.extend(interface(endian, 1, 0, &[option(endian, TSRESOL, &[resolution])]));
        for (time, data, cut) in &packets {
            let count = time / unit as u64;
            file.extend(packet(endian, 0, count, data, data.len() as u32 + cut, &[option(endian, 1, b"a comment")]));
        }
        let (read, capture) = read_all(&file);
        prop_assert_eq!(capture.problems(), &[]);
        prop_assert_eq!(capture.resolution(), unit);
        prop_assert_eq!(read.len(), packets.len());
        for (read, (time, data, cut)) in read.iter().zip(&packets) {
            prop_assert_eq!(read.ts, Some((time / unit as u64) as i64 * unit));
            prop_assert_eq!(&read.data, data);
            prop_assert_eq!(read.wire_len, data.len() as u32 + cut);
        }
    }
}

#[test]
fn a_packet_that_was_left_out_does_not_come_back_behind_the_end() {
    // Its interface is described only behind it, and then the file is damaged.
    let file = [
        section(Endian::Little),
        packet(Endian::Little, 0, 7, &[1, 2, 3, 4], 4, &[]),
        interface(Endian::Little, 1, 0, &[]),
        vec![6, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0],
    ];
    let (packets, capture) = read_all(&file.concat());
    assert!(packets.is_empty());
    assert_eq!(capture.problems().len(), 2);
}
