//! Geneve (RFC 8926). Options are passed over.

use super::{Carries, Header, take_guessed};
use crate::packet::{Layer, Rest, Stopped, Tunnel};

pub(super) const PORT: u16 = 6081;

/// Control packet, and critical options present; the other six bits are reserved.
const FLAGS: u8 = 0xc0;

/// Geneve, if it is version 0, its reserved bits are zero, and it carries something that is read.
pub(super) fn guess(rest: &mut Rest<'_>) -> Result<Option<Header>, Stopped> {
    let fixed = take_guessed::<8>(rest, Layer::Geneve, |first| first >> 6 == 0)?;
    let Some(&[first, flags, p0, p1, v0, v1, v2, last]) = fixed else { return Ok(None) };
    let options = usize::from(first & 0x3f) * 4;
    let carries = Carries::of_type(u16::from_be_bytes([p0, p1]));
    let Some(carries) = carries.filter(|_| flags & !FLAGS == 0 && last == 0) else { return Ok(None) };
    if rest.wire().is_some_and(|wire| (wire as usize) < options) {
        return Ok(None);
    }
    rest.skip(options, Layer::Geneve)?;
    Ok(Some(Header::new(Tunnel::Geneve, Some(u32::from_be_bytes([0, v0, v1, v2])), carries)))
}
