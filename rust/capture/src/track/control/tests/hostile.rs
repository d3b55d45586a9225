//! Messages that lie, end early or repeat without end.

use proptest::prelude::*;

use super::round_trip::{lldp_frame, organisation, tlv};
use super::{Tap, cuts, ethernet, ipv4, ipv6, mac, over_ipv4, tcp, udp};
use crate::tables::columns::Builder;
use crate::tables::control_events::{CONTROL_EVENTS, LONGEST_TEXT};
use crate::tables::neighbours::{self, NEIGHBOURS};
use arrow_array::Array;
use arrow_array::cast::AsArray;

const IEEE: [u8; 3] = [0, 0x80, 0xc2];

#[test]
fn a_cut_announcement_says_less_and_never_anything_else() {
    let more = [
        tlv(4, b"uplink"),
        tlv(8, &[5, 1, 192, 0, 2, 9, 2, 0, 0, 0, 1, 0]),
        organisation(IEEE, 0x0b, &[0x08, 0x08]),
        organisation(IEEE, 0x0c, &[0, 3 << 5 | 3, 0x12, 0xb7]),
        organisation([0, 0x12, 0x0f], 4, &[0x24, 0x00]),
    ];
    let all = cuts(&lldp_frame(&more.concat()));
    let full = &all.last().unwrap().0[0].said;
    assert_eq!(full.incomplete, None);
    for (len, (neighbours, _)) in all.iter().enumerate().filter(|(_, (neighbours, _))| !neighbours.is_empty()) {
        let said = &neighbours[0].said;
        assert_eq!(said.incomplete.is_some(), len < all.len() - 1, "{len}");
        assert!(said.port_id.is_none() || said.port_id == full.port_id, "{len}");
        assert!(said.system_name.is_none() || said.system_name == full.system_name, "{len}");
        assert!(said.port_description.is_none() || said.port_description == full.port_description, "{len}");
        assert!(said.management_address.is_none() || said.management_address == full.management_address, "{len}");
        assert!(said.pfc.is_none() || said.pfc == full.pfc, "{len}");
        assert!(said.max_frame.is_none() || said.max_frame == full.max_frame, "{len}");
        assert!(said.roce_v2_priority.is_none() || said.roce_v2_priority == Some(3), "{len}");
    }
}

#[test]
fn a_tlv_that_goes_on_behind_the_end_gives_nothing_and_ends_the_reading() {
    let said = |more: &[u8]| {
        let mut tap = Tap::default();
        tap.sees(0, &lldp_frame(more));
        tap.rows().0.remove(0).said
    };
    let long = said(&[8 << 1, 200, b'x', b'y']);
    assert_eq!((long.port_description, long.incomplete), (None, Some("cut inside a TLV")));
    // An application table of 263 bytes as in a frame that once kept a reader busy for ever, and lengths of 0.
    let empty = said(&[tlv(127, &[]), tlv(127, &[0, 0x80, 0xc2]), organisation(IEEE, 0x0b, &[]), tlv(6, b"")].concat());
    assert_eq!((empty.pfc, empty.system_description, empty.incomplete), (None, None, None));
    let short = said(&organisation(IEEE, 0x09, &[0x80, 0, 0, 0, 0]));
    assert_eq!(short.ets, None, "half of it would be invention");
}

#[test]
fn a_frame_that_does_not_begin_as_the_standard_says_is_not_believed() {
    let pdu = [tlv(5, b"leaf9"), tlv(1, b"\x07chassis"), tlv(2, b"\x07port"), vec![0, 0]].concat();
    let mut tap = Tap::default();
    tap.sees(0, &ethernet([1, 0x80, 0xc2, 0, 0, 0x0e], mac(1), 0x88cc, &pdu));
    let said = tap.rows().0.remove(0).said;
    assert_eq!((said.system_name, said.chassis_id), (None, None));
    assert!(said.incomplete.is_some());
}

#[test]
fn ports_beyond_the_limit_are_counted_as_a_problem() {
    let mut tap = Tap::default();
    for number in 0..10_000_u32 {
        let pdu = [tlv(1, &[&[7][..], &number.to_be_bytes()].concat()), tlv(2, b"\x07p"), tlv(3, &[0, 9]), vec![0, 0]];
        tap.sees(0, &ethernet([1, 0x80, 0xc2, 0, 0, 0x0e], mac(1), 0x88cc, &pdu.concat()));
    }
    let mut problems = Vec::new();
    let (neighbours, _) = tap.control.finish("tap", &mut problems);
    assert_eq!(neighbours.len(), 8192);
    assert_eq!(problems[0].what, "1808 announcements of more ports than are tracked");
}

/// Frames that lead each of the protocols to the same bytes.
fn carriers(payload: &[u8]) -> Vec<Vec<u8>> {
    let to = [1, 0x80, 0xc2, 0, 0, 0];
    let len = |llc: &[u8]| (llc.len() + payload.len()) as u16;
    let llc = |llc: &[u8]| ethernet(to, mac(1), len(llc), &[llc, payload].concat());
    let (four, six) = ([10, 0, 0, 1], [0x20; 16]);
    vec![
        ethernet(to, mac(1), 0x88cc, payload),
        ethernet(to, mac(1), 0x8809, &[&[1, 1][..], payload].concat()),
        ethernet(to, mac(1), 0x0806, &[&[0, 1, 8, 0, 6, 4][..], payload].concat()),
        llc(&[0x42, 0x42, 3]),
        llc(&[0xaa, 0xaa, 3, 0, 0, 0x0c, 0x20, 0]),
        llc(&[0xaa, 0xaa, 3, 0, 0, 0x0c, 0x01, 0x0b]),
        ethernet(to, mac(1), 0x0800, &ipv4(four, four, 1, payload)),
        ethernet(to, mac(1), 0x0800, &ipv4(four, four, 112, payload)),
        ethernet(to, mac(1), 0x86dd, &ipv6(six, six, 58, payload)),
        over_ipv4(four, four, 6, &tcp((179, 40_000), 1, 0x18, &[&[0xff; 16][..], payload].concat())),
        over_ipv4(four, four, 17, &udp(50_000, 3784, payload)),
        over_ipv4(four, four, 17, &udp(1985, 1985, payload)),
    ]
}

/// No text of either table may be longer than declared.
fn texts_fit(tap: Tap) {
    let mut problems = Vec::new();
    let (neighbours, events) = tap.control.finish("tap", &mut problems);
    let mut rows = Builder::all(&NEIGHBOURS);
    for row in &neighbours {
        rows.push(row);
    }
    let mut told = Builder::all(&CONTROL_EVENTS);
    for row in &events {
        told.push(row);
    }
    for (batch, longest) in [(rows.finish(), neighbours::LONGEST_TEXT), (told.finish(), LONGEST_TEXT)] {
        for column in batch.unwrap().columns().iter().filter_map(|column| column.as_string_view_opt()) {
            assert!(column.iter().flatten().all(|text| text.len() <= longest));
            assert_eq!(column.len() - column.null_count(), column.iter().flatten().count());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn arbitrary_bytes_in_any_protocol_do_no_harm(payloads in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..300), 1..4)) {
        let mut tap = Tap::default();
        for (at, payload) in payloads.iter().enumerate() {
            for frame in carriers(payload) {
                tap.sees(at as i64, &frame);
            }
        }
        texts_fit(tap);
    }

    #[test]
    fn announcements_with_flipped_bytes_do_no_harm(
        changes in prop::collection::vec((0..220_usize, any::<u8>()), 1..6),
        text in prop::collection::vec(any::<u8>(), 0..400),
    ) {
        let more = [tlv(4, &text), organisation(IEEE, 0x0c, &[0x6b; 400]), organisation(IEEE, 0x0b, &[8, 8])].concat();
        let mut frame = lldp_frame(&more);
        let mut tap = Tap::default();
        tap.sees(0, &frame);
        for (at, byte) in changes {
            if let Some(changed) = frame.get_mut(14 + at) {
                *changed = byte;
            }
            tap.sees(1, &frame);
        }
        texts_fit(tap);
    }
}
