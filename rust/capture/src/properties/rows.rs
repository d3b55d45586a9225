//! What no row of any table may say: frames that are not there, times outside the capture, negative or endless spans.

use arrow_array::cast::AsArray;
use arrow_array::types::{DurationNanosecondType, Float64Type, TimestampNanosecondType, UInt64Type};
use arrow_array::{Array, RecordBatch};
use arrow_schema::DataType;

use super::reel::Frame;

/// Spans that something on the wire asked for or agreed on; all others were seen, and lie within the capture.
const ASKED_FOR: [&str; 8] = [
    "timer",
    "timeout",
    "agreed_timeout",
    "ack_timeout",
    "target_ack_delay",
    "response_timeout",
    "beyond_end",
    "resolution",
];

/// Sums over both directions, each of which may have stood still for as long as the capture.
const BOTH_WAYS: [&str; 4] = ["stall_time", "hol_before", "hol_after", "hol_beyond"];

/// What the capture has.
struct Seen {
    packets: u64,
    bytes: u64,
    first: i64,
    last: i64,
    /// No time is before an earlier one.
    in_order: bool,
}

/// Checks all tables of a capture.
pub(super) fn check(tables: &[(&'static str, RecordBatch)], frames: &[Frame]) {
    let times = || frames.iter().map(|frame| frame.ts);
    let seen = Seen {
        packets: frames.len() as u64,
        bytes: frames.iter().map(|frame| frame.bytes.len() as u64).sum(),
        first: times().min().unwrap_or_default(),
        last: times().max().unwrap_or_default(),
        in_order: times().is_sorted(),
    };
    let mut memory = 0;
    for (table, batch) in tables {
        let most = most_rows(table, &seen);
        assert!(batch.num_rows() as u64 <= most, "{table} has {} rows of {} packets", batch.num_rows(), seen.packets);
        for (field, column) in batch.schema().fields().iter().zip(batch.columns()) {
            check_column(table, field.name(), column, &seen);
        }
        memory += batch.get_array_memory_size() as u64;
    }
    let most = (1 << 20) + 64 * seen.bytes + 16_384 * seen.packets;
    assert!(memory <= most, "tables of {memory} bytes for {} packets of {} bytes", seen.packets, seen.bytes);
}

/// Rows that so much input can give.
fn most_rows(table: &str, seen: &Seen) -> u64 {
    match table {
        "capture_health" | "interfaces" => 1,
        "comments" => 0,
        "problems" => 200,
        "roce_qps" | "credits" => 2 * seen.packets,
        "pause_time" => 8 * seen.packets,
        "tcp_events" => 4 * seen.packets,
        "requests" | "tokens" | "control_events" => seen.bytes, // a segment holds many
        _ => seen.packets,
    }
}

fn check_column(table: &str, name: &str, column: &dyn Array, seen: &Seen) {
    let says = |value: &dyn std::fmt::Display| format!("{table}.{name} says {value}");
    match column.data_type() {
        DataType::UInt64 if name == "frame" || name.ends_with("_frame") => {
            let least = u64::from(table != "problems");
            for frame in column.as_primitive::<UInt64Type>().iter().flatten() {
                assert!((least..=seen.packets).contains(&frame), "{} of {}", says(&frame), seen.packets);
            }
        }
        DataType::UInt64
            if ["packets", "roce_packets", "xoff_frames", "xon_frames", "announcements"].contains(&name) =>
        {
            for count in column.as_primitive::<UInt64Type>().iter().flatten() {
                assert!(count <= seen.packets, "{} of {}", says(&count), seen.packets);
            }
        }
        DataType::Timestamp(..) => {
            for ts in column.as_primitive::<TimestampNanosecondType>().iter().flatten() {
                assert!((seen.first..=seen.last).contains(&ts), "{} from {} to {}", says(&ts), seen.first, seen.last);
            }
        }
        DataType::Duration(_) => {
            for span in column.as_primitive::<DurationNanosecondType>().iter().flatten() {
                assert!(span >= 0, "{}", says(&span));
                let whole = seen.last.saturating_sub(seen.first);
                let most = if BOTH_WAYS.contains(&name) { whole.saturating_mul(2) } else { whole };
                let within = !seen.in_order || span <= most || ASKED_FOR.contains(&name);
                assert!(within, "{} of {whole}", says(&span));
            }
        }
        DataType::Float64 => {
            for value in column.as_primitive::<Float64Type>().iter().flatten() {
                assert!(value.is_finite() && value >= 0.0, "{}", says(&value));
                assert!(value <= 1.0 || !(name == "share" || name.ends_with("_share")), "{}", says(&value));
            }
        }
        _ => {}
    }
}
