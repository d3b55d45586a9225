//! The global route header (IBTA vol. 1, 8.3): directly on Ethernet in `RoCEv1`, after the LRH in native InfiniBand.

use super::Encapsulation;
use crate::address::Address;
use crate::packet::{Ip, Layer, Packet, Rest, Stopped};

/// Next header value of the BTH.
const BTH: u8 = 0x1b;

/// A GRH that is the first RDMA header of the packet.
pub(crate) fn decode<'a>(
    encapsulation: Encapsulation,
    rest: &mut Rest<'a>,
    packet: &mut Packet<'a>,
) -> Result<(), Stopped> {
    decode_from(encapsulation, rest.at(), rest, packet)
}

/// A GRH after an LRH that began at `start`.
pub(crate) fn decode_from<'a>(
    encapsulation: Encapsulation,
    start: usize,
    rest: &mut Rest<'a>,
    packet: &mut Packet<'a>,
) -> Result<(), Stopped> {
    let header = rest.take::<40>(Layer::Grh)?;
    let version = header[0] >> 4;
    if version != 6 {
        return Err(Stopped::BadField { layer: Layer::Grh, field: "version", value: version.into() });
    }
    let class = header[0] << 4 | header[1] >> 4;
    packet.ip = Some(Ip { dscp: class >> 2, ecn: class & 0b11, ttl: header[7], id: None, protocol: header[6] });
    let mut gids = header[8..].as_chunks().0.iter();
    packet.src = gids.next().copied().map(Address::V6);
    packet.dst = gids.next().copied().map(Address::V6);
    rest.limit_by_ip(u16::from_be_bytes([header[4], header[5]]).into());
    packet.payload_len = rest.wire();
    match header[6] {
        BTH => super::decode(encapsulation, start, rest, packet),
        other => Err(Stopped::NotDecoded { layer: Layer::Grh, value: other.into() }),
    }
}
