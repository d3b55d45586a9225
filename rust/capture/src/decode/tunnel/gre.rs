//! GRE (RFC 2784, 2890), and what goes by its protocol numbers: NVGRE (RFC 7637), ERSPAN, and the PPP of PPTP (RFC 2637).

use super::{Carries, Header, erspan, ppp};
use crate::packet::{Entered, Layer, Rest, Stopped, Tunnel};

const CHECKSUM: u16 = 0x8000;
const ROUTING: u16 = 0x4000;
const KEY: u16 = 0x2000;
const SEQUENCE: u16 = 0x1000;
/// Version 1 only.
const ACKNOWLEDGEMENT: u16 = 0x0080;
const VERSION: u16 = 0x0007;

const ERSPAN_I_II: u16 = 0x88be;
const ERSPAN_III: u16 = 0x22eb;
const PPP: u16 = 0x880b;

/// `None` when it carries nothing: a bare acknowledgement of PPTP.
pub(super) fn read(rest: &mut Rest<'_>) -> Result<Option<Header>, Stopped> {
    let [f0, f1, p0, p1] = *rest.take::<4>(Layer::Gre)?;
    let (flags, protocol) = (u16::from_be_bytes([f0, f1]), u16::from_be_bytes([p0, p1]));
    let version = flags & VERSION;
    if version > 1 {
        return Err(Stopped::BadField { layer: Layer::Gre, field: "version", value: version.into() });
    }
    // RFC 2784, 2.3: who does not know source routes must not guess where the payload begins.
    if flags & ROUTING != 0 {
        return Err(Stopped::BadField { layer: Layer::Gre, field: "routing bit", value: 1 });
    }
    if flags & CHECKSUM != 0 {
        rest.skip(4, Layer::Gre)?;
    }
    let key = if flags & KEY != 0 { Some(u32::from_be_bytes(*rest.take(Layer::Gre)?)) } else { None };
    let seq = if flags & SEQUENCE != 0 { Some(u32::from_be_bytes(*rest.take(Layer::Gre)?)) } else { None };
    let plain =
        |tunnel, id, carries| Header { entered: Entered { tunnel, id, seq, truncated: false, mirror: None }, carries };
    if version == 1 {
        return read_pptp(flags, key, seq, rest).map(|carries| {
            let call = key.map(|key| key & 0xffff);
            carries.map(|carries| plain(Tunnel::Gre, call, carries))
        });
    }
    let header = match (protocol, seq) {
        (ERSPAN_I_II, None) => erspan::type_i(),
        (ERSPAN_I_II, Some(_)) => erspan::read_ii(seq, rest)?,
        (ERSPAN_III, _) => erspan::read_iii(seq, rest)?,
        (PPP, _) => plain(Tunnel::Gre, key, ppp::read(rest)?),
        (other, _) => match (Carries::of_type(other), vsid(flags, key)) {
            (Some(Carries::Ethernet), Some(vsid)) => plain(Tunnel::Nvgre, Some(vsid), Carries::Ethernet),
            (Some(carries), _) => plain(Tunnel::Gre, key, carries),
            (None, _) => return Err(Stopped::NotDecoded { layer: Layer::Gre, value: other.into() }),
        },
    };
    Ok(Some(header))
}

/// The virtual subnet of NVGRE, which looks like Ethernet in GRE with a key. RFC 7637, 3.2: no flag but the key's, and
/// virtual subnets below 0x1000 are reserved; such a key is one that a person chose for a GRE tunnel.
fn vsid(flags: u16, key: Option<u32>) -> Option<u32> {
    key.filter(|_| flags == KEY).map(|key| key >> 8).filter(|&vsid| vsid >= 0x1000)
}

/// The rest of a header of version 1. The key holds the length of the payload and the call; without a sequence number
/// there is no payload.
fn read_pptp(flags: u16, key: Option<u32>, seq: Option<u32>, rest: &mut Rest<'_>) -> Result<Option<Carries>, Stopped> {
    let Some(key) = key else {
        return Err(Stopped::BadField { layer: Layer::Gre, field: "key bit of version 1", value: 0 });
    };
    if flags & ACKNOWLEDGEMENT != 0 {
        rest.skip(4, Layer::Gre)?;
    }
    if seq.is_none() {
        return Ok(None);
    }
    rest.limit(key >> 16);
    ppp::read(rest).map(Some)
}
