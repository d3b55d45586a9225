//! The classic format and its variants.

use super::build::{BOTH, Endian, IXIA, MICROSECONDS, MODIFIED, NANOSECONDS, pcap_header, record};
use super::{only_problem, read_all};
use proptest::prelude::*;

const S: i64 = 1_000_000_000;
const LITTLE: Endian = Endian::Little;

/// Magic, nanoseconds of a unit, bytes that the variant adds to a record header.
const VARIANTS: [(u32, i64, usize); 4] =
    [(MICROSECONDS, 1000, 0), (NANOSECONDS, 1, 0), (MODIFIED, 1000, 8), (IXIA, 1000, 0)];

proptest! {
    #[test]
    fn what_was_written_is_read_in_every_variant_and_byte_order(
        packets in prop::collection::vec((any::<u32>(), 0..1_000_000u32, prop::collection::vec(any::<u8>(), 1..80), 0..2000u32), 0..8),
        link_type in any::<u16>(),
    ) {
        for endian in BOTH {
            for (magic, unit, extra) in VARIANTS {
                let mut file = pcap_header(endian, magic, 4, 65_535, link_type.into());
                for (seconds, fraction, data, cut) in &packets {
                    file.extend(record(endian, (*seconds, *fraction), data, data.len() as u32 + cut, extra));
                }
                let (read, capture) = read_all(&file);
                prop_assert_eq!(capture.container(), "pcap");
                prop_assert_eq!((capture.resolution(), capture.snap_len()), (unit, Some(65_535)));
                prop_assert_eq!(capture.problems(), &[]);
                prop_assert_eq!(read.len(), packets.len());
                for (number, (read, (seconds, fraction, data, cut))) in (1..).zip(read.iter().zip(&packets)) {
                    prop_assert_eq!(read.frame, number);
                    prop_assert_eq!(read.ts, Some(i64::from(*seconds) * S + i64::from(*fraction) * unit));
                    prop_assert_eq!((read.link_type, read.interface), (link_type, 0));
                    prop_assert_eq!(read.wire_len, data.len() as u32 + cut);
                    prop_assert_eq!(&read.data, data);
                }
            }
        }
    }
}

fn three_packets() -> Vec<u8> {
    let mut file = pcap_header(LITTLE, NANOSECONDS, 4, 65_535, 1);
    for number in 1..=3u8 {
        file.extend(record(LITTLE, (number.into(), 0), &[number; 10], 10, 0));
    }
    file
}

#[test]
fn a_file_cut_anywhere_gives_every_whole_packet_and_the_place_of_the_cut() {
    let file = three_packets();
    for len in 24..file.len() {
        let (read, capture) = read_all(&file[..len]);
        let whole = (len - 24) / 26;
        assert_eq!(read.len(), whole, "cut after {len} bytes");
        let last = 24 + whole * 26;
        if len == last {
            assert_eq!(capture.problems(), [], "cut between two packets: nothing shows it");
            continue;
        }
        let problem = only_problem(&capture);
        assert_eq!((problem.offset, problem.frame), (last as u64, whole as u64));
        assert!(problem.what.contains(&format!("packet {}: {} of ", whole + 1, len - last)), "{}", problem.what);
    }
}

#[test]
fn an_insane_length_ends_the_reading_and_is_named_with_its_byte() {
    let mut file = three_packets();
    file[24 + 26 + 8..][..4].copy_from_slice(&0xdead_beef_u32.to_le_bytes());
    let (read, capture) = read_all(&file);
    assert_eq!(read.len(), 1);
    let problem = only_problem(&capture);
    assert_eq!((problem.offset, problem.frame), (58, 1));
    assert!(problem.what.contains("packet 2 claims 3735928559 stored bytes; 262144 are possible"), "{}", problem.what);
}

#[test]
fn no_snap_length_makes_a_packet_longer_than_16_mib_believed() {
    let mut file = pcap_header(LITTLE, NANOSECONDS, 4, u32::MAX, 1);
    file.extend(LITTLE.words(&[0, 0, 16 * 1024 * 1024 + 1, 16 * 1024 * 1024 + 1]));
    let (_, capture) = read_all(&file);
    assert!(only_problem(&capture).what.contains("16777217"));
}

#[test]
fn old_versions_may_have_the_two_lengths_swapped() {
    let mut file = pcap_header(LITTLE, MICROSECONDS, 2, 68, 1);
    file.extend(LITTLE.words(&[1, 0, 1500, 4])); // length on the wire first
    file.extend([7; 4]);
    let (read, capture) = read_all(&file);
    assert_eq!(capture.problems(), []);
    assert_eq!((read[0].data.as_slice(), read[0].wire_len), (&[7; 4][..], 1500));
}

#[test]
fn a_declared_fcs_is_no_part_of_the_packet() {
    // Bit 26: an FCS length follows in the four highest bits, in units of two bytes.
    let mut file = pcap_header(LITTLE, MICROSECONDS, 4, 65_535, 0x2400_0001);
    file.extend(record(LITTLE, (1, 0), &[1; 64], 64, 0));
    file.extend(record(LITTLE, (1, 0), &[2; 32], 64, 0)); // cut before the FCS
    file.extend(record(LITTLE, (1, 0), &[3; 62], 64, 0)); // cut inside it
    let (read, _) = read_all(&file);
    let lengths: Vec<_> = read.iter().map(|p| (p.link_type, p.data.len(), p.wire_len)).collect();
    assert_eq!(lengths, [(1, 60, 60), (1, 32, 60), (1, 60, 60)]);
}

#[test]
fn reserved_bits_above_the_link_type_are_passed_over() {
    let mut file = pcap_header(LITTLE, MICROSECONDS, 4, 65_535, 0x0030_0071);
    file.extend(record(LITTLE, (1, 0), &[1; 20], 20, 0));
    let (read, _) = read_all(&file);
    assert_eq!((read[0].link_type, read[0].wire_len), (113, 20));
}

#[test]
fn a_tail_of_zeros_is_not_taken_for_packets() {
    let mut file = three_packets();
    let end = file.len() as u64;
    file.extend([0; 5000]);
    let (read, capture) = read_all(&file);
    assert_eq!(read.len(), 3);
    let problem = only_problem(&capture);
    assert_eq!((problem.offset, problem.frame), (end, 3));
    assert!(problem.what.contains("only zeros"), "{}", problem.what);
}

#[test]
fn packets_of_zeros_are_packets_where_anything_follows_them() {
    let head = pcap_header(LITTLE, MICROSECONDS, 4, 65_535, 1);
    let one = record(LITTLE, (1, 0), &[7], 1, 0);
    let (read, capture) = read_all(&[head, vec![0; 16 * 200], one.clone(), vec![0; 16 * 9], one].concat());
    assert_eq!((read.len(), capture.problems().len()), (200 + 1 + 9 + 1, 0));
}

#[test]
fn a_fraction_of_a_second_or_more_is_told_once() {
    let mut file = pcap_header(LITTLE, MICROSECONDS, 4, 65_535, 1);
    for _ in 0..2 {
        file.extend(record(LITTLE, (1, 1_500_000), &[0; 14], 14, 0));
    }
    let (read, capture) = read_all(&file);
    assert_eq!(read[1].ts, Some(2 * S + S / 2));
    assert!(only_problem(&capture).what.contains("fraction of 1500000"));
}
