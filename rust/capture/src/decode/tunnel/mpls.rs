//! MPLS label stacks (RFC 3032), also over UDP (RFC 7510). Labels do not say what they carry: it is guessed from the first
//! bytes behind them, as routers do.

use super::{Carries, Header};
use crate::link::ethernet::looks_like_ethernet;
use crate::packet::{Layer, Rest, Stopped, Tunnel};

pub(super) const PORT: u16 = 6635;

/// Bottom of the stack, in the third byte of an entry.
const BOTTOM: u8 = 0x01;
const ETHERNET: usize = 14;

/// A label stack that an ethertype or a protocol number announced.
pub(super) fn read(rest: &mut Rest<'_>) -> Result<Header, Stopped> {
    loop {
        let [l0, l1, l2, _] = *rest.take::<4>(Layer::Mpls)?;
        if l2 & BOTTOM != 0 {
            let label = u32::from_be_bytes([0, l0, l1, l2]) >> 4;
            return Ok(Header::new(Tunnel::Mpls, Some(label), carries(rest)?));
        }
    }
}

/// A label stack, if its bottom is inside the datagram, no entry has lived out its time, and the content is known.
pub(super) fn guess(rest: &mut Rest<'_>) -> Result<Option<Header>, Stopped> {
    let captured_whole = rest.wire().is_some_and(|wire| wire as usize <= rest.captured().len());
    for &[_, _, l2, ttl] in rest.captured().as_chunks::<4>().0 {
        if ttl == 0 {
            return Ok(None);
        }
        if l2 & BOTTOM != 0 {
            break;
        }
    }
    match read(rest) {
        Ok(header) => Ok(Some(header)),
        Err(Stopped::Truncated { .. }) if captured_whole => Ok(None),
        Err(Stopped::NotDecoded { .. }) => Ok(None),
        Err(cut) => Err(cut),
    }
}

/// A control word (RFC 4385) begins with the bits 0000; that of Ethernet (RFC 4448) has 12 more bits of zero. Without one,
/// an Ethernet frame begins with whatever address it goes to.
fn carries(rest: &mut Rest<'_>) -> Result<Carries, Stopped> {
    let mut ahead = *rest;
    let [first] = *ahead.take::<1>(Layer::Mpls)?;
    match first >> 4 {
        4 => return Ok(Carries::Ipv4),
        6 => return Ok(Carries::Ipv6),
        _ => {}
    }
    let mut word = *rest;
    if *word.take::<2>(Layer::Mpls)? == [0, 0] {
        word.skip(2, Layer::Mpls)?;
        // Addresses of some manufacturers begin with 00:00 as well.
        if !looks_like_ethernet(rest.captured()) || looks_like_ethernet(word.captured()) {
            *rest = word;
        }
        return Ok(Carries::Ethernet);
    }
    let mut frame = *rest;
    frame.take::<ETHERNET>(Layer::Mpls)?;
    if looks_like_ethernet(rest.captured()) {
        return Ok(Carries::Ethernet);
    }
    Err(Stopped::NotDecoded { layer: Layer::Mpls, value: (first >> 4).into() })
}
