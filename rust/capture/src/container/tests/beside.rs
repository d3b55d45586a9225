//! What stands beside the packets of a pcapng file: comments, interfaces, secrets.

use super::build::{BOTH, Endian, block, interface, option, packet, section};
use super::read_all;
use crate::container::{Capture, Commented};

fn section_with(endian: Endian, options: &[Vec<u8>]) -> Vec<u8> {
    let version = [endian.u16(1), endian.u16(0)].concat();
    let head = [endian.words(&[0x1a2b_3c4d]), version, vec![0xff; 8], options.concat()].concat();
    block(endian, 0x0a0d_0d0a, &head)
}

fn statistics(endian: Endian, interface: u32, options: &[Vec<u8>]) -> Vec<u8> {
    block(endian, 5, &[endian.words(&[interface, 0, 0]), options.concat()].concat())
}

fn secrets(endian: Endian, kind: u32, bytes: &[u8]) -> Vec<u8> {
    block(endian, 10, &[endian.words(&[kind, bytes.len() as u32]), bytes.to_vec()].concat())
}

fn written(capture: &Capture) -> Vec<(Commented, Option<u64>, Option<u32>, &str)> {
    capture.comments().iter().map(|c| (c.kind, c.frame, c.interface, c.text.as_str())).collect()
}

#[test]
fn comments_are_told_with_what_they_are_beside() {
    for e in BOTH {
        let say = |text: &str| option(e, 1, text.as_bytes());
        let file = [
            section_with(e, &[say("night shift"), say("rack 12")]),
            interface(e, 1, 0, &[say("uplink")]),
            packet(e, 0, 1, &[0; 60], 60, &[]),
            packet(e, 0, 2, &[0; 61], 61, &[say("here it breaks"), say("ask Ada"), option(e, 0, &[])]),
            statistics(e, 0, &[say("counted by the switch"), option(e, 4, &e.u64(7))]),
            section(e),
            interface(e, 1, 0, &[]),
            packet(e, 0, 3, &[0; 60], 60, &[say("other section")]),
        ]
        .concat();
        let (packets, capture) = read_all(&file);
        assert_eq!(packets.len(), 3);
        assert_eq!(
            written(&capture),
            [
                (Commented::Section, None, None, "night shift"),
                (Commented::Section, None, None, "rack 12"),
                (Commented::Interface, None, Some(0), "uplink"),
                (Commented::Packet, Some(2), Some(0), "here it breaks"),
                (Commented::Packet, Some(2), Some(0), "ask Ada"),
                (Commented::Statistics, None, Some(0), "counted by the switch"),
                (Commented::Packet, Some(3), Some(1), "other section"),
            ]
        );
        assert_eq!((capture.problems().len(), capture.notes().len()), (0, 0));
    }
}

#[test]
fn the_comment_of_an_obsolete_packet_block_is_read_too() {
    let e = Endian::Little;
    let body = [e.words(&[0, 0, 9, 4, 4]), vec![1, 2, 3, 4], option(e, 1, b"old")].concat();
    let (packets, capture) = read_all(&[section(e), interface(e, 1, 0, &[]), block(e, 2, &body)].concat());
    assert_eq!(packets.len(), 1);
    assert_eq!(written(&capture), [(Commented::Packet, Some(1), Some(0), "old")]);
}

#[test]
fn a_comment_that_is_no_utf8_or_cut_in_a_character_is_still_text() {
    let e = Endian::Little;
    let long = "ä".repeat(9000); // 18,000 bytes, cut at 16,384
    let odd = format!("x{long}"); // cut in the middle of a character
    let comments = [option(e, 1, b"a\xffb"), option(e, 1, long.as_bytes()), option(e, 1, odd.as_bytes())];
    let (_, capture) = read_all(&[section(e), interface(e, 1, 0, &comments)].concat());
    let texts: Vec<&str> = capture.comments().iter().map(|c| c.text.as_str()).collect();
    assert_eq!(texts, ["a\u{fffd}b", &"ä".repeat(8192), &format!("x{}", "ä".repeat(8191))]);
    let notes: Vec<String> = capture.notes().into_iter().map(|note| note.what).collect();
    assert_eq!(notes, ["2 comments are longer than 16 KiB and were cut"]);
}

#[test]
fn comments_do_not_fill_the_memory_and_the_rest_is_counted() {
    let e = Endian::Little;
    let one = packet(e, 0, 0, &[0; 4], 4, &[option(e, 1, b"tool")]);
    let (packets, capture) = read_all(&[section(e), interface(e, 1, 0, &[]), one.repeat(10_007)].concat());
    assert_eq!((packets.len(), capture.comments().len()), (10_007, 10_000));
    let [note] = &capture.notes()[..] else { unreachable!("one note") };
    assert!(note.what.starts_with("7 more comments than are kept"), "{}", note.what);
    assert!(capture.problems().is_empty(), "a limit of the reader is no damage of the file");

    let big = packet(e, 0, 0, &[0; 4], 4, &[option(e, 1, &vec![b'x'; 60_000])]);
    let (_, capture) = read_all(&[section(e), interface(e, 1, 0, &[]), big.repeat(1100)].concat());
    assert_eq!(capture.comments().iter().map(|c| c.text.len()).sum::<usize>(), 16 << 20);
    assert!(capture.notes().iter().any(|note| note.what.starts_with("76 more comments")));
}

#[test]
fn an_interface_is_told_as_it_was_described_with_what_it_counted() {
    for e in BOTH {
        let options = [
            option(e, 2, b"mlx5_0"),
            option(e, 3, b"to spine 3"),
            option(e, 6, &[2, 0, 0, 0, 0, 9]),
            option(e, 8, &e.u64(400_000_000_000)),
            option(e, 9, &[9]),
            option(e, 11, b"\0udp port 4791"),
            option(e, 12, b"Linux 6.1"),
            option(e, 15, b"ConnectX-7"),
        ];
        let file = [
            section(e),
            interface(e, 1, 128, &options),
            interface(e, 113, 0, &[option(e, 11, b"\x01bytecode")]),
            packet(e, 1, 0, &[0; 4], 4, &[option(e, 4, &e.u64(3))]),
            statistics(e, 0, &[option(e, 4, &e.u64(1000)), option(e, 5, &e.u64(5)), option(e, 7, &e.u64(2))]),
        ]
        .concat();
        let (_, capture) = read_all(&file);
        let [first, second] = &capture.interfaces()[..] else { unreachable!("two interfaces") };
        assert_eq!(first.name.as_deref(), Some("mlx5_0"));
        assert_eq!(first.description.as_deref(), Some("to spine 3"));
        assert_eq!((first.mac, first.speed), (Some([2, 0, 0, 0, 0, 9]), Some(400_000_000_000)));
        assert_eq!(first.filter.as_deref(), Some("udp port 4791"));
        assert_eq!((first.os.as_deref(), first.hardware.as_deref()), (Some("Linux 6.1"), Some("ConnectX-7")));
        assert_eq!((first.link_type, first.snap_len, first.resolution), (1, Some(128), 1));
        assert_eq!((first.received, first.dropped), (Some(1000), Some(7)));
        assert_eq!((&second.name, &second.filter, second.snap_len, second.resolution), (&None, &None, None, 1000));
        assert_eq!((second.received, second.dropped), (None, Some(3)), "what nobody counted is not known");
    }
}

#[test]
fn secrets_are_announced_and_never_shown() {
    let e = Endian::Little;
    let key = b"CLIENT_RANDOM 0123 4567";
    let file = [
        section(e),
        secrets(e, 0x544c_534b, key),
        interface(e, 1, 0, &[]),
        packet(e, 0, 0, &[0; 4], 4, &[]),
        secrets(e, 0x544c_534b, key),
        secrets(e, 0x1234_5678, b"abc"),
        block(e, 10, &[1, 2, 3]),
    ]
    .concat();
    let (packets, capture) = read_all(&file);
    assert_eq!(packets.len(), 1);
    let notes = capture.notes();
    assert_eq!(notes[0].what, "the file holds decryption secrets (TLS key log): 46 bytes in 2 blocks");
    assert_eq!((notes[0].offset, notes[0].frame), (28, 0));
    assert_eq!(notes[1].what, "the file holds decryption secrets (of another kind): 3 bytes in 1 block");
    let told = format!("{notes:?} {:?}", capture.problems());
    assert!(!told.contains("CLIENT_RANDOM") && !told.contains("0123"), "{told}");
    assert_eq!(capture.problems().len(), 1, "the last block is too short: {told}");
}

#[test]
fn interfaces_beyond_the_limit_are_read_without_description_and_counted() {
    let e = Endian::Little;
    let one = interface(e, 1, 0, &[option(e, 2, b"veth")]);
    let file = [section(e), one.repeat(4100), packet(e, 4099, 0, &[0; 4], 4, &[])].concat();
    let (packets, capture) = read_all(&file);
    assert_eq!(packets[0].interface, 4099);
    assert_eq!(capture.interfaces().len(), 4096);
    let notes: Vec<String> = capture.notes().into_iter().map(|note| note.what).collect();
    assert_eq!(notes, ["4 more interfaces than are described: 4096"]);
}

#[test]
fn the_names_of_an_interface_are_bounded() {
    let e = Endian::Little;
    let options = [option(e, 2, &vec![b'n'; 60_000]), option(e, 11, &[vec![0], vec![b'f'; 60_000]].concat())];
    let (_, capture) = read_all(&[section(e), interface(e, 1, 0, &options)].concat());
    let [described] = &capture.interfaces()[..] else { unreachable!("one interface") };
    assert_eq!(described.name.as_ref().map(String::len), Some(256));
    assert_eq!(described.filter.as_ref().map(String::len), Some(4096));
}
