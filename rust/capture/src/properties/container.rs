//! Files as they come: containers, compressed streams, and the whole pass over either.

use std::io::Cursor;

use super::whole::{check_file, open};
use crate::track::Settings;
use crate::window::{Compression, Window};

const MAGICS: [u32; 5] = [0xa1b2_c3d4, 0xa1b2_3c4d, 0xa1b2_cd34, 0x1c00_01ac, 0x1c00_01ab];

/// A pcap file: the first byte chooses the variant and byte order, the rest is the file after its magic number.
pub(super) fn pcap(input: &[u8]) {
    let Some((&choice, rest)) = input.split_first() else { return };
    let magic = MAGICS[usize::from(choice >> 1) % MAGICS.len()];
    let magic = if choice & 1 == 0 { magic.to_le_bytes() } else { magic.to_be_bytes() };
    walk(&[&magic, rest].concat());
}

/// A pcapng file: the input are its blocks after the first section header, each given its right length at the end, so that
/// the fuzzer need not guess it. The first byte chooses the byte order, and whether lengths are corrected.
pub(super) fn pcapng(input: &[u8]) {
    let Some((&choice, mut rest)) = input.split_first() else { return };
    let big = choice & 1 == 1;
    let word = |value: u32| if big { value.to_be_bytes() } else { value.to_le_bytes() };
    let mut file = [word(0x0a0d_0d0a), word(28), word(0x1a2b_3c4d)].concat();
    file.extend(if big { [0, 1, 0, 0] } else { [1, 0, 0, 0] });
    file.extend([0xff; 8]);
    file.extend(word(28));
    if choice & 2 == 0 {
        file.extend(rest);
        return walk(&file);
    }
    while let Some((&[kind, units], body)) = rest.split_first_chunk() {
        let body = body.get(..usize::from(units) * 4).unwrap_or(body);
        let padded = body.len().next_multiple_of(4);
        let total = (padded + 12) as u32;
        file.extend([word(kind.into()), word(total)].concat());
        file.extend(body);
        file.resize(file.len() + padded - body.len(), 0);
        file.extend(word(total));
        rest = &rest[2 + body.len()..];
    }
    walk(&file);
}

/// To the end. What a file can say beside its packets must stay bounded, and frames must be counted up.
fn walk(file: &[u8]) {
    let Some(mut capture) = open(file) else { return };
    let mut last = 0;
    while let Some(record) = capture.next() {
        assert!(record.frame > last);
        last = record.frame;
    }
    assert!(capture.problems().len() <= 100);
    assert!(capture.comments().len() <= 10_000 && capture.interfaces().len() <= 4096);
    let _ = (capture.notes(), capture.snap_len(), capture.resolution(), capture.reported_drops());
}

/// A compressed stream: the first byte chooses the compression. At most 64 MiB are unpacked.
pub(super) fn unpack(input: &[u8]) {
    const MOST: u64 = 64 << 20;
    const STEP: usize = 1 << 16;
    let Some((&choice, stream)) = input.split_first() else { return };
    let packed = Window::stream(Cursor::new(stream.to_vec()));
    let mut window = packed.unpack(Compression::ALL[usize::from(choice) % Compression::ALL.len()]);
    while !window.peek(STEP).is_empty() && window.offset() < MOST {
        window.skip(STEP as u64);
    }
    assert!(window.consumed() <= stream.len() as u64);
    assert!(window.failure().is_none_or(|failure| failure.len() < 1000));
}

/// The whole pass: a file recognised, every packet decoded and given to every tracker, by one thread and by two, and the
/// tables made. The scanned tables are made too, with all their columns.
pub(super) fn track(file: &[u8]) {
    check_file(file, &Settings::default());
}
