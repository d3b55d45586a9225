//! The network service header (RFC 8300): which service functions a packet goes through. Passed over.

use super::Carries;
use crate::packet::{Layer, Rest, Stopped};

/// Bytes of base header and service path header.
const SHORTEST: usize = 8;

pub(super) fn read(rest: &mut Rest<'_>) -> Result<Carries, Stopped> {
    let start = *rest;
    let [version, len, _, next, ..] = *rest.take::<SHORTEST>(Layer::Nsh)?;
    if version >> 6 != 0 {
        return Err(Stopped::BadField { layer: Layer::Nsh, field: "version", value: (version >> 6).into() });
    }
    let words = usize::from(len & 0x3f);
    let Some(carries) = Carries::of_next_protocol(next) else {
        return Err(Stopped::NotDecoded { layer: Layer::Nsh, value: next.into() });
    };
    if words * 4 < SHORTEST {
        return Err(Stopped::BadField { layer: Layer::Nsh, field: "length in words", value: words as u32 });
    }
    *rest = start;
    rest.skip(words * 4, Layer::Nsh)?;
    Ok(carries)
}
