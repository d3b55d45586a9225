//! A pcap file: the first byte chooses the variant and byte order, the rest is the file after its magic number.

#![no_main]

use libfuzzer_sys::fuzz_target;

const MAGICS: [u32; 5] = [0xa1b2_c3d4, 0xa1b2_3c4d, 0xa1b2_cd34, 0x1c00_01ac, 0x1c00_01ab];

fuzz_target!(|input: &[u8]| {
    let Some((&choice, rest)) = input.split_first() else { return };
    let magic = MAGICS[usize::from(choice >> 1) % MAGICS.len()];
    let magic = if choice & 1 == 0 { magic.to_le_bytes() } else { magic.to_be_bytes() };
    badhop_capture_fuzz::walk([&magic, rest].concat());
});
