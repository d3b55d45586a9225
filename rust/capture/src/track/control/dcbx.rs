//! DCBX inside LLDP: PFC, ETS and application priorities, as IEEE 802.1Q (annex D) writes them and as CEE did before.

use super::fields::Fields;
use super::tlvs::Tlvs;
use crate::tables::neighbours::announced::{Announced, App, Ets, Pfc, Selector};

/// The TLV of this subtype of the IEEE 802.1 organisation (D.2.8 to D.2.11). What is too short for its fields is left out.
pub(super) fn ieee(subtype: u8, value: &[u8], said: &mut Announced) {
    match subtype {
        0x09 => said.ets = ets(value, true).or(said.ets),
        0x0a => said.ets_recommended = ets(value, false).or(said.ets_recommended),
        0x0b => {
            if let [flags, enabled, ..] = *value {
                let pfc = Pfc { enabled, most_classes: flags & 0x0f, willing: flags & 0x80 != 0, operating: None };
                said.pfc = Some(pfc);
            }
        }
        0x0c => {
            let (entries, _) = value.get(1..).unwrap_or_default().as_chunks();
            for &[first, p0, p1] in entries {
                let selector = match first & 0x07 {
                    1 => Selector::Ethertype,
                    2 => Selector::Tcp,
                    3 => Selector::Udp,
                    4 => Selector::Port,
                    5 => Selector::Dscp,
                    other => Selector::Other(other),
                };
                said.add_app(App { selector, protocol: u16::from_be_bytes([p0, p1]), priority: first >> 5 });
            }
        }
        _ => return,
    }
    said.ieee = true;
}

/// ETS configuration or recommendation: they differ in the first byte only.
fn ets(value: &[u8], configuration: bool) -> Option<Ets> {
    let fields = Fields(value);
    let first = fields.u8(0)?;
    Some(Ets {
        willing: configuration.then_some(first & 0x80 != 0),
        most_classes: configuration.then_some(first & 0x07),
        classes: nibbles(fields.u32(1)?),
        bandwidth: *fields.bytes(5)?,
        algorithms: Some(*fields.bytes(13)?),
    })
}

/// Eight numbers of four bits, priority 0 first.
fn nibbles(word: u32) -> [u8; 8] {
    std::array::from_fn(|priority| (word >> (28 - 4 * priority) & 0x0f) as u8) // at most 7, so no less than 0
}

const PRIORITY_GROUPS: u8 = 2;
const PRIORITY_FLOW_CONTROL: u8 = 3;
const APPLICATION: u8 = 4;
/// Flags in the third byte of a CEE feature (DCBX 1.01, 3.2).
const ENABLED: u8 = 0x80;
const WILLING: u8 = 0x40;
const ERROR: u8 = 0x20;
/// Bytes of such a feature before its own: operating and highest version, flags, subtype.
const FEATURE: usize = 4;

/// The features inside a CEE TLV. To be read after the rest: what IEEE said in the same announcement goes before it.
pub(super) fn cee(value: &[u8], said: &mut Announced) {
    said.cee = true;
    let applications_known = !said.apps.is_empty();
    for tlv in Tlvs::new(value) {
        let Some((&[_, _, flags, _], feature)) = tlv.value.split_first_chunk::<FEATURE>() else { continue };
        let willing = flags & WILLING != 0;
        let fields = Fields(feature);
        match tlv.kind {
            PRIORITY_GROUPS if said.ets.is_none() => {
                if let (Some(map), Some(bandwidth)) = (fields.u32(0), fields.bytes(4)) {
                    said.ets = Some(Ets {
                        willing: Some(willing),
                        most_classes: fields.u8(12),
                        classes: nibbles(map),
                        bandwidth: *bandwidth,
                        algorithms: None,
                    });
                }
            }
            PRIORITY_FLOW_CONTROL if said.pfc.is_none() => {
                if let [enabled, most_classes, ..] = *feature {
                    let operating = Some(flags & ENABLED != 0 && flags & ERROR == 0);
                    said.pfc = Some(Pfc { enabled, most_classes, willing, operating });
                }
            }
            APPLICATION if !applications_known => applications(feature, said),
            _ => {}
        }
    }
}

/// Entries of 6 bytes: protocol, organisation with the selector in its low bits, bit map of priorities.
fn applications(entries: &[u8], said: &mut Announced) {
    for &[p0, p1, oui, _, _, priorities] in entries.as_chunks().0 {
        let selector = match oui & 0x03 {
            0 => Selector::Ethertype,
            1 => Selector::Port,
            other => Selector::Other(other),
        };
        for priority in (0..8).filter(|priority| priorities >> priority & 1 != 0) {
            said.add_app(App { selector, protocol: u16::from_be_bytes([p0, p1]), priority });
        }
    }
}
