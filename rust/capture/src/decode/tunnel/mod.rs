//! Packets inside packets: from a header that wraps one to the headers of the innermost.
//!
//! A header is believed, and its content taken for the packet, when it is whole and announces something that is read. A
//! UDP port alone is only a guess: there the header must look like one of its kind, or the packet stays plain UDP.

mod erspan;
mod geneve;
mod gre;
mod gtp;
mod mpls;
mod nsh;
mod ppp;
mod vxlan;

use crate::link::ethernet;
use crate::net;
use crate::packet::{Entered, Layer, Packet, Rest, Stopped, Tunnel, Wrapper};

/// Tunnels that are followed. Real ones nest three or four deep; more is an attack on a decoder.
const DEEPEST: u8 = 8;

/// What begins behind a tunnel header.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Carries {
    /// An Ethernet frame without FCS.
    Ethernet,
    /// What this ethertype announces.
    Type(u16),
    Ipv4,
    Ipv6,
    /// Something that is not read, and why.
    Unread(Stopped),
}

impl Carries {
    /// What an ethertype in a tunnel header means; `None` for those that are not read there.
    fn of_type(ethertype: u16) -> Option<Self> {
        /// Transparent Ethernet bridging (RFC 1701).
        const ETHERNET: u16 = 0x6558;
        match ethertype {
            ETHERNET => Some(Self::Ethernet),
            ethernet::IPV4 | ethernet::IPV6 | ethernet::NSH => Some(Self::Type(ethertype)),
            other => ethernet::MPLS.contains(&other).then_some(Self::Type(other)),
        }
    }

    /// What a next protocol field of VXLAN-GPE or NSH means (IANA, "NSH Next Protocol").
    fn of_next_protocol(next: u8) -> Option<Self> {
        match next {
            1 => Some(Self::Ipv4),
            2 => Some(Self::Ipv6),
            3 => Some(Self::Ethernet),
            4 => Some(Self::Type(ethernet::NSH)),
            5 => Some(Self::Type(ethernet::MPLS[0])),
            _ => None,
        }
    }
}

/// A tunnel header that is believed.
struct Header {
    entered: Entered,
    carries: Carries,
}

impl Header {
    /// One without sequence number.
    fn new(tunnel: Tunnel, id: Option<u32>, carries: Carries) -> Self {
        Self { entered: Entered { tunnel, id, seq: None, truncated: false, mirror: None }, carries }
    }
}

/// Goes in, as often as there is a way in.
#[inline(never)] // most packets are in no tunnel, and their way must not grow
pub(super) fn decode<'a>(
    wrapper: Wrapper,
    mut rest: Rest<'a>, // by value, so that on the way of all other packets it stays in registers
    packet: &mut Packet<'a>,
) {
    packet.stopped = go_in(wrapper, &mut rest, packet).err();
    packet.payload = rest.captured();
}

fn go_in<'a>(mut wrapper: Wrapper, rest: &mut Rest<'a>, packet: &mut Packet<'a>) -> Result<(), Stopped> {
    loop {
        let carries = match wrapper {
            Wrapper::Nsh => nsh::read(rest)?, // steers a packet on its way; no tunnel of its own
            _ => match enter(wrapper, rest, packet)? {
                Some(carries) => carries,
                None => return Ok(()),
            },
        };
        match carries {
            Carries::Ethernet => {
                packet.vlan = None; // NSH does not enter, and the frame behind it has tags of its own
                ethernet::decode(rest, packet)?;
            }
            Carries::Type(ethertype) => ethernet::after_type(ethertype, rest, packet)?,
            Carries::Ipv4 => net::ipv4::decode(rest, packet)?,
            Carries::Ipv6 => net::ipv6::decode(rest, packet)?,
            Carries::Unread(stopped) => return Err(stopped),
        }
        match rest.announced() {
            Some(next) => wrapper = next,
            None => return Ok(()),
        }
    }
}

/// Reads one tunnel header and makes what it carries the packet. `None` when there is no tunnel after all.
fn enter<'a>(wrapper: Wrapper, rest: &mut Rest<'a>, packet: &mut Packet<'a>) -> Result<Option<Carries>, Stopped> {
    let (layer, header) = match wrapper {
        Wrapper::Mpls => (Layer::Mpls, Some(mpls::read(rest)?)),
        Wrapper::Pppoe => (Layer::Pppoe, Some(ppp::read_pppoe(rest)?)),
        Wrapper::Gre => (Layer::Gre, gre::read(rest)?),
        Wrapper::Ipv4 => (Layer::Ipv4, Some(Header::new(Tunnel::Ipip, None, Carries::Ipv4))),
        Wrapper::Ipv6 => (Layer::Ipv6, Some(Header::new(Tunnel::Ipip, None, Carries::Ipv6))),
        Wrapper::Port(vxlan::PORT | vxlan::OLD_PORT) => (Layer::Vxlan, vxlan::guess(rest)?),
        Wrapper::Port(vxlan::GPE_PORT) => (Layer::Vxlan, vxlan::guess_gpe(rest)?),
        Wrapper::Port(geneve::PORT) => (Layer::Geneve, geneve::guess(rest)?),
        Wrapper::Port(gtp::PORT) => (Layer::Gtp, gtp::guess(rest)?),
        Wrapper::Port(mpls::PORT) => (Layer::Mpls, mpls::guess(rest)?),
        Wrapper::Port(_) | Wrapper::Nsh => return Ok(None),
    };
    let Some(Header { entered, carries }) = header else { return Ok(None) };
    if packet.depth() == DEEPEST {
        return Err(Stopped::TooDeep { layer });
    }
    packet.enter(entered, carries == Carries::Ethernet, rest.wire());
    Ok(Some(carries))
}

/// Takes a header that is there only if a port number meant what it usually means: not when the datagram is too short for
/// it, nor when the bytes that are there speak against it. One that was cut by the capture is told.
fn take_guessed<'a, const N: usize>(
    rest: &mut Rest<'a>,
    layer: Layer,
    first: impl Fn(u8) -> bool,
) -> Result<Option<&'a [u8; N]>, Stopped> {
    let too_short = rest.wire().is_some_and(|wire| (wire as usize) < N);
    if too_short || rest.captured().first().is_some_and(|&byte| !first(byte)) {
        return Ok(None);
    }
    rest.take(layer).map(Some)
}
