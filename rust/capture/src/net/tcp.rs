//! TCP (RFC 9293). Options are kept as they are; who needs one reads it.

use crate::packet::{Layer, Packet, Rest, Stopped, Tcp};

const LEN: u32 = 20;

pub(super) fn decode<'a>(rest: &mut Rest<'a>, packet: &mut Packet<'a>) -> Result<(), Stopped> {
    super::ports(rest, packet);
    let [_, _, _, _, s0, s1, s2, s3, a0, a1, a2, a3, offset, flags, w0, w1, ..] = *rest.take::<20>(Layer::Tcp)?;
    let words = u32::from(offset >> 4);
    let options = (words * 4).checked_sub(LEN);
    let captured = rest.captured();
    let there = captured.len().min(options.unwrap_or(0) as usize);
    packet.tcp = Some(Tcp {
        seq: u32::from_be_bytes([s0, s1, s2, s3]),
        ack: u32::from_be_bytes([a0, a1, a2, a3]),
        flags,
        window: u16::from_be_bytes([w0, w1]),
        options: captured.get(..there).unwrap_or_default(),
    });
    // Options that were not captured do not hide the length of the payload.
    packet.payload_len = options.and_then(|options| rest.wire_after(options));
    match options {
        Some(_) => rest.skip(there, Layer::Tcp),
        None => Err(Stopped::BadField { layer: Layer::Tcp, field: "data offset in words", value: words }),
    }
}
