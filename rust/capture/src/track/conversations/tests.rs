use proptest::prelude::*;

use super::*;
use crate::packet::Packet;

const A: Address = Address::V4([192, 0, 2, 1]);
const B: Address = Address::V4([192, 0, 2, 2]);

fn segment(
    conversations: &mut Conversations,
    src: (Address, u16),
    dst: (Address, u16),
    flags: u8,
    seq: u32,
) -> Option<Conversation> {
    let tcp = Tcp { seq, ack: 0, flags, window: 0, options: &[] };
    let packet = Packet {
        src: Some(src.0),
        dst: Some(dst.0),
        sport: Some(src.1),
        dport: Some(dst.1),
        tcp: Some(tcp),
        ..Packet::default()
    };
    let row =
        Captured { source: "", frame: 1, ts: None, interface: 0, captured_len: 0, wire_len: 0, link_type: 1, packet };
    conversations.of(&row, &tcp)
}

#[test]
fn both_directions_are_one_conversation_and_the_syn_tells_the_client() {
    let mut all = Conversations::default();
    let syn = segment(&mut all, (B, 80), (A, 443), SYN, 9);
    assert_eq!(syn, Some(Conversation { index: 0, from_client: true }));
    let answer = segment(&mut all, (A, 443), (B, 80), SYN | ACK, 3);
    assert_eq!(answer, Some(Conversation { index: 0, from_client: false }));
}

#[test]
fn a_syn_ack_alone_tells_the_server() {
    let answer = segment(&mut Conversations::default(), (A, 50_000), (B, 80), SYN | ACK, 3);
    assert_eq!(answer.map(|conversation| conversation.from_client), Some(false));
}

#[test]
fn without_a_syn_the_higher_port_is_the_client() {
    let mut all = Conversations::default();
    assert_eq!(segment(&mut all, (A, 443), (B, 50_000), ACK, 3).map(|it| it.from_client), Some(false));
    assert_eq!(segment(&mut all, (B, 50_000), (A, 443), ACK, 3).map(|it| it.from_client), Some(true));
}

#[test]
fn a_new_syn_on_old_ports_begins_another_and_a_repeated_one_does_not() {
    let mut all = Conversations::default();
    let mut index = |flags, seq| segment(&mut all, (A, 50_000), (B, 80), flags, seq).map(|it| it.index);
    assert_eq!(index(SYN, 9), Some(0));
    assert_eq!(index(SYN, 9), Some(0));
    assert_eq!(index(ACK, 10), Some(0));
    assert_eq!(index(SYN, 1_000), Some(1));
    assert_eq!(index(ACK, 1_001), Some(1));
}

#[test]
fn a_syn_that_was_captured_after_its_data_begins_nothing() {
    let mut all = Conversations::default();
    assert_eq!(segment(&mut all, (A, 50_000), (B, 80), ACK, 10).map(|it| it.index), Some(0));
    assert_eq!(segment(&mut all, (A, 50_000), (B, 80), SYN, 9).map(|it| it.index), Some(0));
}

#[test]
fn a_scan_of_many_ports_ends_at_the_limit_and_is_counted() {
    let mut all = Conversations::default();
    for at in 0..MOST_CONVERSATIONS as u32 + 10 {
        let from = (Address::V4((0x0a00_0000 + (at >> 16)).to_be_bytes()), at as u16);
        let known = segment(&mut all, from, (B, 80), SYN, 1);
        assert_eq!(known.is_some(), (at as usize) < MOST_CONVERSATIONS);
    }
    assert_eq!(all.untracked, 10);
}

fn any_end() -> impl Strategy<Value = (Address, u16)> {
    let address = prop_oneof![
        any::<[u8; 4]>().prop_map(Address::V4),
        (0_u8..3).prop_map(|last| Address::V4([10, 0, 0, last])),
        any::<[u8; 16]>().prop_map(Address::V6),
        (0_u8..3).prop_map(|last| Address::V6([last; 16])),
        any::<u16>().prop_map(Address::Lid),
    ];
    (address, 0_u16..4)
}

proptest! {
    #[test]
    fn equal_pairs_and_no_others_are_one_conversation(pairs in proptest::collection::vec((any_end(), any_end()), 0..60)) {
        let mut all = Conversations::default();
        let mut seen: Vec<(End, End)> = Vec::new();
        for &(src, dst) in &pairs {
            let pair = if src <= dst { (src, dst) } else { (dst, src) };
            let at = seen.iter().position(|known| *known == pair).unwrap_or_else(|| {
                seen.push(pair);
                seen.len() - 1
            });
            prop_assert_eq!(segment(&mut all, src, dst, ACK, 7).map(|it| it.index), Some(at));
        }
    }
}
