//! A part of an IP datagram.

use std::num::NonZeroU64;

/// What the header of a fragment says, and what is known of its datagram.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fragment {
    /// Identification of the datagram: 16 bits in IPv4, 32 in IPv6.
    pub id: u32,
    /// Where its bytes belong in the payload of the datagram.
    pub offset: u16,
    /// More fragments follow.
    pub more: bool,
    /// It was the outermost datagram that was cut, with the tunnel in it; not the packet that the others describe.
    pub of_tunnel: bool,
    /// Frame of the first fragment, once [`crate::fragments`] found it.
    pub datagram: Option<NonZeroU64>,
}

impl Fragment {
    /// From the 16 bits that hold the offset in units of 8 bytes above three others; `None` for a datagram in one piece.
    #[inline]
    pub(crate) fn of(units: u16, more: bool, id: u32) -> Option<Self> {
        (units != 0 || more).then_some(Self { id, offset: units << 3, more, of_tunnel: false, datagram: None })
    }

    /// Whether it begins somewhere within the datagram: then no header is in it.
    #[must_use]
    pub const fn is_later(&self) -> bool {
        self.offset != 0
    }
}
