//! The readers beside slow and simple ones, cut at every length, and on any bytes.

use proptest::prelude::*;

use super::blocks::{Grammar, NO_TIME};
use super::ethtool;
use super::exposition;
use super::readings::{Numbering, Readings, pieces, read_pieces};

/// One reading: line, sample, key, value, time.
type Row = (u32, u32, String, Option<u64>, i64);

fn rows(readings: &Readings<'_>) -> Vec<Row> {
    let mut rows = Vec::new();
    for part in &readings.parts {
        for row in 0..part.series.len() {
            let key = String::from_utf8_lossy(readings.keys[part.series[row] as usize]).into_owned();
            let value = (!part.value[row].is_nan()).then(|| part.value[row].to_bits());
            rows.push((part.line[row], part.sample[row], key, value, part.ts.get(row).copied().unwrap_or(NO_TIME)));
        }
    }
    rows
}

/// The same without prediction and threads: every line is taken apart.
fn slowly(text: &[u8], grammar: &impl Grammar, by_repeats: bool) -> Vec<Row> {
    use super::blocks::Line;
    let (mut rows, mut sample, mut seen, mut filled) = (Vec::new(), 1_u32, std::collections::HashSet::new(), false);
    for (index, line) in text.split(|&byte| byte == b'\n').enumerate() {
        match grammar.line(line.strip_suffix(b"\r").unwrap_or(line)) {
            Line::Reading { key, value, ts, .. } if grammar.is_key(key) => {
                if by_repeats && !seen.insert(key) {
                    sample += 1;
                    seen = std::collections::HashSet::from([key]);
                }
                filled = true;
                let value = (!value.is_nan()).then(|| value.to_bits());
                rows.push((index as u32 + 1, sample, String::from_utf8_lossy(key).into_owned(), value, ts));
            }
            Line::Between if filled => {
                sample += 1;
                filled = false;
                seen.clear();
            }
            _ => {}
        }
    }
    rows
}

fn agrees(text: &[u8]) {
    for wanted in [1, 2, 3] {
        let parts = pieces(text, wanted);
        assert_eq!(parts.concat(), text);
        let found = read_pieces(&parts, &ethtool::Statistics, Numbering::ByLinesBetween, usize::MAX);
        assert_eq!(rows(&found), slowly(text, &ethtool::Statistics, false), "ethtool, {wanted} pieces");
        let found = read_pieces(&parts, &exposition::Exposition, Numbering::ByRepeats, usize::MAX);
        assert_eq!(rows(&found), slowly(text, &exposition::Exposition, true), "exposition, {wanted} pieces");
    }
}

const SNAPSHOTS: &[u8] =
    b"# 1764547200000000 eth0\nNIC statistics:\n     rx_packets: 10\n     [0]: tx: 20\n     gone: N/A\r\n\
    # 1764547201000000 eth0\nNIC statistics:\n     rx_packets: 12\n     [0]: tx: 18446744073709551615\n     bad: x1\n\
    Mon Nov 30 12:00:00 UTC 2026\nNIC statistics:\n     [0]: tx: 0x10\n     rx_packets: -3\n";

#[test]
fn snapshots_become_samples_with_lines() {
    let found = ethtool::read(SNAPSHOTS, 1000, 1);
    let some = |value: f64| Some(value.to_bits());
    let short: Vec<_> =
        rows(&found).into_iter().map(|(line, sample, key, value, _)| (line, sample, key, value)).collect();
    assert_eq!(
        short,
        [
            (3, 1, "     rx_packets: ".to_owned(), some(10.0)),
            (4, 1, "     [0]: tx: ".to_owned(), some(20.0)),
            (5, 1, "     gone: ".to_owned(), None),
            (8, 2, "     rx_packets: ".to_owned(), some(12.0)),
            (9, 2, "     [0]: tx: ".to_owned(), some(18_446_744_073_709_551_615.0)),
            (10, 2, "     bad: ".to_owned(), None),
            (13, 3, "     [0]: tx: ".to_owned(), some(16.0)),
            (14, 3, "     rx_packets: ".to_owned(), some(-3.0)),
        ]
    );
    let between: Vec<_> = found.between.iter().map(|mark| (mark.sample, mark.line, mark.text)).collect();
    assert_eq!(between[0], (1, 1, b"# 1764547200000000 eth0".as_slice()));
    assert_eq!(between[4], (3, 11, b"Mon Nov 30 12:00:00 UTC 2026".as_slice()));
    assert_eq!(found.unread, [(10, b"     bad: x1".as_slice())]);
}

const SCRAPES: &[u8] = b"# HELP a_total Words, {and} more\n# TYPE a_total counter\na_total{d=\"x } 7\",e=\"\\\"\"} 1\n\
    a_total{d=\"y\"} 1.5e+3 1764547200123\n# TYPE h histogram\nh_bucket{le=\"+Inf\"} 7 # {trace_id=\"q\"} 0.5\nh_sum NaN\n\
    a_total{d=\"x } 7\",e=\"\\\"\"} 2\na_total{d=\"y\"} +Inf\nbroken{ 1\n# EOF\nh_sum 3 1764547201.5\n";

#[test]
fn scrapes_are_told_apart_by_series_that_come_again() {
    let found = exposition::read(SCRAPES, 1000, 1);
    let short: Vec<_> = rows(&found)
        .into_iter()
        .map(|(line, sample, key, value, ts)| (line, sample, key, value.map(f64::from_bits), ts))
        .collect();
    let first = "a_total{d=\"x } 7\",e=\"\\\"\"} ".to_owned();
    let second = "a_total{d=\"y\"} ".to_owned();
    assert_eq!(
        short,
        [
            (3, 1, first.clone(), Some(1.0), NO_TIME),
            (4, 1, second.clone(), Some(1500.0), 1_764_547_200_123),
            (6, 1, "h_bucket{le=\"+Inf\"} ".to_owned(), Some(7.0), NO_TIME),
            (7, 1, "h_sum ".to_owned(), None, NO_TIME),
            (8, 2, first, Some(2.0), NO_TIME),
            (9, 2, second, Some(f64::INFINITY), NO_TIME),
            (12, 3, "h_sum ".to_owned(), Some(3.0), 1_764_547_201_500),
        ]
    );
    assert_eq!(found.unread, [(10, b"broken{ 1".as_slice())]);
    let families = exposition::families(&found.notes);
    assert_eq!(
        exposition::family_of("h_bucket", &families).and_then(|family| family.kind.as_deref()),
        Some("histogram")
    );
    assert_eq!(
        exposition::family_of("a_total", &families).and_then(|family| family.help.as_deref()),
        Some("Words, {and} more")
    );
}

#[test]
fn cut_at_every_length_the_readers_find_what_is_whole() {
    for text in [SNAPSHOTS, SCRAPES] {
        for length in 0..=text.len() {
            agrees(&text[..length]);
        }
    }
}

#[test]
fn a_limit_on_rows_holds_over_all_threads() {
    let parts = pieces(SNAPSHOTS, 2);
    let found = read_pieces(&parts, &ethtool::Statistics, Numbering::ByLinesBetween, 4);
    assert_eq!(rows(&found).len(), 4);
    assert_eq!(found.full, Some(9));
}

/// Lines that look like the real ones, in any order.
fn a_line() -> impl Strategy<Value = String> {
    prop_oneof![
        (0..4_u8, any::<u32>()).prop_map(|(name, value)| format!("   rx_{name}: {value}")),
        (0..4_u8, any::<u32>()).prop_map(|(name, value)| format!("m_{name}{{a=\"{name}\"}} {value}")),
        (0..4_u8, any::<f64>()).prop_map(|(name, value)| format!("m_{name} {value:e}")),
        (0..3_u8).prop_map(|name| format!("# TYPE m_{name} counter")),
        Just("NIC statistics:".to_owned()),
        Just("# 1764547200000000 eth0".to_owned()),
        "[ -~]{0,12}",
    ]
}

proptest! {
    #[test]
    fn any_order_of_lines_is_read_as_the_slow_reader_reads_it(lines in proptest::collection::vec(a_line(), 0..60)) {
        agrees(lines.join("\n").as_bytes());
    }

    #[test]
    fn arbitrary_bytes_are_read_as_the_slow_reader_reads_them(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        agrees(&bytes);
    }
}
