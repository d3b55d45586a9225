//! The words of the `stopped` column: why decoding of one packet ended early, for an engineer who looks at a hex dump.

use std::fmt;

use super::link_names::{is_wireless, link_name};
use super::{Layer, Stopped};

impl Layer {
    /// The name of the header, as standards write it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ethernet => "Ethernet",
            Self::Vlan => "VLAN tag",
            Self::Llc => "LLC",
            Self::Cooked => "Linux cooked",
            Self::Loopback => "BSD loopback",
            Self::Erf => "ERF",
            Self::Lrh => "LRH",
            Self::Grh => "GRH",
            Self::Ipv4 => "IPv4",
            Self::Ipv6 => "IPv6",
            Self::Udp => "UDP",
            Self::Tcp => "TCP",
            Self::Mpls => "MPLS",
            Self::Pppoe => "PPPoE",
            Self::Ppp => "PPP",
            Self::Gre => "GRE",
            Self::Erspan => "ERSPAN",
            Self::Nsh => "NSH",
            Self::Vxlan => "VXLAN",
            Self::Geneve => "Geneve",
            Self::Gtp => "GTP-U",
            Self::MacControl => "MAC control",
            Self::Bth => "BTH",
            Self::Rdeth => "RDETH",
            Self::Xrceth => "XRCETH",
            Self::Deth => "DETH",
            Self::Reth => "RETH",
            Self::Feth => "FETH",
            Self::AtomicEth => "AtomicETH",
            Self::Aeth => "AETH",
            Self::AtomicAckEth => "AtomicAckETH",
            Self::ImmDt => "ImmDt",
            Self::Ieth => "IETH",
            Self::LinkType => "link type",
        }
    }
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Truncated { layer, need, have } => {
                write!(f, "cut in {}: {have} of {need} bytes captured", layer.name())
            }
            Self::BadField { layer, field, value } => write!(f, "bad {}: {field} is {value}", layer.name()),
            Self::NotDecoded { layer, value } => match layer {
                Layer::LinkType => {
                    let wireless = if is_wireless(value) { ": wireless, no RoCE to be expected" } else { "" };
                    match link_name(value) {
                        Some(name) => write!(f, "link type {value} ({name}{wireless}) is not decoded"),
                        None => write!(f, "link type {value} is not decoded"),
                    }
                }
                Layer::Ethernet | Layer::Vlan => write!(f, "ethertype {value:#06x} is not decoded"),
                Layer::Llc => write!(f, "LLC frame to SAP {value:#04x} is not decoded"),
                Layer::Cooked => write!(f, "hardware type {value} in a cooked capture is not decoded"),
                Layer::Loopback => write!(f, "address family {value} is not decoded"),
                Layer::Erf => write!(f, "ERF record type {value} is not decoded"),
                Layer::MacControl => write!(f, "MAC control opcode {value:#06x} is not decoded"),
                Layer::Ipv4 | Layer::Ipv6 => write!(f, "IP protocol {value} is not decoded"),
                Layer::Gre => write!(f, "GRE protocol {value:#06x} is not decoded"),
                Layer::Ppp => write!(f, "PPP protocol {value:#06x} is not decoded"),
                Layer::Pppoe => write!(f, "PPPoE code {value:#04x} is not decoded"),
                Layer::Erspan => write!(f, "ERSPAN frame type {value} is not decoded"),
                Layer::Nsh => write!(f, "NSH next protocol {value} is not decoded"),
                Layer::Mpls | Layer::Gtp => {
                    write!(f, "{} payload that begins with {value:#x} is not decoded", layer.name())
                }
                Layer::Lrh | Layer::Grh => write!(f, "{} next header {value} is not decoded", layer.name()),
                _ => write!(f, "{} {value} is not decoded", layer.name()),
            },
            Self::Fragment => f.write_str("later fragment of an IP datagram whose first was not seen before it"),
            Self::TooDeep { layer } => write!(f, "{} inside 8 other tunnels is not decoded", layer.name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_says_what_where_and_how_much() {
        let cut = Stopped::Truncated { layer: Layer::Bth, need: 12, have: 8 };
        assert_eq!(cut.to_string(), "cut in BTH: 8 of 12 bytes captured");
        let bad = Stopped::BadField { layer: Layer::Ipv4, field: "header length", value: 3 };
        assert_eq!(bad.to_string(), "bad IPv4: header length is 3");
        let macsec = Stopped::NotDecoded { layer: Layer::Ethernet, value: 0x88e5 };
        assert_eq!(macsec.to_string(), "ethertype 0x88e5 is not decoded");
        let keepalive = Stopped::NotDecoded { layer: Layer::Gre, value: 0 };
        assert_eq!(keepalive.to_string(), "GRE protocol 0x0000 is not decoded");
        let channel = Stopped::NotDecoded { layer: Layer::Mpls, value: 1 };
        assert_eq!(channel.to_string(), "MPLS payload that begins with 0x1 is not decoded");
        let deep = Stopped::TooDeep { layer: Layer::Vxlan };
        assert_eq!(deep.to_string(), "VXLAN inside 8 other tunnels is not decoded");
        let wireless = Stopped::NotDecoded { layer: Layer::LinkType, value: 127 };
        assert_eq!(
            wireless.to_string(),
            "link type 127 (802.11 with radiotap header: wireless, no RoCE to be expected) is not decoded"
        );
        let unknown = Stopped::NotDecoded { layer: Layer::LinkType, value: 57_842 };
        assert_eq!(unknown.to_string(), "link type 57842 is not decoded");
    }
}
