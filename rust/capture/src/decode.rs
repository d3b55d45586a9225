//! A record's bytes to one [`Packet`]: the whole way down through link, network and RDMA headers.

#[cfg(test)]
mod tests;

use crate::link;
use crate::packet::{Packet, Rest};

/// Decodes one packet from its link layer on. Never fails: what could be read is there, and [`Packet::stopped`] tells
/// where and why it ended early. Allocates nothing.
///
/// `data` are the captured bytes, `wire_len` those on the wire; lengths in the result are of the wire, so that they are
/// right in packets cut by a snap length.
#[inline]
#[must_use]
pub fn decode(link_type: u16, data: &[u8], wire_len: u32) -> Packet<'_> {
    let mut packet = Packet::default();
    packet.stopped = link::decode(link_type, &mut Rest::new(data, wire_len), &mut packet).err();
    packet
}
