//! One packet of any link type: two bytes of link type, then the packet, cut in the middle of its wire length.

use crate::decode::decode;
use crate::fragments::Fragments;
use crate::packet::Kind;
use crate::rdma::icrc_ok;

pub(super) fn packet(input: &[u8]) {
    let Some((link_type, data)) = input.split_first_chunk() else { return };
    let mut fragments = Fragments::default();
    for (frame, wire_len) in (1..).zip([0, data.len(), data.len() * 2]) {
        let mut packet = decode(u16::from_le_bytes(*link_type), data, wire_len as u32);
        assert_eq!(packet.roce.is_some(), packet.kind == Kind::Roce);
        assert!(packet.payload.len() <= data.len());
        fragments.complete(frame, None, &mut packet);
        let _ = packet.roce.as_ref().and_then(icrc_ok);
        let _ = packet.stopped.map(|stopped| stopped.to_string());
    }
}
