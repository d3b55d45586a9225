use super::super::tests::round_trip::tlv;
use super::*;

fn identified(chassis: &[u8], port: &[u8]) -> Announced {
    read(&[tlv(1, chassis), tlv(2, port), tlv(3, &[0, 120]), vec![0, 0]].concat())
}

#[test]
fn identifiers_are_written_as_what_they_are() {
    let said = identified(&[5, 1, 192, 0, 2, 1], &[7, 0xff, 0x01]);
    assert_eq!((said.chassis_id_kind, said.chassis_id.as_deref()), (Some("address"), Some("192.0.2.1")));
    assert_eq!((said.port_id_kind, said.port_id.as_deref()), (Some("local"), Some("0xff01")));
    let said = identified(&[6, b'e', b't', b'h', b'0'], &[3, 2, 0, 0, 0, 0, 7]);
    assert_eq!((said.chassis_id_kind, said.chassis_id.as_deref()), (Some("name"), Some("eth0")));
    assert_eq!((said.port_id_kind, said.port_id.as_deref()), (Some("mac"), Some("02:00:00:00:00:07")));
}

#[test]
fn an_identifier_of_the_wrong_length_is_shown_as_bytes_and_an_empty_one_not_at_all() {
    let said = identified(&[4, 2, 0, 0], &[5]);
    assert_eq!((said.chassis_id_kind, said.chassis_id.as_deref()), (Some("mac"), Some("0x02")));
    assert_eq!((said.port_id_kind, said.port_id), (Some("name"), None));
    let said = identified(&[99, 0xab], &[]);
    assert_eq!((said.chassis_id_kind, said.chassis_id.as_deref()), (None, Some("0xab")));
    assert_eq!((said.port_id_kind, said.port_id), (None, None));
}
