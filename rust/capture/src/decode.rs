//! A record's bytes to one [`Packet`]: the whole way down through link, network and RDMA headers, and through tunnels.

mod plain;
#[cfg(test)]
mod tests;
mod tunnel;

use crate::link;
use crate::packet::{Packet, Rest};

/// Decodes one packet from its link layer on. Never fails: what could be read is there, and [`Packet::stopped`] tells
/// where and why it ended early. Allocates nothing.
///
/// When the packet is a tunnel's, the result is the innermost packet, and [`Packet::outer`] what was around it.
///
/// `data` are the captured bytes, `wire_len` those on the wire; lengths in the result are of the wire, so that they are
/// right in packets cut by a snap length.
#[inline]
#[must_use]
pub fn decode(link_type: u16, data: &[u8], wire_len: u32) -> Packet<'_> {
    match plain::roce(link_type, data) {
        Some(packet) => packet,
        None => layer_by_layer(link_type, data, wire_len),
    }
}

/// [`decode`] for the innermost loops: the packet is made where `with` uses it, and not carried there.
#[allow(clippy::inline_always)] // measured: the packet is not carried through memory
#[inline(always)]
pub(crate) fn decoded<'a, T>(
    link_type: u16,
    data: &'a [u8],
    wire_len: u32,
    mut with: impl FnMut(Packet<'a>) -> T,
) -> T {
    match plain::roce(link_type, data) {
        Some(packet) => with(packet),
        None => with(layer_by_layer(link_type, data, wire_len)),
    }
}

/// The general way down, for whatever there may be.
#[inline(never)]
fn layer_by_layer(link_type: u16, data: &[u8], wire_len: u32) -> Packet<'_> {
    let mut packet = Packet::default();
    let mut rest = Rest::new(data, wire_len);
    packet.stopped = link::decode(link_type, &mut rest, &mut packet).err();
    match rest.announced() {
        Some(wrapper) => tunnel::decode(wrapper, rest, &mut packet),
        None => packet.payload = rest.captured(),
    }
    packet
}
