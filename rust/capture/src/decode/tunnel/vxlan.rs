//! VXLAN (RFC 7348) and its generic extension (draft-ietf-nvo3-vxlan-gpe).

use super::{Carries, Header, take_guessed};
use crate::packet::{Layer, Rest, Stopped, Tunnel};

/// Assigned by IANA.
pub(super) const PORT: u16 = 4789;
/// What Linux used before, and flannel and Cilium still do.
pub(super) const OLD_PORT: u16 = 8472;
pub(super) const GPE_PORT: u16 = 4790;

/// The VNI is valid.
const VNI: u8 = 0x08;
/// The second half of the reserved bits holds a group policy (draft-smith-vxlan-group-policy), as Linux can send it.
const GROUP_POLICY: u8 = 0x80;
/// Do not learn, and already applied: the bits of a group policy that may be set in the second byte.
const POLICY_BITS: u8 = 0x48;
/// GPE: the fourth byte names the next protocol.
const NEXT_PROTOCOL: u8 = 0x04;
/// GPE: the frame was to be flooded.
const FLOODED: u8 = 0x02;

/// VXLAN, if the flags say so and the reserved bits are zero. Some senders use the extension on this port, too.
pub(super) fn guess(rest: &mut Rest<'_>) -> Result<Option<Header>, Stopped> {
    if rest.captured().first().is_some_and(|flags| flags & NEXT_PROTOCOL != 0) {
        return guess_gpe(rest);
    }
    let flags_fit = |flags| flags == VNI || flags == VNI | GROUP_POLICY;
    let Some(&[flags, r0, r1, r2, v0, v1, v2, last]) = take_guessed::<8>(rest, Layer::Vxlan, flags_fit)? else {
        return Ok(None);
    };
    let reserved_fit = if flags == VNI { [r0, r1, r2] == [0; 3] } else { r0 & !POLICY_BITS == 0 };
    Ok((reserved_fit && last == 0).then(|| header(v0, v1, v2, Carries::Ethernet)))
}

/// VXLAN-GPE, if it is a version that is known, carries data and not a test of the tunnel, and something that is read.
pub(super) fn guess_gpe(rest: &mut Rest<'_>) -> Result<Option<Header>, Stopped> {
    let flags_fit = |flags: u8| flags & VNI != 0 && flags & !(VNI | NEXT_PROTOCOL | FLOODED) == 0;
    let Some(&[flags, r0, r1, next, v0, v1, v2, last]) = take_guessed::<8>(rest, Layer::Vxlan, flags_fit)? else {
        return Ok(None);
    };
    let carries = match (flags & NEXT_PROTOCOL != 0, next) {
        (true, next) => Carries::of_next_protocol(next),
        (false, 0) => Some(Carries::Ethernet),
        (false, _) => None,
    };
    Ok(carries.filter(|_| [r0, r1, last] == [0; 3]).map(|carries| header(v0, v1, v2, carries)))
}

fn header(v0: u8, v1: u8, v2: u8, carries: Carries) -> Header {
    Header::new(Tunnel::Vxlan, Some(u32::from_be_bytes([0, v0, v1, v2])), carries)
}
