//! One packet: two bytes of link type, then the packet, cut in the middle of its wire length.

#![no_main]

use capture::decode::decode;
use capture::rdma::icrc_ok;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let Some((link_type, data)) = input.split_first_chunk() else { return };
    for wire_len in [0, data.len(), data.len() * 2] {
        let packet = decode(u16::from_le_bytes(*link_type), data, wire_len as u32);
        let _ = packet.roce.as_ref().and_then(icrc_ok);
        let _ = packet.stopped.map(|stopped| stopped.to_string());
    }
});
