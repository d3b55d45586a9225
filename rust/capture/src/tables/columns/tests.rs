use std::borrow::Cow;

use arrow_array::Array;
use arrow_array::cast::AsArray;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use super::*;
use crate::tables::captured::Captured;
use crate::tables::packets::PACKETS;
use crate::tables::{pauses, roce};

struct Sample {
    number: Option<u32>,
    word: Option<&'static str>,
    text: Option<String>,
}

impl Row for Sample {
    type Of<'a> = Self;
}

const fn column(name: &'static str, get: Get<Sample>) -> Column<Sample> {
    Column { name, unit: "", doc: "", get }
}

/// One column of each type, so that none is forgotten.
const SAMPLES: Table<Sample> = Table {
    name: "samples",
    doc: "",
    columns: &[
        column("bool", Get::Bool(|r| r.number.map(|n| n > 1))),
        column("u8", Get::U8(|r| r.number.map(|n| n as u8))),
        column("u16", Get::U16(|r| r.number.map(|n| n as u16))),
        column("u32", Get::U32(|r| r.number)),
        column("u64", Get::U64(|r| r.number.map(u64::from))),
        column("f64", Get::F64(|r| r.number.map(f64::from))),
        column("time", Get::Time(|r| r.number.map(i64::from))),
        column("duration", Get::Duration(|r| r.number.map(i64::from))),
        column("word", Get::Word(|r| r.word)),
        column("address", Get::Address(|r| r.number.map(|n| Address::V4(n.to_be_bytes())))),
        column("mac", Get::Mac(|r| r.number.map(|n| Mac([2, 0, 0, 0, 0, n as u8])))),
        column("text", Get::Text(|r| r.text.as_deref().map(Cow::Borrowed))),
    ],
};

fn sample(number: u32, word: &'static str) -> Sample {
    Sample { number: Some(number), word: Some(word), text: Some(format!("text number {number}")) }
}

const UNKNOWN: Sample = Sample { number: None, word: None, text: None };

#[test]
fn every_type_keeps_its_values_and_unknown_is_null() {
    let mut builder = Builder::new(&SAMPLES, None).unwrap();
    for row in [&sample(1, "RC SEND_FIRST"), &UNKNOWN, &sample(7, "CNP")] {
        builder.push(row);
    }
    let batch = builder.finish().unwrap();
    assert_eq!(batch.num_rows(), 3);
    for (column, field) in batch.columns().iter().zip(batch.schema().fields()) {
        let nulls: Vec<bool> = (0..3).map(|row| column.is_null(row)).collect();
        assert_eq!(nulls, [false, true, false], "{}", field.name());
    }
    let texts = |name: &str| -> Vec<_> {
        batch[name].as_string_view().iter().map(|text| text.unwrap_or("null").to_owned()).collect()
    };
    assert_eq!(texts("word"), ["RC SEND_FIRST", "null", "CNP"]);
    assert_eq!(texts("address"), ["0.0.0.1", "null", "0.0.0.7"]);
    assert_eq!(texts("mac"), ["02:00:00:00:00:01", "null", "02:00:00:00:00:07"]);
    assert_eq!(texts("text"), ["text number 1", "null", "text number 7"]);
    assert!(!batch["bool"].as_boolean().value(0) && batch["bool"].as_boolean().value(2));
    assert_eq!(batch["u8"].as_primitive::<UInt8Type>().value(2), 7);
    assert_eq!(batch["u16"].as_primitive::<UInt16Type>().value(2), 7);
    assert_eq!(batch["u32"].as_primitive::<UInt32Type>().value(2), 7);
    assert_eq!(batch["u64"].as_primitive::<UInt64Type>().value(2), 7);
    assert!((batch["f64"].as_primitive::<Float64Type>().value(2) - 7.0).abs() < f64::EPSILON);
    assert_eq!(batch["time"].as_primitive::<TimestampNanosecondType>().value(2), 7);
    assert_eq!(batch["duration"].as_primitive::<DurationNanosecondType>().value(2), 7);
}

#[test]
fn columns_come_in_the_order_asked_for() {
    let mut builder = Builder::new(&SAMPLES, Some(&["text", "u8"])).unwrap();
    builder.push(&sample(3, "CNP"));
    let batch = builder.finish().unwrap();
    let names: Vec<_> = batch.schema().fields().iter().map(|f| f.name().clone()).collect();
    assert_eq!(names, ["text", "u8"]);
    assert_eq!(batch["u8"].as_primitive::<UInt8Type>().value(0), 3);
}

#[test]
fn a_batch_without_columns_still_counts_its_rows() {
    let mut builder = Builder::new(&SAMPLES, Some(&[])).unwrap();
    builder.push(&UNKNOWN);
    builder.push(&UNKNOWN);
    assert_eq!(builder.finish().unwrap().num_rows(), 2);
}

#[test]
fn a_column_that_is_not_declared_is_named() {
    let error = Builder::new(&SAMPLES, Some(&["u8", "psn"])).err().unwrap();
    assert_eq!(error.to_string(), "table samples has no column psn");
}

#[test]
fn a_finished_builder_starts_again_empty() {
    let mut builder = Builder::new(&SAMPLES, None).unwrap();
    builder.push(&sample(1, "CNP"));
    assert_eq!(builder.rows(), 1);
    builder.finish().unwrap();
    assert_eq!(builder.rows(), 0);
    builder.push(&UNKNOWN);
    builder.push(&sample(2, "CNP"));
    let second = builder.finish().unwrap();
    assert_eq!(second["u32"].as_primitive::<UInt32Type>().iter().collect::<Vec<_>>(), [None, Some(2)]);
    assert_eq!(second["word"].as_string_view().value(1), "CNP");
}

#[test]
fn a_null_after_many_values_does_not_hide_them() {
    let mut builder = Builder::new(&SAMPLES, Some(&["u32", "bool", "word"])).unwrap();
    for n in 0..1000 {
        builder.push(&sample(n, "CNP"));
    }
    builder.push(&UNKNOWN);
    let batch = builder.finish().unwrap();
    assert!(batch.columns().iter().all(|column| column.null_count() == 1 && column.is_null(1000)));
}

#[test]
fn every_scanned_table_can_be_built() {
    for table in [&PACKETS, &roce::ROCE, &pauses::PAUSES] {
        let batch = Builder::all(table).finish().unwrap();
        assert_eq!((batch.num_columns(), batch.num_rows()), (table.columns.len(), 0));
    }
}

#[test]
fn a_packet_of_which_nothing_is_known_is_a_row_of_nulls() {
    let row = Captured {
        source: "tor.pcap",
        frame: 9,
        ts: None,
        interface: 0,
        captured_len: 0,
        wire_len: 0,
        link_type: 1,
        packet: crate::packet::Packet::default(),
    };
    let mut builder = Builder::new(&PACKETS, None).unwrap();
    builder.push(&row);
    let batch = builder.finish().unwrap();
    let known: Vec<_> = batch
        .schema()
        .fields()
        .iter()
        .zip(batch.columns())
        .filter(|(_, column)| column.null_count() == 0)
        .map(|(field, _)| field.name().clone())
        .collect();
    let always = ["source", "frame", "interface", "kind", "captured_len", "wire_len", "encap_depth", "link_type"];
    assert_eq!(known, always);
    assert_eq!(batch["source"].as_string_view().value(0), "tor.pcap");
}

#[test]
fn no_table_declares_a_column_twice() {
    for table in crate::tables::all() {
        let mut names: Vec<_> = table.columns.iter().map(|column| column.0).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), table.columns.len(), "{}", table.name);
    }
}

proptest! {
    /// Nulls before, between and behind values, and none at all, over several batches.
    #[test]
    fn a_column_holds_what_was_pushed_wherever_its_nulls_are(
        batches in vec(vec((option::weighted(0.2, any::<u32>()), option::weighted(0.2, 0..9_u8)), 0..200), 1..4),
    ) {
        let mut numbers = Numbers::<UInt32Type>::default();
        let mut texts = Texts::default();
        for batch in batches {
            for part in batch.chunks(70) {
                numbers.extend(part, |(number, _)| *number);
            }
            for (_, text) in &batch {
                texts.push(text.map(|text| format!("text number {text}")).as_deref());
            }
            let (got, words) = (numbers.finish().unwrap(), texts.finish().unwrap());
            let want: Vec<Option<u32>> = batch.iter().map(|(number, _)| *number).collect();
            prop_assert_eq!(got.as_primitive::<UInt32Type>().iter().collect::<Vec<_>>(), want);
            let want: Vec<Option<String>> = batch.iter().map(|(_, text)| text.map(|t| format!("text number {t}"))).collect();
            let words: Vec<_> = words.as_string_view().iter().map(|text| text.map(str::to_owned)).collect();
            prop_assert_eq!(words, want);
        }
    }
}
