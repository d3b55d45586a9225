//! UDP (RFC 768), and what its destination port announces: `RoCEv2`, or a tunnel.

use crate::packet::{Layer, Packet, Rest, Stopped, Wrapper};
use crate::rdma::{self, Encapsulation};

/// Destination port of `RoCEv2` (IANA). The source port carries path entropy and may be any number, this one included, so
/// it says nothing.
const ROCE_V2: u16 = 4791;
const LEN: u32 = 8;

pub(super) fn decode<'a>(ip_start: usize, rest: &mut Rest<'a>, packet: &mut Packet<'a>) -> Result<(), Stopped> {
    super::ports(rest, packet);
    let [_, _, d0, d1, l0, l1, _, _] = *rest.take::<8>(Layer::Udp)?; // the checksum may be 0 or wrong: nobody needs it
    let len = u32::from(u16::from_be_bytes([l0, l1]));
    // 0 stands for a datagram longer than the field can say (RFC 2675), or not yet cut by the NIC.
    if len != 0 {
        let Some(len) = len.checked_sub(LEN) else {
            return Err(Stopped::BadField { layer: Layer::Udp, field: "length", value: len });
        };
        rest.limit(len);
    }
    packet.payload_len = rest.wire();
    match u16::from_be_bytes([d0, d1]) {
        ROCE_V2 => rdma::decode(Encapsulation::RoceV2, ip_start, rest, packet),
        port => {
            // Whether it is one of a tunnel is asked where tunnels are known: nothing is lost by asking for every port.
            rest.announce(Wrapper::Port(port));
            Ok(())
        }
    }
}
