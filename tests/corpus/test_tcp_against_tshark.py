"""TCP connections and their events against tshark's analysis, stream by stream."""

from collections.abc import Mapping
from pathlib import Path

import polars as pl
import pytest

from badhop import _core
from badhop.errors import Unreadable
from badhop.sources import read
from corpus.tcp_differences import ACKED_UNSEEN, DAMAGED, NOT_DECODED, OURS, OURS_DIFFER, REASSEMBLED
from corpus.truth import REFUSED, Row, capture_of, nanoseconds, rows

LABELS: Mapping[str, str] = {
    "fast_retransmission": "wireshark_fast_retransmissions",
    "spurious_retransmission": "wireshark_spurious_retransmissions",
    "out_of_order": "wireshark_out_of_order",
    "duplicate_ack": "wireshark_dup_acks",
    "zero_window": "wireshark_zero_window",
    "zero_window_probe": "wireshark_zero_window_probes",
    "zero_window_probe_ack": "wireshark_zero_window_probe_acks",
    "keep_alive": "wireshark_keep_alives",
    "keep_alive_ack": "wireshark_keep_alive_acks",
    "lost_segment": "wireshark_lost_segments",
    "window_full": "wireshark_window_full",
    "window_update": "wireshark_window_updates",
}
"""Each label of tshark's that is counted exactly alike, and the column that counts it."""

EXPECTED = "corpus/expected/tcp_streams/*.tsv"
EXCUSED = {**NOT_DECODED, **REASSEMBLED, **DAMAGED}


def connections(capture: Path) -> pl.DataFrame:
    if not capture.exists():
        pytest.skip("the corpus has its truth and not the file")
    return read([capture]).frames["tcp_connections"].collect()


def counts(connection: Row) -> dict[str, object]:
    """What badhop counts of a connection, under tshark's names."""
    retransmissions = sum(int(connection[f"wireshark_{kind}retransmissions"]) for kind in ("", "fast_", "spurious_"))
    return {
        "frames": int(connection["packets_client"]) + int(connection["packets_server"]),
        "payload_bytes": int(connection["bytes_client"]) + int(connection["bytes_server"]),
        "retransmission": retransmissions,
        **{label: connection[column] for label, column in LABELS.items()},
    }


@pytest.mark.each_file("expected", EXPECTED)
def test_each_stream_has_tsharks_number_and_counts(expected: Path) -> None:
    capture = capture_of(expected)
    if capture.name in REFUSED and capture.exists():
        with pytest.raises(Unreadable):
            connections(capture)
        return
    got = {row["connection"]: row for row in connections(capture).iter_rows(named=True)}
    if capture.name in EXCUSED:
        pytest.skip(EXCUSED[capture.name])
    want = list(rows(expected))
    assert want
    assert got.keys() == {int(row["stream"]) for row in want}
    for row in want:
        mine = got[int(row["stream"])]
        ours = counts(mine)
        assert ours == {name: int(row[name]) for name in ours}, f"stream {row['stream']}"
        off = abs(int(mine["wireshark_acked_unseen"]) - int(row["ack_lost_segment"]))
        assert off <= ACKED_UNSEEN.get(capture.name, 0), f"stream {row['stream']}"


@pytest.mark.each_file("expected", EXPECTED)
def test_the_handshake_takes_as_long_as_tshark_says(expected: Path) -> None:
    capture = capture_of(expected)
    if capture.name in REFUSED or capture.name in EXCUSED:
        pytest.skip("see the other test")
    got = {row["connection"]: row for row in connections(capture).iter_rows(named=True)}
    for row in rows(expected):
        halves = [got[int(row["stream"])][f"handshake_to_{end}"] for end in ("server", "client")]
        # tshark counts from the last SYN, even one that was sent after the answer.
        if row["initial_rtt_s"] and row["syn"] == "2" and None not in halves:
            whole = sum(round(half.total_seconds() * 1e6) for half in halves)
            wanted = (nanoseconds(row["initial_rtt_s"]) or 0) / 1e3
            assert abs(whole - wanted) <= 2, f"stream {row['stream']}"


def differing(capture: Path) -> set[str]:
    """Which of badhop's own counts are not those of Wireshark's labels."""
    frame = connections(capture)
    label = pl.col("^wireshark_.*$")
    totals = frame.select(
        label.sum(),
        pl.col("^(dup_acks|out_of_order|keep_alives|zero_window_probes|skips|acked_unseen|syn_retries)$").sum(),
        pl.col("^retransmissions_(client|server)$").sum(),
    ).row(0, named=True)
    pairs = {
        "dup_acks": (totals["dup_acks"], totals["wireshark_dup_acks"]),
        "out_of_order": (totals["out_of_order"], totals["wireshark_out_of_order"]),
        "retransmissions": (
            totals["retransmissions_client"] + totals["retransmissions_server"] + totals["syn_retries"],
            sum(totals[f"wireshark_{kind}retransmissions"] for kind in ("", "fast_", "spurious_")),
        ),
        "keep_alives": (totals["keep_alives"], totals["wireshark_keep_alives"]),
        "zero_window_probes": (totals["zero_window_probes"], totals["wireshark_zero_window_probes"]),
        "skips": (totals["skips"], totals["wireshark_lost_segments"]),
        "acked_unseen": (totals["acked_unseen"], totals["wireshark_acked_unseen"]),
    }
    assert pairs.keys() == OURS.keys()
    return {name for name, (ours, theirs) in pairs.items() if ours != theirs}


@pytest.mark.each_file("expected", EXPECTED)
def test_where_badhop_counts_otherwise_it_is_listed(expected: Path) -> None:
    capture = capture_of(expected)
    if capture.name in REFUSED or capture.name in EXCUSED:
        pytest.skip("see the other test")
    assert differing(capture) == {name for name, files in OURS_DIFFER.items() if capture.name in files}


def test_the_tables_of_differences_name_columns_that_exist() -> None:
    tables = {table["name"]: table["columns"] for table in _core.tables()}
    declared = {name for name, *_ in tables["tcp_connections"]}
    assert set(LABELS.values()) <= declared
