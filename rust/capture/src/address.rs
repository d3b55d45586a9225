//! Addresses as captured: Ethernet, IPv4, IPv6 or GID, LID. Written as text only when a column asks for it.

use std::fmt;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

/// A 48-bit Ethernet address, written `02:00:00:00:00:01`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Mac(pub [u8; 6]);

impl fmt::Display for Mac {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, rest @ ..] = self.0;
        write!(f, "{first:02x}")?;
        rest.iter().try_for_each(|octet| write!(f, ":{octet:02x}"))
    }
}

/// A text that is no Ethernet address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no MAC address; one is written 02:00:00:00:00:01")]
pub struct NotAMac(String);

impl FromStr for Mac {
    type Err = NotAMac;

    /// Six octets in hexadecimal digits of either case, two each, between colons or hyphens.
    fn from_str(text: &str) -> Result<Self, NotAMac> {
        let octet = |part: &str| {
            let written = part.len() == 2 && part.bytes().all(|digit| digit.is_ascii_hexdigit());
            if written { u8::from_str_radix(part, 16).ok() } else { None }
        };
        let octets: Option<Vec<u8>> = text.split([':', '-']).map(octet).collect();
        octets.and_then(|octets| octets.try_into().ok()).map(Self).ok_or_else(|| NotAMac(text.to_owned()))
    }
}

/// Who sent or receives a packet, at the highest layer that names an end.
///
/// A RoCEv1 GID is an IPv6 address and written as one; a packet of native InfiniBand without GRH has only a LID.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Address {
    /// IPv4, written `192.0.2.1`.
    V4([u8; 4]),
    /// IPv6 address or GID, written `2001:db8::1`.
    V6([u8; 16]),
    /// InfiniBand local identifier, written `lid:5`.
    Lid(u16),
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::V4(octets) => Ipv4Addr::from(octets).fmt(f),
            Self::V6(octets) => Ipv6Addr::from(octets).fmt(f),
            Self::Lid(lid) => write!(f, "lid:{lid}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mac_is_read_as_it_is_written_and_nothing_else_is() {
        let mac = Mac([2, 0, 0, 0, 0xab, 0x1f]);
        assert_eq!(mac.to_string().parse(), Ok(mac));
        assert_eq!("02-00-00-00-AB-1F".parse(), Ok(mac));
        for text in
            ["", "02:00:00:00:ab", "02:00:00:00:ab:1f:00", "2:0:0:0:ab:1f", "02:00:00:00:ab:+1", "é2:00:00:00:ab:1f"]
        {
            assert!(text.parse::<Mac>().is_err(), "{text}");
        }
    }

    #[test]
    fn addresses_read_as_an_engineer_writes_them() {
        assert_eq!(Mac([2, 0, 0, 0, 0, 0x1f]).to_string(), "02:00:00:00:00:1f");
        assert_eq!(Address::V4([192, 0, 2, 1]).to_string(), "192.0.2.1");
        let mut v6 = [0; 16];
        (v6[0], v6[1], v6[15]) = (0x20, 0x01, 1);
        assert_eq!(Address::V6(v6).to_string(), "2001::1");
        assert_eq!(Address::Lid(5).to_string(), "lid:5");
    }
}
