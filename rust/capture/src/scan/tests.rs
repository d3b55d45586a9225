use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use arrow_array::cast::AsArray;
use arrow_array::types::UInt64Type;

use super::*;
use crate::tables::packets::PACKETS;

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
        // A file that was written just now may still be cut and is not mapped.
        let file = std::fs::File::options().write(true).open(&path).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(1000)).unwrap();
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

const ALL: Request<'_> =
    Request { table: "packets", source: "tor", columns: None, batch_rows: 2, limit: None, threads: None };

/// All rows, one by one, however they came.
fn rows(file: &File, request: &Request<'_>) -> Vec<RecordBatch> {
    let mut scan = Scan::open(&file.0, request).unwrap();
    let batches: Vec<RecordBatch> = std::iter::from_fn(|| scan.next_batch().unwrap()).collect();
    assert!(batches.iter().all(|batch| (1..=request.batch_rows).contains(&batch.num_rows())));
    batches.iter().flat_map(|batch| (0..batch.num_rows()).map(|at| batch.slice(at, 1))).collect()
}

/// Holds threads against the caller alone; gives the rows.
fn threads_agree(file: &File, request: &Request<'_>) -> Vec<RecordBatch> {
    let alone = rows(file, &Request { threads: Some(0), ..*request });
    for threads in 1..4 {
        let together = rows(file, &Request { threads: Some(threads), ..*request });
        assert_eq!(together, alone, "{request:?}, {threads} threads");
    }
    alone
}

/// ARP, PFC and a TCP segment over and over, `count` packets.
fn long(test: &str, count: usize) -> File {
    let tcp: Vec<u8> = (0..60).map(|at| [0x08, 0, 0x45][at % 3]).collect();
    let kinds = [ARP, PFC, PFC, &tcp, ARP];
    File::with(test, &(0..count).map(|n| kinds[n * n % 5]).collect::<Vec<_>>())
}

#[test]
fn any_number_of_threads_gives_the_same_rows_in_the_same_order() {
    let file = long("threads", 200);
    for table in ["packets", "roce", "pauses"] {
        for limit in [None, Some(0), Some(1), Some(98)] {
            for batch_rows in [1, 7, 50, 500] {
                threads_agree(&file, &Request { table, batch_rows, limit, ..ALL });
            }
        }
    }
}

/// Part `part` of datagram `id`, of which part 0 alone has the UDP ports.
fn part_of(id: u16, part: u16, last: bool) -> Vec<u8> {
    let [i0, i1] = id.to_be_bytes();
    let [o0, o1] = (part | if last { 0 } else { 0x2000 }).to_be_bytes();
    let ip = [0x45, 0, 0, 28, i0, i1, o0, o1, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2];
    [&[2; 12][..], &[0x08, 0], &ip, &[0x9c, 0x40, 0, 53, 0, 16, 0, 0]].concat()
}

#[test]
fn fragments_are_attributed_alike_wherever_a_chunk_ends() {
    let mut packets = vec![part_of(1, 0, false), ARP.to_vec(), part_of(9, 1, true)];
    for id in 2..60 {
        packets.push(part_of(id, 0, false));
        packets.extend(std::iter::repeat_n(ARP.to_vec(), usize::from(id % 5)));
        packets.push(part_of(id - 1, 1, id % 2 == 0));
        packets.push(part_of(1, id, false));
    }
    packets.extend(std::iter::repeat_n(ARP.to_vec(), 20));
    packets.push(part_of(1, 77, true));
    let file = File::with("fragments", &packets.iter().map(Vec::as_slice).collect::<Vec<_>>());
    for batch_rows in [1, 2, 3, 5, 8, 40, 1000] {
        let rows = threads_agree(&file, &Request { batch_rows, ..ALL });
        let last = rows.last().unwrap();
        assert_eq!(last["datagram"].as_primitive::<UInt64Type>().value(0), 1, "the first packet of the file");
        assert!(rows[2]["datagram"].is_null(0), "its first part comes only later");
    }
}

#[test]
fn a_scan_that_is_given_up_leaves_no_thread_behind() {
    let file = long("given-up", 1000);
    for taken in 0..4 {
        let request = Request { batch_rows: 10, threads: Some(3), ..ALL };
        let mut scan = Scan::open(&file.0, &request).unwrap();
        for _ in 0..taken {
            assert!(scan.next_batch().unwrap().is_some());
        }
        let Reader::Together(together) = &scan.reader else { panic!("not mapped") };
        let shared = together.shared();
        drop(scan);
        assert!(shared.upgrade().is_none(), "the threads have ended and let go");
    }
}

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

/// Holds the columns that need no decoding against the declaration: each column alone gives what it gives beside all others.
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
