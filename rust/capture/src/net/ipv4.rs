//! IPv4 (RFC 791).

use crate::address::Address;
use crate::packet::{Fragment, Layer, Packet, Rest, Stopped};

const LEN: usize = 20;

pub(crate) fn decode<'a>(rest: &mut Rest<'a>, packet: &mut Packet<'a>) -> Result<(), Stopped> {
    let start = rest.at();
    let header = rest.take::<LEN>(Layer::Ipv4)?;
    let (version, words) = (header[0] >> 4, usize::from(header[0] & 0x0f));
    if version != 4 {
        return Err(Stopped::BadField { layer: Layer::Ipv4, field: "version", value: version.into() });
    }
    let be16 = |at: usize| u16::from_be_bytes([header[at], header[at + 1]]);
    let (total, id, fragment, protocol) = (be16(2), be16(4), be16(6), header[9]);
    packet.ip = Some(super::marks(header[1], header[8], Some(id), protocol));
    packet.src = Some(Address::V4([header[12], header[13], header[14], header[15]]));
    packet.dst = Some(Address::V4([header[16], header[17], header[18], header[19]]));
    if fragment & 0x3fff != 0 {
        packet.fragment = Fragment::of(fragment & 0x1fff, fragment & 0x2000 != 0, id.into());
    }
    let Some(options) = (words * 4).checked_sub(LEN) else {
        return Err(Stopped::BadField { layer: Layer::Ipv4, field: "header length in words", value: words as u32 });
    };
    // A total length of 0 is a segment that the NIC was still to cut (TSO): then the frame tells.
    if total != 0 {
        let Some(len) = u32::from(total).checked_sub(LEN as u32) else {
            return Err(Stopped::BadField { layer: Layer::Ipv4, field: "total length", value: total.into() });
        };
        rest.limit_by_ip(len);
    }
    rest.skip(options, Layer::Ipv4)?;
    super::transport(Layer::Ipv4, protocol, fragment & 0x1fff != 0, start, rest, packet)
}
