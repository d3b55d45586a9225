//! One decoded packet: what the layers said, and where and why decoding stopped.

mod fragment;
mod link_names;
mod mirror;
mod outer;
mod rest;
mod stopped;

use crate::address::{Address, Mac};
use crate::rdma::Roce;

pub use fragment::Fragment;
pub use mirror::Mirror;
pub(crate) use outer::Entered;
pub use outer::{Outer, Tunnel};
pub(crate) use rest::{Rest, Wrapper};

/// The layer that a decoder was reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum Layer {
    Ethernet,
    Vlan,
    Llc,
    Cooked,
    Loopback,
    Erf,
    Lrh,
    Grh,
    Ipv4,
    Ipv6,
    Udp,
    Tcp,
    Mpls,
    Pppoe,
    Ppp,
    Gre,
    Erspan,
    Nsh,
    Vxlan,
    Geneve,
    Gtp,
    MacControl,
    Bth,
    Rdeth,
    Xrceth,
    Deth,
    Reth,
    Feth,
    AtomicEth,
    Aeth,
    AtomicAckEth,
    ImmDt,
    Ieth,
    LinkType,
}

/// Why a packet could not be decoded further. Carried in the row's `stopped` column, never thrown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stopped {
    /// The captured bytes end inside the header: short snap length or a cut file.
    Truncated {
        /// The header.
        layer: Layer,
        /// Bytes that it needs.
        need: usize,
        /// Bytes that are there.
        have: usize,
    },
    /// A field holds a value that the format does not allow.
    BadField {
        /// The header.
        layer: Layer,
        /// The field.
        field: &'static str,
        /// What it holds.
        value: u32,
    },
    /// Well formed, and of a kind that is not read.
    NotDecoded {
        /// The layer that named the kind.
        layer: Layer,
        /// The value that named it.
        value: u32,
    },
    /// A later fragment of an IP datagram: its ports are in the first, which is not known.
    Fragment,
    /// One more tunnel than is followed.
    TooDeep {
        /// Its header.
        layer: Layer,
    },
}

/// 802.1Q tag. With several tags, the outermost: its PCP selects the PFC class on that link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Vlan {
    /// VLAN identifier, 12 bits.
    pub id: u16,
    /// Priority code point, 0 to 7.
    pub pcp: u8,
}

/// What of the IP header the tables carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ip {
    /// Differentiated services code point, 6 bits.
    pub dscp: u8,
    /// RFC 3168 ECN field: 0 Not-ECT, 1 ECT(1), 2 ECT(0), 3 CE.
    pub ecn: u8,
    /// Time to live, or hop limit.
    pub ttl: u8,
    /// IPv4 identification; IPv6 has none.
    pub id: Option<u16>,
    /// Protocol number of the payload, after IPv6 extension headers.
    pub protocol: u8,
}

/// What of the TCP header the tables carry (RFC 9293).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tcp<'a> {
    /// Sequence number.
    pub seq: u32,
    /// Acknowledgement number, meaningful with the ACK flag.
    pub ack: u32,
    /// CWR ECE URG ACK PSH RST SYN FIN, from the highest bit down.
    pub flags: u8,
    /// Window as sent, not scaled.
    pub window: u16,
    /// The captured bytes of the options.
    pub options: &'a [u8],
}

/// A MAC control frame that asks for a pause: IEEE 802.3 annex 31B, or 802.1Qbb PFC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pause {
    /// MAC control opcode: 0x0001 PAUSE, 0x0101 PFC.
    pub opcode: u16,
    /// PFC class-enable vector; bit n addresses priority n. 0 in an 802.3x PAUSE.
    pub enabled: u8,
    /// Quanta of 512 bit times for each priority; an 802.3x PAUSE uses the first only. 0 releases (XON).
    pub quanta: [u16; 8],
}

impl Pause {
    /// MAC control opcode of an 802.3x PAUSE.
    pub const PAUSE: u16 = 0x0001;
    /// MAC control opcode of an 802.1Qbb priority pause.
    pub const PFC: u16 = 0x0101;
}

/// What a packet is, as the `kind` column names it: the innermost layer that was named, for IP the protocol number.
///
/// `Roce`, `Pfc` and `Pause` promise more: their header was read, so [`Packet::roce`] or [`Packet::pause`] is there. A
/// packet to UDP port 4791 that was cut inside its BTH stays `Udp`, and [`Packet::stopped`] says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[allow(missing_docs)]
pub enum Kind {
    Roce,
    Pfc,
    Pause,
    Tcp,
    Udp,
    Icmp,
    Arp,
    Lldp,
    Cdp,
    Lacp,
    Stp,
    #[default]
    Other,
}

impl Kind {
    /// The word in the `kind` column.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Roce => "roce",
            Self::Pfc => "pfc",
            Self::Pause => "pause",
            Self::Tcp => "tcp",
            Self::Udp => "udp",
            Self::Icmp => "icmp",
            Self::Arp => "arp",
            Self::Lldp => "lldp",
            Self::Cdp => "cdp",
            Self::Lacp => "lacp",
            Self::Stp => "stp",
            Self::Other => "other",
        }
    }
}

/// A decoded packet. Absent parts are `None`: either the packet has no such layer, or [`Packet::stopped`] says why.
///
/// When one packet carries another, this is the innermost, as far as it could be decoded, and [`Packet::outer`] has what is
/// known of those around it. The link layer is that of the innermost Ethernet header: an IP packet directly inside an IP
/// packet keeps the addresses and tag of the frame.
#[derive(Debug, Clone, Copy, Default)]
pub struct Packet<'a> {
    /// What it is.
    pub kind: Kind,
    /// Ethernet source; cooked captures have it where the device has Ethernet addresses.
    pub src_mac: Option<Mac>,
    /// Ethernet destination; cooked captures have none.
    pub dst_mac: Option<Mac>,
    /// Ethertype after VLAN tags, or what stands for it on other links and in tunnels that announce one.
    pub ethertype: Option<u16>,
    /// Outermost VLAN tag.
    pub vlan: Option<Vlan>,
    /// Source address.
    pub src: Option<Address>,
    /// Destination address.
    pub dst: Option<Address>,
    /// The IP header.
    pub ip: Option<Ip>,
    /// It is a part of an IP datagram.
    pub fragment: Option<Fragment>,
    /// UDP or TCP source port.
    pub sport: Option<u16>,
    /// UDP or TCP destination port.
    pub dport: Option<u16>,
    /// The TCP header.
    pub tcp: Option<Tcp<'a>>,
    /// The RDMA headers: `RoCEv2`, `RoCEv1` or native InfiniBand.
    pub roce: Option<Roce<'a>>,
    /// The pause, if it is one.
    pub pause: Option<Pause>,
    /// Bytes on the wire after the last decoded header, trailers and padding left out; null when not known.
    pub payload_len: Option<u32>,
    /// The captured bytes after the last decoded header: trailers and padding that a length field tells are left out, those
    /// of RDMA (padding, ICRC) are not.
    pub payload: &'a [u8],
    /// The tunnels around it, if any.
    pub outer: Option<Outer>,
    /// Why decoding stopped early; `None` when it did not.
    pub stopped: Option<Stopped>,
}
