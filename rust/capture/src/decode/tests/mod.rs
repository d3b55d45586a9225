//! Behaviour of [`super::decode`] on packets built header by header.

mod build;
mod link;
mod mirror;
mod net;
mod plain;
mod roce;
mod tunnel;
mod tunnel_guess;
mod wrap;

use super::{Packet, decode};
use crate::packet::{Layer, Stopped};

/// Decodes a packet that was captured whole.
fn whole(link_type: u16, packet: &[u8]) -> Packet<'_> {
    decode(link_type, packet, packet.len() as u32)
}

/// Cuts a packet after every byte: each cut must stop in a header that is really there, or leave the result the same
/// but for the bytes that the ICRC covers. Lengths on the wire never change.
fn cuts_are_told(link_type: u16, packet: &[u8]) {
    let full = whole(link_type, packet);
    for len in 0..packet.len() {
        let cut = decode(link_type, &packet[..len], packet.len() as u32);
        match cut.stopped {
            Some(Stopped::Truncated { need, have, .. }) => assert!(have < need && have <= len, "{len} bytes"),
            other => {
                assert_eq!(other, full.stopped, "{len} bytes");
                assert_eq!(cut.payload_len, full.payload_len, "{len} bytes");
                assert_eq!(cut.kind, full.kind, "{len} bytes");
            }
        }
    }
}
