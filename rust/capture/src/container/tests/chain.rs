//! Several files of one rotation as one capture, and a file that still grows.

use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use proptest::prelude::*;

use super::build::{Endian, MICROSECONDS, NANOSECONDS, block, interface, option, packet, pcap_header, record, section};
use super::{Owned, owned, read_all};
use crate::container::Capture;
use crate::window::{Compression, Follow, Window, pack};

const LE: Endian = Endian::Little;

/// Files in the system's folder for temporary files, removed with the test.
struct Rotation(PathBuf, Vec<PathBuf>);

impl Rotation {
    fn of(files: &[Vec<u8>]) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("badhop-chain-{}-{number}", std::process::id()));
        std::fs::create_dir(&folder).unwrap();
        let paths: Vec<PathBuf> = (0..files.len()).map(|n| folder.join(format!("part{n}.pcap"))).collect();
        for (path, bytes) in paths.iter().zip(files) {
            std::fs::write(path, bytes).unwrap();
        }
        Self(folder, paths)
    }

    fn read(&self) -> (Vec<Owned>, Capture) {
        let mut capture = Capture::open_all(&self.1).unwrap_or_else(|error| panic!("{error}"));
        (owned(&mut capture), capture)
    }
}

impl Drop for Rotation {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn pcap(records: &[Vec<u8>]) -> Vec<u8> {
    [pcap_header(LE, MICROSECONDS, 4, 96, 1), records.concat()].concat()
}

fn numbered(second: u32) -> Vec<u8> {
    record(LE, (second, 0), &second.to_le_bytes(), 60, 0)
}

#[test]
fn the_files_of_a_rotation_are_one_capture_with_frames_numbered_through() {
    let whole: Vec<Vec<u8>> = (1..=5).map(numbered).collect();
    let (expected, _) = read_all(&pcap(&whole));
    let rotation = Rotation::of(&[pcap(&whole[..2]), pcap(&[]), pcap(&whole[2..])]);
    let (packets, capture) = rotation.read();
    assert_eq!(packets, expected);
    assert!(capture.problems().is_empty());
    assert_eq!(capture.consumed(), 3 * 24 + 5 * 20);
    assert_eq!(capture.size(), Some(3 * 24 + 5 * 20));
    assert_eq!((capture.snap_len(), capture.resolution(), capture.interfaces().len()), (Some(96), 1000, 1));
}

#[test]
fn compressed_files_that_are_unpacked_ahead_are_the_same_capture() {
    let whole: Vec<Vec<u8>> = (1..=5).map(numbered).collect();
    let files = [&whole[..2], &whole[2..]].map(|part| pack::pack(Compression::Zstd, &pcap(part)));
    let rotation = Rotation::of(&[files[0].clone(), files[1].clone(), files[1][..20].to_vec()]);
    let (packets, capture) = rotation.read();
    let mut ahead = Capture::open_all(&rotation.1).unwrap();
    ahead.read_ahead();
    assert_eq!(owned(&mut ahead), packets);
    assert_eq!(packets.len(), 5);
    assert_eq!((ahead.problems(), ahead.consumed()), (capture.problems(), capture.consumed()));
}

#[test]
fn what_a_file_tells_is_added_up_over_the_files() {
    let dropped = |count: u64| block(LE, 5, &[LE.words(&[0, 0, 0]), option(LE, 5, &LE.u64(count))].concat());
    let files = [
        [section(LE), interface(LE, 1, 128, &[]), packet(LE, 0, 1, &[0; 4], 4, &[]), dropped(5)].concat(),
        [pcap_header(LE, NANOSECONDS, 4, 0, 1), record(LE, (1, 1), &[0; 4], 4, 0)].concat(),
        [section(LE), interface(LE, 1, 64, &[]), packet(LE, 0, 1, &[0; 4], 4, &[]), dropped(2)].concat(),
    ];
    let (packets, capture) = Rotation::of(&files).read();
    assert_eq!(packets.iter().map(|packet| packet.frame).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(capture.reported_drops(), Some(7));
    assert_eq!(capture.resolution(), 1, "of the finest file");
    assert_eq!(capture.snap_len(), None, "the second file sets no limit");
    assert_eq!(capture.interfaces()[0].dropped, Some(7));
}

#[test]
fn interfaces_that_are_described_alike_are_one_and_others_are_numbered_on() {
    let port = |name: &str| interface(LE, 1, 0, &[option(LE, 2, name.as_bytes())]);
    let of = |ports: [&str; 2]| {
        let packets = [packet(LE, 0, 1, &[0; 4], 4, &[]), packet(LE, 1, 1, &[0; 4], 4, &[])].concat();
        [section(LE), port(ports[0]), port(ports[1]), packets].concat()
    };
    let (packets, capture) = Rotation::of(&[of(["a", "b"]), of(["a", "c"]), of(["a", "b"])]).read();
    assert_eq!(packets.iter().map(|packet| packet.interface).collect::<Vec<_>>(), [0, 1, 0, 2, 0, 1]);
    let names: Vec<Option<String>> = capture.interfaces().into_iter().map(|described| described.name).collect();
    assert_eq!(names, ["a", "b", "c"].map(|name| Some(name.to_owned())));
}

#[test]
fn damage_in_one_file_is_told_with_its_name_and_the_next_file_is_read() {
    let whole: Vec<Vec<u8>> = (1..=4).map(numbered).collect();
    let mut cut = pcap(&whole[..2]);
    cut.truncate(cut.len() - 3);
    let (packets, capture) = Rotation::of(&[cut, b"#!/bin/sh".to_vec(), pcap(&whole[2..])]).read();
    assert_eq!(packets.iter().map(|packet| packet.frame).collect::<Vec<_>>(), [1, 2, 3]);
    let [first, second] = capture.problems() else { panic!("{:?}", capture.problems()) };
    assert_eq!((first.frame, first.offset), (1, 44));
    assert!(first.what.starts_with("part0.pcap: the file ends inside packet 2"), "{first:?}");
    assert_eq!(second.what, "part1.pcap: a script, not a packet capture");
    assert!(second.next.starts_with("the other files were read"), "{second:?}");
}

#[test]
fn a_first_file_that_is_gone_is_a_problem_and_only_no_file_at_all_is_an_error() {
    let mut rotation = Rotation::of(&[pcap(&[numbered(1)]), pcap(&[numbered(2)])]);
    std::fs::remove_file(&rotation.1[0]).unwrap();
    let (packets, capture) = rotation.read();
    assert_eq!((packets.len(), capture.problems().len()), (1, 1));
    assert!(capture.problems()[0].what.starts_with("part0.pcap: "));
    std::fs::remove_file(&rotation.1[1]).unwrap();
    let error = Capture::open_all(&rotation.1).err().unwrap();
    assert_eq!(error.path(), Some(rotation.1[0].as_path()));
    rotation.1.clear();
    assert!(Capture::open_all(&rotation.1).is_err());
}

#[test]
fn a_single_file_has_problems_without_its_name() {
    let mut cut = pcap(&[numbered(1)]);
    cut.pop();
    let (_, capture) = Rotation::of(&[cut]).read();
    assert!(capture.problems()[0].what.starts_with("the file ends"));
}

proptest! {
    #[test]
    fn a_file_cut_in_two_reads_as_the_whole(
        lens in prop::collection::vec(0usize..70, 1..20),
        cut in any::<prop::sample::Index>(),
        ng in any::<bool>(),
    ) {
        let head = if ng {
            [section(LE), interface(LE, 1, 0, &[option(LE, 2, b"eth0")])].concat()
        } else {
            pcap_header(LE, MICROSECONDS, 4, 65_535, 1)
        };
        let one = |(n, len): (usize, &usize)| {
            let data = vec![n as u8; *len];
            let comment = [option(LE, 1, format!("packet {n}").as_bytes())];
            if ng { packet(LE, 0, n as u64, &data, 70, &comment) } else { record(LE, (n as u32, 0), &data, 70, 0) }
        };
        let records: Vec<Vec<u8>> = lens.iter().enumerate().map(one).collect();
        let at = cut.index(records.len());
        let half = |records: &[Vec<u8>]| [head.clone(), records.concat()].concat();
        let (expected, whole) = read_all(&half(&records));
        let (packets, chain) = Rotation::of(&[half(&records[..at]), half(&records[at..])]).read();
        prop_assert_eq!(packets, expected);
        prop_assert_eq!(chain.comments(), whole.comments());
        prop_assert_eq!(chain.interfaces(), whole.interfaces());
    }
}

/// Gives out what was sent so far and then says that it is at the end, as a growing file does.
struct Parts(mpsc::Receiver<Vec<u8>>, Cursor<Vec<u8>>);

impl Read for Parts {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let count = self.1.read(into)?;
        if count == 0
            && let Ok(part) = self.0.try_recv()
        {
            self.1 = Cursor::new(part);
            return self.1.read(into);
        }
        Ok(count)
    }
}

/// Reads a file of which the next part is written each time that its end is met, until there are no more parts. Tells also
/// how many bytes had been read at each end.
fn grown(parts: Vec<Vec<u8>>) -> (Vec<Owned>, Capture, Vec<u64>) {
    let (write, file) = mpsc::channel();
    let (ends, met) = mpsc::channel();
    let mut parts = parts.into_iter();
    let follow = Follow::new(move |bytes| {
        ends.send(bytes).unwrap();
        parts.next().is_some_and(|part| write.send(part).is_ok())
    });
    let window = Window::growing(Parts(file, Cursor::default()), follow.at_once());
    let mut capture = Capture::from_window(window, Path::new("growing.pcap")).unwrap_or_else(|error| panic!("{error}"));
    let packets = owned(&mut capture);
    (packets, capture, met.try_iter().collect())
}

#[test]
fn a_growing_file_is_read_as_it_comes_whatever_the_pieces() {
    let file = pcap(&[numbered(1), numbered(2), numbered(3)]);
    let (expected, _) = read_all(&file);
    for size in [1, 7, 24, 30, 84] {
        let parts: Vec<Vec<u8>> = file.chunks(size).map(<[u8]>::to_vec).collect();
        let (packets, capture, ends) = grown(parts);
        assert_eq!(packets, expected, "pieces of {size} bytes");
        assert!(capture.problems().is_empty());
        assert_eq!((ends.first(), ends.last()), (Some(&0), Some(&84)), "the end is asked about with what was read");
    }
}

#[test]
fn a_packet_that_is_not_written_to_its_end_yet_is_no_damage() {
    let whole = pcap(&[numbered(1), numbered(2)]);
    for len in 24..whole.len() {
        let (packets, capture, _) = grown(vec![whole[..len].to_vec()]);
        assert_eq!(packets.len(), (len - 24) / 20, "{len} bytes");
        assert!(capture.problems().is_empty(), "{len} bytes: {:?}", capture.problems());
    }
    let ng = [section(LE), interface(LE, 1, 0, &[]), packet(LE, 0, 1, &[0; 40], 40, &[])].concat();
    for len in 28..ng.len() {
        let (packets, capture, _) = grown(vec![ng[..len].to_vec()]);
        assert_eq!((packets.len(), capture.problems().len()), (0, 0), "{len} bytes");
    }
}

#[test]
fn damage_in_a_growing_file_is_still_told() {
    let mut file = pcap(&[numbered(1)]);
    file.extend(LE.words(&[1, 0, u32::MAX, u32::MAX]));
    let (packets, capture, _) = grown(vec![file]);
    assert_eq!((packets.len(), capture.problems().len()), (1, 1));
}

#[test]
fn a_growing_compressed_file_is_unpacked_as_it_comes() {
    let file = pcap(&[numbered(1), numbered(2), numbered(3)]);
    let (expected, _) = read_all(&file);
    let packed = pack::pack(Compression::Gzip, &file);
    let (packets, capture, _) = grown(packed.chunks(5).map(<[u8]>::to_vec).collect());
    assert_eq!((packets, capture.problems().len()), (expected, 0));
    let cut = packed[..packed.len() - 9].to_vec();
    assert!(grown(vec![cut]).1.problems().is_empty(), "the rest of the stream is still to come");
    let mut broken = packed;
    if let Some(checksum) = broken.iter_mut().nth_back(6) {
        *checksum ^= 1;
    }
    assert_eq!(grown(vec![broken]).1.problems().len(), 1, "but what is broken stays so");
}

#[test]
fn a_file_that_grows_no_more_is_left_after_its_time() {
    let follow = Follow::new(|_| true).idle(Duration::ZERO).at_once();
    let window = Window::growing(Cursor::new(pcap(&[numbered(1)])), follow);
    let mut capture = Capture::from_window(window, Path::new("growing.pcap")).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(owned(&mut capture).len(), 1);
}

#[test]
fn only_the_last_file_of_a_rotation_is_waited_for() {
    let rotation = Rotation::of(&[pcap(&[numbered(1)]), pcap(&[numbered(2)])]);
    let (ends, met) = mpsc::channel();
    let follow = Follow::new(move |bytes| ends.send(bytes).is_err()).at_once();
    let mut capture = Capture::follow(&rotation.1, follow).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(owned(&mut capture).len(), 2);
    assert_eq!(met.try_iter().collect::<Vec<_>>(), [44]);
}
