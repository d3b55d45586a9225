//! IPv6 (RFC 8200) and its chain of extension headers.

use crate::address::Address;
use crate::packet::{Fragment, Layer, Packet, Rest, Stopped};

pub(crate) fn decode<'a>(rest: &mut Rest<'a>, packet: &mut Packet<'a>) -> Result<(), Stopped> {
    let start = rest.at();
    let header = rest.take::<40>(Layer::Ipv6)?;
    let version = header[0] >> 4;
    if version != 6 {
        return Err(Stopped::BadField { layer: Layer::Ipv6, field: "version", value: version.into() });
    }
    let mut next = header[6];
    let ip = packet.ip.insert(super::marks(header[0] << 4 | header[1] >> 4, header[7], None, next));
    let mut addresses = header[8..].as_chunks().0.iter();
    packet.src = addresses.next().copied().map(Address::V6);
    packet.dst = addresses.next().copied().map(Address::V6);
    // A payload length of 0 belongs to a jumbogram or to a segment that the NIC was still to cut (TSO): the frame tells.
    let len = u32::from(u16::from_be_bytes([header[4], header[5]]));
    if len != 0 {
        rest.limit_by_ip(len);
    }
    let mut later_fragment = false;
    loop {
        let before = *rest;
        match next {
            // hop-by-hop, routing, destination options, mobility, HIP, shim6: length in units of 8 after the first 8
            0 | 43 | 60 | 135 | 139 | 140 if !later_fragment => {
                let [following, units] = *rest.take(Layer::Ipv6)?;
                *rest = before;
                rest.skip(8 + 8 * usize::from(units), Layer::Ipv6)?;
                next = following;
            }
            // authentication header: length in units of 4, less 2
            51 if !later_fragment => {
                let [following, units] = *rest.take(Layer::Ipv6)?;
                *rest = before;
                rest.skip((usize::from(units) + 2) * 4, Layer::Ipv6)?;
                next = following;
            }
            44 if !later_fragment => {
                let [following, _, o0, o1, i0, i1, i2, i3] = *rest.take::<8>(Layer::Ipv6)?;
                let offset = u16::from_be_bytes([o0, o1]);
                later_fragment = offset >> 3 != 0;
                packet.fragment = Fragment::of(offset >> 3, offset & 1 != 0, u32::from_be_bytes([i0, i1, i2, i3]));
                next = following;
            }
            _ => break,
        }
        ip.protocol = next;
    }
    super::transport(Layer::Ipv6, next, later_fragment, start, rest, packet)
}
