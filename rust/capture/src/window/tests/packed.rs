//! Compressed streams: whole, cut, damaged, followed by something else, and made to exhaust the machine.

use super::super::pack::pack;
use super::{Temporary, bytes, walks_over};
use crate::window::{CHUNK, Compression, FREE, Source, Window};
use proptest::prelude::*;
use std::io::{self, Cursor, Read};
use std::sync::Arc;
use std::thread;

fn unpack(compression: Compression, packed: &[u8]) -> Window {
    Window::stream(Cursor::new(packed.to_vec())).unpack(compression)
}

/// Everything that comes out, and why it ended before its time.
fn all_of(compression: Compression, packed: &[u8]) -> (Vec<u8>, Option<String>) {
    let read = |mut window: Window| {
        let all = window.peek(10_000_000).to_vec();
        (all, window.failure().map(str::to_owned), window.consumed())
    };
    let mut by_a_thread = unpack(compression, packed);
    by_a_thread.read_ahead();
    let (all, failure, consumed) = read(unpack(compression, packed));
    assert_eq!(read(by_a_thread), (all.clone(), failure.clone(), consumed), "unpacked ahead");
    (all, failure)
}

/// Bytes that no compression makes much of, so that a stream has several blocks.
fn noise(len: usize) -> Vec<u8> {
    let mut state = 1_u64;
    let next = |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    (0..len).map(next).collect()
}

#[test]
fn members_of_a_map_and_of_a_pipe_look_like_what_was_packed() {
    let bytes = bytes(1_500_000);
    for compression in Compression::ALL {
        let packed: Vec<u8> = bytes.chunks(400_000).flat_map(|part| pack(compression, part)).collect();
        assert_eq!(Compression::of(&packed), Some(compression));
        let file = Temporary::holding(compression.name(), &packed, true);
        let mapped = Window::open(&file.0).unwrap().unpack(compression);
        assert_eq!(mapped.size(), Some(packed.len() as u64));
        walks_over(mapped, &bytes);
        walks_over(unpack(compression, &packed), &bytes);
        let mut half_way = unpack(compression, &packed);
        half_way.skip(700_001);
        half_way.read_ahead();
        assert_eq!(half_way.peek(2_000_000), &bytes[700_001..], "{}, a thread takes over", compression.name());
    }
}

#[test]
fn a_thread_that_unpacks_ahead_ends_when_nobody_reads() {
    struct Endless {
        _alive: Arc<()>,
    }
    impl Read for Endless {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            into.fill(7);
            Ok(into.len())
        }
    }
    let packed = pack(Compression::Zstd, &noise(1_000_000));
    let alive = Arc::new(());
    let source = Cursor::new(packed).chain(Endless { _alive: Arc::clone(&alive) });
    let mut window = Window::stream(source).unpack(Compression::Zstd);
    window.read_ahead();
    assert_eq!(window.peek(10).len(), 10);
    drop(window);
    while Arc::strong_count(&alive) > 1 {
        thread::yield_now();
    }
}

#[test]
fn blocks_that_do_not_compress_come_through() {
    let noise = noise(2_000_000);
    for compression in Compression::ALL {
        walks_over(unpack(compression, &pack(compression, &noise)), &noise);
    }
}

#[test]
fn a_stream_cut_anywhere_gives_what_came_before_and_names_the_byte() {
    let (first, second) = (bytes(700), noise(700));
    for compression in Compression::ALL {
        let whole = pack(compression, &first);
        let packed = [whole.clone(), pack(compression, &second)].concat();
        let name = compression.name();
        for len in 1..packed.len() {
            let (got, failure) = all_of(compression, &packed[..len]);
            assert!([&first[..], &second[..]].concat().starts_with(&got), "{name} cut after {len} bytes");
            if len == whole.len() {
                assert_eq!((got, failure), (first.clone(), None), "{name} cut between two members");
                continue;
            }
            assert_eq!(failure, Some(format!("the {name} stream is cut after {len} compressed bytes")));
            assert!(len < whole.len() || got.len() >= first.len(), "{name} cut after {len} bytes");
        }
    }
}

#[test]
fn the_blocks_before_a_cut_are_not_lost() {
    let noise = noise(1_000_000);
    for compression in [Compression::Gzip, Compression::Zstd, Compression::Lz4, Compression::Xz] {
        let packed = pack(compression, &noise);
        let (got, failure) = all_of(compression, &packed[..900_000]);
        assert!(noise.starts_with(&got) && got.len() > 700_000, "{compression:?}: {} bytes", got.len());
        assert!(failure.is_some());
    }
}

#[test]
fn the_blocks_before_damage_are_not_lost() {
    let noise = noise(1_000_000);
    for compression in [Compression::Zstd, Compression::Xz, Compression::Bzip2] {
        let good = pack(compression, &noise);
        let mut packed = [good.clone(), good.clone()].concat();
        packed[good.len() + 12..][..40].fill(0xff);
        let (got, failure) = all_of(compression, &packed);
        let failure = failure.unwrap_or_default();
        assert!(got.starts_with(&noise), "{compression:?}: {} bytes", got.len());
        assert!(failure.contains("stream is broken near compressed byte"), "{failure}");
    }
}

#[test]
fn a_wrong_checksum_is_told_after_the_bytes() {
    let bytes = bytes(100);
    for compression in [Compression::Gzip, Compression::Zstd, Compression::Lz4] {
        let mut packed = pack(compression, &bytes);
        let checksum = packed.len() - if compression == Compression::Gzip { 8 } else { 4 };
        packed[checksum] ^= 1;
        let (got, failure) = all_of(compression, &packed);
        let failure = failure.unwrap_or_default();
        assert_eq!(got, bytes, "{compression:?}");
        assert!(failure.contains("broken near compressed byte"), "{failure}");
    }
}

#[test]
fn something_else_behind_the_end_is_told_and_padding_is_not() {
    let bytes = bytes(5000);
    for compression in Compression::ALL {
        let packed = pack(compression, &bytes);
        let (got, failure) = all_of(compression, &[&packed[..], b"something else"].concat());
        let failure = failure.unwrap_or_default();
        assert_eq!(got, bytes);
        assert!(failure.starts_with(&format!("the {} stream is broken near", compression.name())), "{failure}");
        if compression != Compression::Gzip {
            assert!(failure.contains(&format!("byte {}: something else follows its end", packed.len())), "{failure}");
            assert_eq!(all_of(compression, &[&packed[..], &[0; 700]].concat()), (bytes.clone(), None));
        }
    }
}

#[test]
fn frames_that_hold_no_data_are_passed_over() {
    let skipped = [&b"\x50\x2a\x4d\x18\x04\0\0\0"[..], b"size"].concat();
    for compression in [Compression::Zstd, Compression::Lz4] {
        let part = pack(compression, b"a part");
        let packed = [&skipped[..], &part, &skipped, &skipped, &part, &skipped].concat();
        assert_eq!(Compression::of(&packed), Some(compression));
        assert_eq!(all_of(compression, &packed), (b"a parta part".to_vec(), None));
    }
    assert_eq!(Compression::of(&skipped), Some(Compression::Zstd));
    assert_eq!(Compression::of(b"\x50\x2a\x4d\x18"), None);
}

/// A zstd frame with a window of so many bits, that holds blocks of 128 KiB of one byte.
fn zstd_frame(window_log: u8, blocks: usize) -> Vec<u8> {
    let block = |last: u32| (last | 1 << 1 | (128 << 10) << 3).to_le_bytes()[..3].to_vec();
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0, (window_log - 10) << 3];
    for number in 1..=blocks {
        frame.extend([block(u32::from(number == blocks)), vec![0]].concat());
    }
    frame
}

#[test]
fn a_zstd_window_of_128_mib_is_taken_and_a_larger_one_is_not() {
    assert_eq!(all_of(Compression::Zstd, &zstd_frame(27, 2)), (vec![0; 256 << 10], None));
    for window_log in [28, 31, 41] {
        let failure = all_of(Compression::Zstd, &zstd_frame(window_log, 2)).1.unwrap_or_default();
        assert!(failure.contains("the zstd stream asks for more than 128 MiB of memory"), "{failure}");
    }
}

#[test]
fn an_xz_dictionary_of_128_mib_is_taken_and_a_larger_one_is_not() {
    let bytes = bytes(1000);
    let with_dictionary = |bits: u8| {
        let mut packed = pack(Compression::Xz, &bytes);
        // .xz format, 3.1: the block header follows 12 bytes of stream header, and its CRC stands at its end.
        // 5.3.1: the dictionary has 2^(n/2 + 12) bytes for even n.
        let (header, end) = (12, 12 + usize::from(packed[12]) * 4);
        assert_eq!(packed[header + 2..header + 4], [0x21, 1], "the one filter is LZMA2");
        packed[header + 4] = (bits - 12) * 2;
        let checksum = crc32fast::hash(&packed[header..end]).to_le_bytes();
        packed[end..end + 4].copy_from_slice(&checksum);
        packed
    };
    assert_eq!(all_of(Compression::Xz, &with_dictionary(27)), (bytes.clone(), None));
    for bits in [28, 31] {
        let failure = all_of(Compression::Xz, &with_dictionary(bits)).1.unwrap_or_default();
        assert!(failure.contains("the xz stream asks for more than 128 MiB of memory"), "{failure}");
    }
}

#[test]
fn a_bomb_is_left_unexploded() {
    let bomb = zstd_frame(17, 20_000);
    let mut window = unpack(Compression::Zstd, &bomb);
    window.skip(u64::MAX);
    assert!(window.offset() > FREE && window.offset() <= FREE + 2 * CHUNK as u64, "{} bytes", window.offset());
    let failure = window.failure().unwrap_or_default();
    assert!(failure.contains("unpacking stopped at compressed byte"), "{failure}");
    let Source::Stream(stream) = &window.source else { return };
    assert!(stream.buffer.len() <= CHUNK, "{} bytes", stream.buffer.len());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn arbitrary_bytes_behind_the_magic_number_end(
        which in 0..5_usize,
        rest in prop::collection::vec(any::<u8>(), 0..300),
    ) {
        let compression = Compression::ALL[which];
        unpack(compression, &[compression.magic(), &rest].concat()).skip(u64::MAX);
        unpack(compression, &rest).skip(u64::MAX);
    }

    #[test]
    fn a_good_stream_with_some_bytes_changed_ends(
        which in 0..5_usize,
        members in 1..4_usize,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let compression = Compression::ALL[which];
        let mut packed = pack(compression, &[noise(300), bytes(300)].concat()).repeat(members);
        for (place, value) in changes {
            let at = place.index(packed.len());
            packed[at] = value;
        }
        unpack(compression, &packed).skip(u64::MAX);
    }

    #[test]
    fn what_is_packed_in_any_pieces_comes_out_whole(
        pieces in prop::collection::vec(prop::collection::vec(0..4_u8, 0..400), 1..5),
        which in 0..5_usize,
    ) {
        let compression = Compression::ALL[which];
        let packed: Vec<u8> = pieces.iter().flat_map(|piece| pack(compression, piece)).collect();
        prop_assert_eq!(all_of(compression, &packed), (pieces.concat(), None));
    }
}
