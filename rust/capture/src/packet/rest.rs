//! What of a packet is still to be decoded: the captured bytes, and how many there were on the wire.

use super::{Layer, Stopped};

/// A header behind which another packet begins. Link and network layer only announce it: the tunnels are walked through in
/// a loop above them, so that a packet cannot decide how deep the decoder recurses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wrapper {
    /// A label stack.
    Mpls,
    /// A `PPPoE` session.
    Pppoe,
    /// GRE, and inside it NVGRE or ERSPAN.
    Gre,
    /// A network service header.
    Nsh,
    /// IPv4 in IP: no header of its own.
    Ipv4,
    /// IPv6 in IP.
    Ipv6,
    /// What a UDP port announced, which is no more than a guess.
    Port(u16),
}

/// The not yet decoded rest of one packet. Decoders take headers from its front and, where a header has a length
/// field, cut padding and trailers from its end.
///
/// The captured bytes may end before the wire bytes do (snap length); they never go on after them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rest<'a> {
    packet: &'a [u8],
    at: usize,
    end: usize,
    wire: Option<u32>,
    wrapper: Option<Wrapper>,
}

impl<'a> Rest<'a> {
    /// A whole packet. A capture that claims fewer bytes on the wire than it stored is not believed.
    pub(crate) fn new(packet: &'a [u8], wire_len: u32) -> Self {
        Self { packet, at: 0, end: packet.len(), wire: Some(wire_len.max(packet.len() as u32)), wrapper: None }
    }

    /// The last decoder saw that this rest begins with a header that wraps another packet.
    #[inline]
    pub(crate) fn announce(&mut self, wrapper: Wrapper) {
        self.wrapper = Some(wrapper);
    }

    /// What was announced, once.
    #[inline]
    pub(crate) fn announced(&mut self) -> Option<Wrapper> {
        self.wrapper.take()
    }

    /// The captured bytes.
    #[inline]
    pub(crate) fn captured(&self) -> &'a [u8] {
        self.packet.get(self.at..self.end).unwrap_or_default()
    }

    /// Bytes on the wire; `None` once two length fields contradicted each other.
    #[inline]
    pub(crate) fn wire(&self) -> Option<u32> {
        self.wire
    }

    /// Bytes from the start of the packet: a place for [`Rest::since`].
    #[inline]
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// Everything from an earlier place to the end of this rest, if all of it was captured.
    #[inline]
    pub(crate) fn since(&self, place: usize) -> Option<&'a [u8]> {
        let all = self.wire == Some((self.end - self.at) as u32);
        all.then(|| self.packet.get(place..self.end)).flatten()
    }

    /// Takes a header of fixed size.
    #[inline]
    pub(crate) fn take<const N: usize>(&mut self, layer: Layer) -> Result<&'a [u8; N], Stopped> {
        match self.captured().first_chunk() {
            Some(header) => {
                self.advance(N);
                Ok(header)
            }
            None => Err(self.cut(layer, N)),
        }
    }

    /// Passes over bytes that are not read.
    #[inline]
    pub(crate) fn skip(&mut self, count: usize, layer: Layer) -> Result<(), Stopped> {
        if self.end - self.at < count {
            return Err(self.cut(layer, count));
        }
        self.advance(count);
        Ok(())
    }

    /// A header says that `len` bytes follow it: what comes after them is padding or a trailer. When the wire had
    /// fewer, the lengths contradict and nobody knows how long the packet was.
    #[inline]
    pub(crate) fn limit(&mut self, len: u32) {
        self.wire = self.wire.filter(|&wire| len <= wire).map(|_| len);
        self.end = self.end.min(self.at.saturating_add(len as usize));
    }

    /// The same for the length field of an IP header, which every router checks: it is believed even when the frame
    /// was shorter. Such a frame was cut before it was captured, by a mirror port or a tool that set its length anew.
    #[inline]
    pub(crate) fn limit_by_ip(&mut self, len: u32) {
        self.wire = self.wire.map(|_| len);
        self.end = self.end.min(self.at.saturating_add(len as usize));
    }

    /// Bytes on the wire go down by a part of a header that need not have been captured (TCP options).
    #[inline]
    pub(crate) fn wire_after(&self, header: u32) -> Option<u32> {
        self.wire?.checked_sub(header)
    }

    /// The same bytes inside a record that knows their length on the wire itself.
    pub(crate) fn of_wire(&self, len: u32) -> Self {
        let mut own = *self;
        own.end = own.end.min(own.at.saturating_add(len as usize));
        own.wire = Some(len);
        own
    }

    fn advance(&mut self, count: usize) {
        self.at += count;
        self.wire = self.wire_after(count as u32);
    }

    #[cold]
    fn cut(&self, layer: Layer, need: usize) -> Stopped {
        Stopped::Truncated { layer, need, have: self.end - self.at }
    }
}
