//! CDP: the neighbour protocol of Cisco devices. Layout as tcpdump and Wireshark read it; there is no open standard.

use super::fields::Fields;
use super::text;
use crate::address::Address;
use crate::tables::neighbours::announced::{Announced, Management};

const DEVICE_ID: u16 = 0x0001;
const ADDRESSES: u16 = 0x0002;
const PORT_ID: u16 = 0x0003;
const SOFTWARE: u16 = 0x0005;
const PLATFORM: u16 = 0x0006;
const NATIVE_VLAN: u16 = 0x000a;
const DUPLEX: u16 = 0x000b;
const MTU: u16 = 0x0011;
const SYSTEM_NAME: u16 = 0x0014;
const MANAGEMENT_ADDRESSES: u16 = 0x0016;
/// Version, time to live, checksum.
const HEADER: usize = 4;

/// Reads an announcement up to its end, or to the first field that goes on behind it.
pub(super) fn read(payload: &[u8]) -> Announced {
    let mut said = Announced { ttl: Fields(payload).u8(1).map(u16::from), ..Announced::default() };
    let Some(mut rest) = payload.get(HEADER..) else {
        said.incomplete = Some("cut inside the header");
        return said;
    };
    let mut platform = None;
    while !rest.is_empty() {
        // The length counts its own header of 4 bytes; less would never end.
        let fields = Fields(rest);
        let (Some(kind), Some(len)) = (fields.u16(0), fields.u16(2)) else {
            said.incomplete = Some("cut inside a TLV");
            break;
        };
        let Some(value) = rest.get(4..usize::from(len)) else {
            said.incomplete = Some("cut inside a TLV");
            break;
        };
        rest = rest.get(usize::from(len)..).unwrap_or_default();
        let fields = Fields(value);
        match kind {
            DEVICE_ID => (said.chassis_id_kind, said.chassis_id) = (Some("name"), text::named(value)),
            PORT_ID => (said.port_id_kind, said.port_id) = (Some("name"), text::named(value)),
            SYSTEM_NAME => said.system_name = text::named(value),
            SOFTWARE => said.system_description = text::named(value),
            PLATFORM => platform = text::named(value),
            NATIVE_VLAN => said.port_vlan = fields.u16(0),
            MTU => said.mtu = fields.u32(0),
            DUPLEX => said.duplex = fields.u8(0).map(|full| if full == 0 { "half" } else { "full" }),
            ADDRESSES => said.management_address = said.management_address.or(first_address(value)),
            MANAGEMENT_ADDRESSES => said.management_address = first_address(value).or(said.management_address),
            _ => {}
        }
    }
    // Most devices have no system name apart from their device id.
    said.system_name = said.system_name.or_else(|| said.chassis_id.clone());
    said.system_description = match (platform, said.system_description) {
        (Some(platform), Some(software)) => Some(text::shortened(format!("{platform}: {software}"), text::LONGEST)),
        (platform, software) => platform.or(software),
    };
    said
}

/// The first IP address of a list: count, then for each the protocol (type, length, bytes) and the address (length, bytes).
fn first_address(value: &[u8]) -> Option<Management> {
    let fields = Fields(value);
    let protocol = usize::from(fields.u8(5)?);
    let at = 6usize.checked_add(protocol)?;
    let address = match fields.u16(at)? {
        4 => fields.ipv4(at + 2)?, // at most 263
        16 => fields.ipv6(at + 2)?,
        _ => return None,
    };
    // Devices without an address write 0.0.0.0.
    (address != Address::V4([0; 4])).then_some(Management::Ip(address))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tlv(kind: u16, value: &[u8]) -> Vec<u8> {
        [&kind.to_be_bytes()[..], &(value.len() as u16 + 4).to_be_bytes(), value].concat()
    }

    fn announcement() -> Vec<u8> {
        let address = [&[0, 0, 0, 1, 1, 1, 0xcc, 0, 4][..], &[192, 0, 2, 7]].concat();
        let tlvs = [
            tlv(DEVICE_ID, b"S1"),
            tlv(PORT_ID, b"Ethernet1/1"),
            tlv(PLATFORM, b"N9K"),
            tlv(NATIVE_VLAN, &[0, 9]),
            tlv(MTU, &9216u32.to_be_bytes()),
            tlv(DUPLEX, &[1]),
            tlv(ADDRESSES, &address),
        ];
        [&[2, 180, 0, 0][..], &tlvs.concat()].concat()
    }

    #[test]
    fn a_device_says_its_name_port_vlan_and_mtu() {
        let said = read(&announcement());
        assert_eq!((said.system_name.as_deref(), said.port_id.as_deref()), (Some("S1"), Some("Ethernet1/1")));
        assert_eq!((said.ttl, said.port_vlan, said.mtu, said.duplex), (Some(180), Some(9), Some(9216), Some("full")));
        assert_eq!(said.management_address, Some(Management::Ip(Address::V4([192, 0, 2, 7]))));
        assert_eq!(said.incomplete, None);
    }

    #[test]
    fn a_cut_announcement_says_less_and_nothing_else() {
        let whole = announcement();
        let full = read(&whole);
        for len in 0..whole.len() {
            let said = read(&whole[..len]);
            assert!(said.port_id.is_none() || said.port_id == full.port_id, "{len}");
            assert!(said.mtu.is_none() || said.mtu == full.mtu, "{len}");
            assert!(said.management_address.is_none() || said.management_address == full.management_address, "{len}");
        }
    }

    #[test]
    fn a_length_below_that_of_its_header_ends_the_reading() {
        let said = read(&[2, 180, 0, 0, 0, 1, 0, 3, b'x', 0, 1, 0, 6, b'S', b'1']);
        assert_eq!((said.chassis_id, said.incomplete), (None, Some("cut inside a TLV")));
    }
}
