//! Messages field by field, as two Linux hosts send them, and cut at every length.

use proptest::prelude::*;

use super::*;
use crate::rdma::timers::doubling as timeout;

/// A REQ of librdmacm for TCP port 18515, as Linux fills it.
pub fn request() -> Vec<u8> {
    let mut bytes = vec![0; 232];
    let mut put = |at: usize, with: &[u8]| bytes[at..at + with.len()].copy_from_slice(with);
    put(0, &0x5974_3304_u32.to_be_bytes());
    put(8, &0x0106_4853_u64.to_be_bytes());
    put(32, &[0, 0, 0x43, 4]); // queue pair, responder resources
    put(39, &[5]); // initiator depth
    put(43, &[20 << 3, 0x57, 0x95, 0x68, 20 << 3 | 7, 0xff, 0xff, 3 << 4 | 6, 15 << 4 | 8]);
    put(52, &[0xff; 4]);
    put(56, &[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 192, 0, 2, 1]);
    put(72, &[0x20, 1, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2]);
    put(92, &[106]);
    put(95, &[19 << 3]);
    put(140, &[0, 0x40, 0x30, 0x39]);
    put(156, &[192, 0, 2, 1]);
    put(172, &[192, 0, 2, 2]);
    bytes
}

pub fn reply() -> Vec<u8> {
    let mut bytes = vec![0; 232];
    let mut put = |at: usize, with: &[u8]| bytes[at..at + with.len()].copy_from_slice(with);
    put(0, &[0xcd, 8, 0x3d, 0xc3, 0x59, 0x74, 0x33, 4]);
    put(12, &[0, 0, 0x44]);
    put(20, &[0x4a, 0x85, 0xf9, 0, 2, 3, 15 << 3, 7 << 5 | 1 << 4]);
    bytes
}

#[test]
fn a_request_tells_queue_pair_port_path_and_patience() {
    let cm = Cm::read(REQ, &request()).unwrap();
    assert_eq!((cm.local_id, cm.remote_id), (Some(0x5974_3304), None));
    assert_eq!((cm.qpn, cm.starting_psn, cm.transport), (Some(0x43), Some(0x57_9568), Some("RC")));
    assert_eq!(cm.port(), Some(("tcp", 18515)));
    assert_eq!((cm.path_mtu, cm.ack_timeout.map(timeout)), (Some(1024), Some(2_147_483_648)));
    assert_eq!((cm.retry_count, cm.rnr_retry, cm.max_cm_retries), (Some(7), Some(6), Some(15)));
    assert_eq!((cm.response_timeout.map(timeout), cm.srq), (Some(4_294_967_296), Some(true)));
    assert_eq!((cm.responder_resources, cm.initiator_depth, cm.traffic_class), (Some(4), Some(5), Some(106)));
    assert_eq!(cm.local_gid, Some(Address::V4([192, 0, 2, 1])));
    assert_eq!(cm.remote_gid.map(|gid| gid.to_string()), Some("2001:db8::2".to_owned()));
    assert_eq!(cm.ip, Some((Address::V4([192, 0, 2, 1]), Address::V4([192, 0, 2, 2]), 12345)));
}

#[test]
fn a_reply_tells_the_other_end() {
    let cm = Cm::read(REP, &reply()).unwrap();
    assert_eq!((cm.local_id, cm.remote_id), (Some(0xcd08_3dc3), Some(0x5974_3304)));
    assert_eq!((cm.qpn, cm.starting_psn), (Some(0x44), Some(0x4a_85f9)));
    assert_eq!((cm.responder_resources, cm.initiator_depth), (Some(2), Some(3)));
    assert_eq!((cm.target_ack_delay, cm.rnr_retry, cm.srq), (Some(15), Some(7), Some(true)));
}

#[test]
fn a_refusal_says_of_what_and_why() {
    let mut bytes = [0; 84];
    (bytes[8], bytes[11]) = (1 << 6, 28);
    let cm = Cm::read(REJ, &bytes).unwrap();
    assert_eq!((cm.about, cm.reason.and_then(refusal)), (Some("REP"), Some("refused by the application")));
    assert_eq!((refusal(0), refusal(34), refusal(999)), (None, None, None));
}

#[test]
fn transports_and_mtus_that_do_not_exist_are_not_named() {
    let mut bytes = request();
    for (kind, extended, want) in [(1, 0, Some("UC")), (2, 0, Some("RD")), (3, 1, Some("XRC")), (3, 0, None)] {
        (bytes[43], bytes[51]) = (kind << 1, extended);
        assert_eq!(Cm::read(REQ, &bytes).unwrap().transport, want);
    }
    for (code, want) in [(0, None), (1, Some(256)), (5, Some(4096)), (6, None)] {
        bytes[50] = code << 4;
        assert_eq!(Cm::read(REQ, &bytes).unwrap().path_mtu, want);
    }
}

#[test]
fn private_data_of_others_is_no_address() {
    let mut bytes = request();
    bytes[8..16].copy_from_slice(&0x1000_0000_0000_0001_u64.to_be_bytes());
    let cm = Cm::read(REQ, &bytes).unwrap();
    assert_eq!((cm.ip, cm.port()), (None, None));
}

#[test]
fn what_was_cut_off_is_not_known_and_what_is_there_stays() {
    for (attribute, whole) in [(REQ, request()), (REP, reply())] {
        let all = format!("{:?}", Cm::read(attribute, &whole).unwrap());
        for len in 0..whole.len() {
            let cut = format!("{:?}", Cm::read(attribute, &whole[..len]).unwrap());
            // Field by field: as in the whole message, or not there.
            for (cut, all) in cut
                .split(", ")
                .zip(all.split(", "))
                .take_while(|(cut, all)| cut.split(':').next() == all.split(':').next())
            {
                assert!(cut == all || cut.contains("None"), "{len} bytes: {cut} of {all}");
            }
        }
    }
}

proptest! {
    #[test]
    fn any_bytes_are_a_message_or_none(attribute in 0u16..0x20, bytes in prop::collection::vec(any::<u8>(), 0..256)) {
        let cm = Cm::read(attribute, &bytes);
        prop_assert_eq!(cm.is_some(), message_name(attribute).is_some());
        if let Some(cm) = cm {
            prop_assert!(cm.qpn.is_none_or(|qp| qp < 1 << 24) && cm.starting_psn.is_none_or(|psn| psn < 1 << 24));
        }
    }
}
