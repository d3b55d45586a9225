//! Fields at fixed places of a message, in network byte order; `None` behind its end.

use crate::address::{Address, Mac};

/// The captured bytes of a message.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fields<'a>(pub(super) &'a [u8]);

impl<'a> Fields<'a> {
    pub(super) fn bytes<const N: usize>(self, at: usize) -> Option<&'a [u8; N]> {
        self.0.get(at..)?.first_chunk()
    }

    pub(super) fn u8(self, at: usize) -> Option<u8> {
        self.0.get(at).copied()
    }

    pub(super) fn u16(self, at: usize) -> Option<u16> {
        self.bytes(at).copied().map(u16::from_be_bytes)
    }

    pub(super) fn u32(self, at: usize) -> Option<u32> {
        self.bytes(at).copied().map(u32::from_be_bytes)
    }

    pub(super) fn mac(self, at: usize) -> Option<Mac> {
        self.bytes(at).copied().map(Mac)
    }

    pub(super) fn ipv4(self, at: usize) -> Option<Address> {
        self.bytes(at).copied().map(Address::V4)
    }

    pub(super) fn ipv6(self, at: usize) -> Option<Address> {
        self.bytes(at).copied().map(Address::V6)
    }
}
