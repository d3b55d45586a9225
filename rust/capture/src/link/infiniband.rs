//! Native InfiniBand: the local route header (IBTA vol. 1, 7.7), then a GRH or the BTH at once.

use crate::address::Address;
use crate::packet::{Layer, Packet, Rest, Stopped};
use crate::rdma::{self, Encapsulation};

/// Bytes of the LRH.
const LEN: u32 = 8;

pub(super) fn decode<'a>(rest: &mut Rest<'a>, packet: &mut Packet<'a>) -> Result<(), Stopped> {
    let start = rest.at();
    let [_, next, d0, d1, l0, l1, s0, s1] = *rest.take::<8>(Layer::Lrh)?;
    packet.src = Some(Address::Lid(u16::from_be_bytes([s0, s1])));
    packet.dst = Some(Address::Lid(u16::from_be_bytes([d0, d1])));
    // The packet length counts words of four bytes from here through the ICRC; the VCRC comes after it.
    let words = u32::from(u16::from_be_bytes([l0, l1]) & 0x07ff);
    let Some(len) = (words * 4).checked_sub(LEN) else {
        return Err(Stopped::BadField { layer: Layer::Lrh, field: "packet length in words", value: words });
    };
    rest.limit(len);
    packet.payload_len = rest.wire();
    match next & 0b11 {
        2 => rdma::decode(Encapsulation::InfiniBand, start, rest, packet),
        3 => rdma::grh::decode_from(Encapsulation::InfiniBand, start, rest, packet),
        other => Err(Stopped::NotDecoded { layer: Layer::Lrh, value: other.into() }),
    }
}
