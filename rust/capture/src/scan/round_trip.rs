//! What was written comes out as rows: packets built from the values that the columns must then show, in pcap and in
//! pcapng, whole and in two files.

use std::io::Cursor;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::path::Path;

use arrow_array::cast::AsArray;
use arrow_array::types::{TimestampNanosecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type};
use proptest::prelude::*;

use super::*;
use crate::window::Window;

/// A packet as its row shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Row {
    ts: i64,
    src: String,
    dst: String,
    ports: (u16, u16),
    protocol: u8,
    vlan: Option<(u16, u8)>,
    marks: (u8, u8, u8),
    payload_len: u32,
    captured_len: u32,
    wire_len: u32,
}

#[derive(Debug, Clone, Copy)]
enum Ends {
    V4([u8; 4], [u8; 4]),
    V6([u8; 16], [u8; 16]),
}

prop_compose! {
    /// A packet: its row, and its bytes as far as they were captured.
    fn packet()(
        ts in 0i64..4_000_000_000_000_000_000,
        ends in prop_oneof![
            (any::<[u8; 4]>(), any::<[u8; 4]>()).prop_map(|(src, dst)| Ends::V4(src, dst)),
            (any::<[u8; 16]>(), any::<[u8; 16]>()).prop_map(|(src, dst)| Ends::V6(src, dst)),
        ],
        ports in (any::<u16>(), 10_000u16..20_000), // ports that announce no tunnel
        tcp in any::<bool>(),
        vlan in prop::option::of((0u16..4096, 0u8..8)),
        marks in (0u8..64, 0u8..4, any::<u8>()),
        payload in prop::collection::vec(any::<u8>(), 0..200),
        kept in prop::option::of(any::<prop::sample::Index>()),
    ) -> (Row, Vec<u8>) {
        let (dscp, ecn, ttl) = marks;
        let transport = if tcp { tcp_header(ports) } else { udp_header(ports, payload.len()) };
        let inside = [transport, payload.clone()].concat();
        let protocol = if tcp { 6 } else { 17 };
        let (ip, ethertype, src, dst) = match ends {
            Ends::V4(src, dst) => {
                let total = (20 + inside.len()) as u16;
                let head = [&[0x45, dscp << 2 | ecn][..], &total.to_be_bytes(), &[0, 7, 0x40, 0, ttl, protocol, 0, 0]];
                let ip = [head.concat(), [src, dst].concat(), inside].concat();
                (ip, 0x0800u16, Ipv4Addr::from(src).to_string(), Ipv4Addr::from(dst).to_string())
            }
            Ends::V6(src, dst) => {
                let class = u32::from(dscp << 2 | ecn) << 20 | 6 << 28;
                let len = inside.len() as u16;
                let head = [&class.to_be_bytes()[..], &len.to_be_bytes(), &[protocol, ttl]].concat();
                let ip = [head, [src, dst].concat(), inside].concat();
                (ip, 0x86dd, Ipv6Addr::from(src).to_string(), Ipv6Addr::from(dst).to_string())
            }
        };
        let tag = vlan.map_or(Vec::new(), |(id, pcp)| {
            [[0x81, 0x00], (u16::from(pcp) << 13 | id).to_be_bytes()].concat()
        });
        let mut bytes = [vec![2; 12], tag, ethertype.to_be_bytes().to_vec(), ip].concat();
        let (wire_len, headers) = (bytes.len() as u32, bytes.len() - payload.len());
        if let Some(kept) = kept {
            bytes.truncate(headers + kept.index(payload.len() + 1)); // a snap length that spares the headers
        }
        let captured_len = bytes.len() as u32;
        let payload_len = payload.len() as u32;
        let row = Row { ts, src, dst, ports, protocol, vlan, marks, payload_len, captured_len, wire_len };
        (row, bytes)
    }
}

fn udp_header(ports: (u16, u16), payload: usize) -> Vec<u8> {
    [ports.0, ports.1, 8 + payload as u16, 0].map(u16::to_be_bytes).concat()
}

fn tcp_header(ports: (u16, u16)) -> Vec<u8> {
    [&[ports.0, ports.1].map(u16::to_be_bytes).concat()[..], &[0; 8], &[0x50, 0x10, 0, 1, 0, 0, 0, 0]].concat()
}

fn pcap(packets: &[(Row, Vec<u8>)]) -> Vec<u8> {
    let word = |value: u32| value.to_le_bytes();
    let mut file = [0xa1b2_3c4d, 0x0004_0002, 0, 0, 65_535, 1].map(word).concat();
    for (row, bytes) in packets {
        let (second, rest) = (row.ts / 1_000_000_000, row.ts % 1_000_000_000);
        file.extend([second as u32, rest as u32, row.captured_len, row.wire_len].map(word).concat());
        file.extend(bytes);
    }
    file
}

fn pcapng(packets: &[(Row, Vec<u8>)]) -> Vec<u8> {
    let word = |value: u32| value.to_le_bytes();
    let block = |kind: u32, body: Vec<u8>| {
        let pad = vec![0; body.len().next_multiple_of(4) - body.len()];
        let total = word((12 + body.len() + pad.len()) as u32);
        [word(kind).to_vec(), total.to_vec(), body, pad, total.to_vec()].concat()
    };
    let section = [0x1a2b_3c4d, 1, u32::MAX, u32::MAX].map(word).concat();
    let interface = [1, 0, 9 | 1 << 16, 9].map(word).concat(); // if_tsresol: 10^-9
    let mut file = [block(0x0a0d_0d0a, section), block(1, interface)].concat();
    for (row, bytes) in packets {
        let time = [(row.ts >> 32) as u32, row.ts as u32];
        let head = [0, time[0], time[1], row.captured_len, row.wire_len].map(word).concat();
        file.extend(block(6, [head, bytes.clone()].concat()));
    }
    file
}

const COLUMNS: [&str; 15] = [
    "frame",
    "ts",
    "src",
    "dst",
    "sport",
    "dport",
    "protocol",
    "vlan",
    "pcp",
    "dscp",
    "ecn",
    "ttl",
    "payload_len",
    "captured_len",
    "wire_len",
];

/// The rows of a file, by frame.
fn rows(file: Vec<u8>, batch_rows: usize) -> Vec<(u64, Row)> {
    let capture = Capture::from_window(Window::stream(Cursor::new(file)), Path::new("x")).unwrap();
    let request =
        Request { table: "packets", source: "x", columns: Some(&COLUMNS), batch_rows, limit: None, threads: None };
    let mut scan = Scan::of(capture, &request).unwrap();
    let mut rows = Vec::new();
    while let Some(batch) = scan.next_batch().unwrap() {
        let number16 = |column: usize| batch.column(column).as_primitive::<UInt16Type>().clone();
        let number8 = |column: usize| batch.column(column).as_primitive::<UInt8Type>().clone();
        let number32 = |column: usize| batch.column(column).as_primitive::<UInt32Type>().clone();
        let text = |column: usize| batch.column(column).as_string_view().clone();
        let (vlan, pcp) = (number16(7), number8(8));
        for n in 0..batch.num_rows() {
            let tag = vlan.iter().nth(n).flatten().zip(pcp.iter().nth(n).flatten());
            let row = Row {
                ts: batch.column(1).as_primitive::<TimestampNanosecondType>().value(n),
                src: text(2).value(n).to_owned(),
                dst: text(3).value(n).to_owned(),
                ports: (number16(4).value(n), number16(5).value(n)),
                protocol: number8(6).value(n),
                vlan: tag,
                marks: (number8(9).value(n), number8(10).value(n), number8(11).value(n)),
                payload_len: number32(12).value(n),
                captured_len: number32(13).value(n),
                wire_len: number32(14).value(n),
            };
            rows.push((batch.column(0).as_primitive::<UInt64Type>().value(n), row));
        }
    }
    rows
}

proptest! {
    #[test]
    fn what_was_written_as_pcap_or_pcapng_comes_out_as_rows(
        packets in prop::collection::vec(packet(), 0..20),
        batch_rows in 1usize..8,
    ) {
        let expected: Vec<(u64, Row)> = (1..).zip(packets.iter().map(|(row, _)| row.clone())).collect();
        prop_assert_eq!(&rows(pcap(&packets), batch_rows), &expected);
        prop_assert_eq!(&rows(pcapng(&packets), batch_rows), &expected);
    }
}
