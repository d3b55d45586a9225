//! LLDP (IEEE 802.1AB): the port, the device, its VLAN and link settings; DCBX is in its own file.

use super::fields::Fields;
use super::tlvs::{Tlv, Tlvs};
use super::{dcbx, mau, text};
use crate::address::{Address, Mac};
use crate::tables::neighbours::announced::{Announced, Management};

const END: u8 = 0;
const CHASSIS_ID: u8 = 1;
const PORT_ID: u8 = 2;
const TTL: u8 = 3;
const PORT_DESCRIPTION: u8 = 4;
const SYSTEM_NAME: u8 = 5;
const SYSTEM_DESCRIPTION: u8 = 6;
const MANAGEMENT_ADDRESS: u8 = 8;
const ORGANISATION: u8 = 127;

const IEEE_802_1: [u8; 3] = [0x00, 0x80, 0xc2];
const IEEE_802_3: [u8; 3] = [0x00, 0x12, 0x0f];
/// The organisation and subtype of CEE.
const CEE: [u8; 4] = [0x00, 0x1b, 0x21, 2];

/// Reads an announcement as far as it can be believed: from the first three TLVs, which the standard fixes in kind and
/// order, to the first one that goes on behind the end.
pub(super) fn read(payload: &[u8]) -> Announced {
    let mut said = Announced::default();
    let mut tlvs = Tlvs::new(payload);
    let mut ended = false;
    let mut cee = None;
    for (place, tlv) in tlvs.by_ref().enumerate() {
        let expected = [CHASSIS_ID, PORT_ID, TTL].get(place);
        if expected.is_some_and(|kind| *kind != tlv.kind) {
            said.incomplete = Some("does not begin with chassis, port and time to live");
            return said;
        }
        if tlv.kind == END {
            ended = true;
            break;
        }
        match tlv.value.split_first_chunk() {
            Some((&CEE, features)) if tlv.kind == ORGANISATION => cee = cee.or(Some(features)),
            _ => take(tlv, &mut said),
        }
    }
    if let Some(features) = cee {
        dcbx::cee(features, &mut said);
    }
    if !ended {
        said.incomplete = Some(if tlvs.cut { "cut inside a TLV" } else { "no end marker" });
    }
    said
}

fn take(Tlv { kind, value }: Tlv<'_>, said: &mut Announced) {
    let fields = Fields(value);
    match kind {
        CHASSIS_ID => {
            let known = ["component", "alias", "port", "mac", "address", "name", "local"];
            (said.chassis_id_kind, said.chassis_id) = identifier(known, value);
        }
        PORT_ID => {
            let known = ["alias", "component", "mac", "address", "name", "circuit", "local"];
            (said.port_id_kind, said.port_id) = identifier(known, value);
        }
        TTL => said.ttl = fields.u16(0),
        PORT_DESCRIPTION if said.port_description.is_none() => said.port_description = text::named(value),
        SYSTEM_NAME if said.system_name.is_none() => said.system_name = text::named(value),
        SYSTEM_DESCRIPTION if said.system_description.is_none() => said.system_description = text::named(value),
        MANAGEMENT_ADDRESS => said.management_address = said.management_address.or_else(|| management(value)),
        ORGANISATION => {
            if let Some((header, value)) = value.split_first_chunk() {
                let [oui0, oui1, oui2, subtype] = *header;
                organisation([oui0, oui1, oui2], subtype, value, said);
            }
        }
        _ => {}
    }
}

/// Subtype and value of a chassis or port identifier (802.1AB tables 8-2 and 8-3).
fn identifier(kinds: [&'static str; 7], value: &[u8]) -> (Option<&'static str>, Option<String>) {
    let Some((subtype, id)) = value.split_first() else { return (None, None) };
    let kind = usize::from(*subtype).checked_sub(1).and_then(|at| kinds.get(at)).copied();
    let id = match (kind, id) {
        (Some("mac"), &[_, _, _, _, _, _]) => Fields(id).mac(0).map(|mac| mac.to_string()),
        (Some("address"), [family, address @ ..]) => Some(match network_address(*family, address) {
            Some(Management::Ip(address)) => address.to_string(),
            _ => text::hexadecimal(id),
        }),
        (None, id) if !id.is_empty() => Some(text::hexadecimal(id)),
        (_, id) => text::named(id),
    };
    (kind, id)
}

/// An address with the family number of IANA before it.
fn network_address(family: u8, address: &[u8]) -> Option<Management> {
    match family {
        1 => Some(Management::Ip(Address::V4(address.try_into().ok()?))),
        2 => Some(Management::Ip(Address::V6(address.try_into().ok()?))),
        6 => Some(Management::Mac(Mac(address.try_into().ok()?))),
        _ => None,
    }
}

fn management(value: &[u8]) -> Option<Management> {
    let (len, rest) = value.split_first()?;
    let (family, address) = rest.get(..usize::from(*len))?.split_first()?;
    network_address(*family, address)
}

fn organisation(oui: [u8; 3], subtype: u8, value: &[u8], said: &mut Announced) {
    let fields = Fields(value);
    match (oui, subtype) {
        (IEEE_802_1, 1) => said.port_vlan = said.port_vlan.or(fields.u16(0)),
        // Both standards have a TLV for link aggregation; the layout is the same (802.1Q D.2.7, 802.3 79.3.3).
        (IEEE_802_1, 7) | (IEEE_802_3, 3) => {
            if let (Some(status), Some(id)) = (fields.u8(0), fields.u32(1)) {
                said.aggregated = Some(status & 0x02 != 0);
                said.aggregation_id = Some(id);
            }
        }
        (IEEE_802_3, 1) => {
            if let (Some(support), Some(mau_type)) = (fields.u8(0), fields.u16(3)) {
                said.auto_negotiation = Some(support & 0x02 != 0);
                said.mau_type = Some(mau_type);
                said.speed = mau::speed(mau_type);
                said.duplex = mau::duplex(mau_type);
            }
        }
        (IEEE_802_3, 4) => said.max_frame = said.max_frame.or(fields.u16(0)),
        (IEEE_802_1, _) => dcbx::ieee(subtype, value, said),
        _ => {}
    }
}

#[cfg(test)]
mod tests;
