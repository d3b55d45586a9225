//! Linux cooked captures (`tcpdump -i any`), versions 1 and 2: no destination address, and a type field that means
//! what the kind of device says.

use crate::address::Mac;
use crate::packet::{Layer, Packet, Rest, Stopped};

use super::ethernet;

/// 802.2 frames, as the kernel numbers them in the type field (`ETH_P_802_2` in `linux/if_ether.h`).
const LLC: u16 = 0x0004;

pub(super) fn decode_v1<'a>(rest: &mut Rest<'a>, packet: &mut Packet<'a>) -> Result<(), Stopped> {
    let [_, _, h0, h1, _, len, a0, a1, a2, a3, a4, a5, _, _, p0, p1] = *rest.take::<16>(Layer::Cooked)?;
    let hardware = u16::from_be_bytes([h0, h1]);
    let address = [a0, a1, a2, a3, a4, a5];
    after_header(hardware, len, address, u16::from_be_bytes([p0, p1]), rest, packet)
}

pub(super) fn decode_v2<'a>(rest: &mut Rest<'a>, packet: &mut Packet<'a>) -> Result<(), Stopped> {
    let [p0, p1, _, _, _, _, _, _, h0, h1, _, len, a0, a1, a2, a3, a4, a5, _, _] = *rest.take::<20>(Layer::Cooked)?;
    let hardware = u16::from_be_bytes([h0, h1]);
    let address = [a0, a1, a2, a3, a4, a5];
    after_header(hardware, len, address, u16::from_be_bytes([p0, p1]), rest, packet)
}

fn after_header<'a>(
    hardware: u16,
    address_len: u8,
    address: [u8; 6],
    protocol: u16,
    rest: &mut Rest<'a>,
    packet: &mut Packet<'a>,
) -> Result<(), Stopped> {
    /// Devices whose type field is an ethertype: Ethernet, loopback, PPP, tunnels (`linux/if_arp.h`).
    const TYPED: [u16; 10] = [1, 32, 512, 768, 769, 772, 776, 778, 823, 65534];
    if address_len == 6 {
        packet.src_mac = Some(Mac(address));
    }
    if !TYPED.contains(&hardware) {
        return Err(Stopped::NotDecoded { layer: Layer::Cooked, value: hardware.into() });
    }
    match protocol {
        LLC => ethernet::llc(rest, packet),
        0..0x0600 => Err(Stopped::NotDecoded { layer: Layer::Ethernet, value: protocol.into() }),
        ethertype => ethernet::after_type(ethertype, rest, packet),
    }
}
