//! A compressed stream: the first byte chooses the compression. At most 64 MiB are unpacked.

#![no_main]

use std::io::Cursor;

use capture::window::{Compression, Window};
use libfuzzer_sys::fuzz_target;

const ALL: [Compression; 5] =
    [Compression::Gzip, Compression::Zstd, Compression::Lz4, Compression::Xz, Compression::Bzip2];

fuzz_target!(|input: &[u8]| {
    let Some((&choice, stream)) = input.split_first() else { return };
    let packed = Window::stream(Cursor::new(stream.to_vec()));
    let mut window = packed.unpack(ALL[usize::from(choice) % ALL.len()]);
    while !window.peek(1 << 16).is_empty() && window.offset() < 64 << 20 {
        window.skip(1 << 16);
    }
    let _ = (window.failure().map(str::len), window.consumed());
});
