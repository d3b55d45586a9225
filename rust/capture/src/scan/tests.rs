use std::path::PathBuf;

use arrow_array::cast::AsArray;
use arrow_array::types::UInt64Type;

use super::*;

/// A little-endian pcap file in the system's folder for temporary files, removed with the test.
struct File(PathBuf);

impl File {
    /// `test` tells the files of tests apart that run at the same time.
    fn with(test: &str, packets: &[&[u8]]) -> Self {
        let mut bytes = vec![0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0, 1, 0, 0, 0];
        for packet in packets {
            bytes.extend([0; 8]);
            bytes.extend((packet.len() as u32).to_le_bytes());
            bytes.extend((packet.len() as u32).to_le_bytes());
            bytes.extend(*packet);
        }
        let path = std::env::temp_dir().join(format!("badhop-scan-{}-{test}.pcap", std::process::id()));
        std::fs::write(&path, bytes).unwrap();
        Self(path)
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// A PFC frame for priority 3.
const PFC: &[u8] = &[
    0x01, 0x80, 0xc2, 0, 0, 1, 2, 0, 0, 0, 0, 1, 0x88, 0x08, 0x01, 0x01, 0, 8, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0, 0,
    0, 0, 0, 0, 0,
];
/// An ARP packet, cut short.
const ARP: &[u8] = &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2, 0, 0, 0, 0, 1, 0x08, 0x06, 0, 1];

const ALL: Request<'_> = Request { table: "packets", source: "tor", columns: None, batch_rows: 2, limit: None };

/// The frames of each batch.
fn frames(file: &File, request: &Request<'_>) -> Vec<Vec<u64>> {
    let mut scan = Scan::open(&file.0, request).unwrap();
    let mut batches = Vec::new();
    while let Some(batch) = scan.next_batch().unwrap() {
        batches.push(batch["frame"].as_primitive::<UInt64Type>().values().to_vec());
    }
    batches
}

#[test]
fn rows_come_in_batches_and_then_no_more() {
    let file = File::with("batches", &[ARP, PFC, ARP, PFC, ARP]);
    assert_eq!(frames(&file, &ALL), [vec![1, 2], vec![3, 4], vec![5]]);
}

#[test]
fn a_limit_ends_the_scan() {
    let file = File::with("limit", &[ARP, PFC, ARP, PFC, ARP]);
    assert_eq!(frames(&file, &Request { limit: Some(3), ..ALL }), [vec![1, 2], vec![3]]);
    assert!(frames(&file, &Request { limit: Some(0), ..ALL }).is_empty());
    assert_eq!(frames(&file, &Request { limit: Some(9), batch_rows: 9, ..ALL }), [vec![1, 2, 3, 4, 5]]);
}

#[test]
fn only_pause_frames_are_rows_of_pauses_and_the_limit_counts_those() {
    let file = File::with("pauses", &[ARP, PFC, ARP, PFC, PFC]);
    assert_eq!(frames(&file, &Request { table: "pauses", limit: Some(2), ..ALL }), [vec![2, 4]]);
    assert!(frames(&file, &Request { table: "roce", ..ALL }).is_empty());
}

#[test]
fn a_batch_of_no_rows_is_taken_for_one_row() {
    let file = File::with("no-rows", &[ARP, PFC]);
    assert_eq!(frames(&file, &Request { batch_rows: 0, ..ALL }), [vec![1], vec![2]]);
}

#[test]
fn an_unknown_table_or_column_is_named() {
    let file = File::with("unknown", &[]);
    let error = |request| Scan::open(&file.0, &request).err().unwrap().to_string();
    assert_eq!(
        error(Request { table: "roce_qps", ..ALL }),
        "roce_qps is no table that is scanned; these are: packets, roce, pauses"
    );
    assert_eq!(error(Request { columns: Some(&["frame", "psn"]), ..ALL }), "table packets has no column psn");
}

/// Holds [`WITHOUT_DECODING`] against the declaration: each column alone gives what it gives beside all others.
#[test]
fn a_column_asked_for_alone_is_as_in_the_whole_table() {
    let file = File::with("alone", &[ARP, PFC, ARP]);
    let batch = |columns: Option<&[&str]>| {
        let request = Request { columns, batch_rows: 10, ..ALL };
        Scan::open(&file.0, &request).unwrap().next_batch().unwrap().unwrap()
    };
    let whole = batch(None);
    for column in PACKETS.columns {
        assert_eq!(&whole[column.name], &batch(Some(&[column.name]))[column.name], "{}", column.name);
    }
}

#[test]
fn a_scan_without_columns_counts_the_rows() {
    let file = File::with("count", &[ARP, PFC, ARP]);
    let request = Request { columns: Some(&[]), batch_rows: 10, ..ALL };
    assert_eq!(Scan::open(&file.0, &request).unwrap().next_batch().unwrap().unwrap().num_rows(), 3);
}
