//! What was left behind when a packet turned out to carry another one: the tunnel, and the outermost addresses.

use crate::address::Address;

use super::{Fragment, Ip, Mirror, Packet};

/// The kind of a tunnel, as the `tunnel` column names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum Tunnel {
    Vxlan,
    Gre,
    Nvgre,
    Erspan,
    Geneve,
    Gtp,
    Mpls,
    Ipip,
    Pppoe,
}

impl Tunnel {
    /// The word in the `tunnel` column.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Vxlan => "vxlan",
            Self::Gre => "gre",
            Self::Nvgre => "nvgre",
            Self::Erspan => "erspan",
            Self::Geneve => "geneve",
            Self::Gtp => "gtp",
            Self::Mpls => "mpls",
            Self::Ipip => "ipip",
            Self::Pppoe => "pppoe",
        }
    }
}

/// The way in: what is known of the tunnels around the packet that [`Packet`] describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outer {
    /// Tunnels around the packet, at least 1.
    pub depth: u8,
    /// The innermost tunnel.
    pub tunnel: Tunnel,
    /// What names the innermost tunnel: VNI, VSID, GRE key, ERSPAN or `PPPoE` session, GTP tunnel endpoint, MPLS label at
    /// the bottom of the stack.
    pub id: Option<u32>,
    /// Sequence number of the GRE header, ERSPAN's included; the innermost header that has one. Gaps are what a mirror
    /// lost.
    pub seq: Option<u32>,
    /// Outermost source address; `None` while only labels or `PPPoE` are around the packet.
    pub src: Option<Address>,
    /// Outermost destination address.
    pub dst: Option<Address>,
    /// Outermost IP header.
    pub ip: Option<Ip>,
    /// A mirror (ERSPAN) says that it shortened the packet.
    pub truncated: bool,
    /// What the innermost mirror around it says.
    pub mirror: Option<Mirror>,
}

/// What a tunnel header says, once it is believed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entered {
    pub(crate) tunnel: Tunnel,
    pub(crate) id: Option<u32>,
    pub(crate) seq: Option<u32>,
    pub(crate) truncated: bool,
    pub(crate) mirror: Option<Mirror>,
}

impl Packet<'_> {
    /// Tunnels entered so far.
    pub(crate) fn depth(&self) -> u8 {
        self.outer.map_or(0, |outer| outer.depth)
    }

    /// From here on this is the packet inside a tunnel, of which `len` bytes were on the wire. `framed` says that it
    /// has an Ethernet header of its own; otherwise the last one before stays.
    pub(crate) fn enter(&mut self, entered: Entered, framed: bool, len: Option<u32>) {
        let before = self.outer;
        self.outer = Some(Outer {
            depth: self.depth() + 1, // at most decode::tunnel::DEEPEST
            tunnel: entered.tunnel,
            id: entered.id,
            seq: entered.seq.or(before.and_then(|outer| outer.seq)),
            src: before.and_then(|outer| outer.src).or(self.src),
            dst: before.and_then(|outer| outer.dst).or(self.dst),
            ip: before.and_then(|outer| outer.ip).or(self.ip),
            truncated: entered.truncated || before.is_some_and(|outer| outer.truncated),
            mirror: entered.mirror.or(before.and_then(|outer| outer.mirror)),
        });
        // Of several datagrams around each other that were cut, the outermost: its parts are what the wire carried.
        let fragment = self.fragment.filter(|fragment| fragment.of_tunnel || before.is_none());
        let fragment = fragment.map(|fragment| Fragment { of_tunnel: true, ..fragment });
        let link = if framed { Packet::default() } else { self.link_only() };
        *self = Packet { outer: self.outer, fragment, payload_len: len, ..link };
    }

    /// What the link layer said, and nothing else.
    fn link_only<'b>(&self) -> Packet<'b> {
        Packet {
            src_mac: self.src_mac,
            dst_mac: self.dst_mac,
            ethertype: self.ethertype,
            vlan: self.vlan,
            ..Packet::default()
        }
    }
}
