"""A capture as a lazy frame: what a query does not need is not read, and the rest is right."""

import bz2
import gzip
import lzma
from collections.abc import Callable, Sequence
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from badhop import _core, scan_capture
from badhop.errors import Unreadable
from raw_capture import ack, ipv4_udp, pcap, pfc, roce


@pytest.fixture
def capture(tmp_path: Path) -> Path:
    """Frames 1 to 3 are SENDs, 4 acknowledges them, 5 is DNS, 6 pauses priority 3."""
    sends = [roce(4, 0x12, psn) for psn in (100, 101, 102)]
    return pcap(
        tmp_path / "tor.pcap",
        [*sends, ack(0x11, 102), ipv4_udp(b"query", 5353, 53), pfc(8, [0, 0, 0, 9, 0, 0, 0, 0])],
    )


class Asked:
    """What was asked of the reader: columns and limit of each scan, and how many batches were taken."""

    def __init__(self) -> None:
        self.columns: list[Sequence[str] | None] = []
        self.limits: list[int | None] = []
        self.batches = 0


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    asked = Asked()
    scan = _core.scan

    def watched(
        path: Path, table: str, source: str, columns: list[str] | None, batch_rows: int, limit: int | None
    ) -> object:
        asked.columns.append(columns)
        asked.limits.append(limit)
        for frame in scan(path, table, source, columns, min(batch_rows, 1), limit):
            asked.batches += 1
            yield frame

    monkeypatch.setattr(_core, "scan", watched)
    return asked


def test_packets_has_a_row_for_each_packet(capture: Path) -> None:
    got = scan_capture(capture).select("source", "frame", "kind", "dport").collect()
    kinds = ["roce", "roce", "roce", "roce", "udp", "pfc"]
    assert got["kind"].to_list() == kinds
    assert got["frame"].to_list() == [1, 2, 3, 4, 5, 6]
    assert got["dport"].to_list() == [4791, 4791, 4791, 4791, 53, None]
    assert set(got["source"]) == {"tor.pcap"}


def test_roce_has_the_rdma_packets_only(capture: Path) -> None:
    got = scan_capture(capture, "roce").select("frame", "opcode", "dest_qp", "psn", "syndrome", "src").collect()
    assert got.rows() == [
        (1, 4, 0x12, 100, None, "192.0.2.1"),
        (2, 4, 0x12, 101, None, "192.0.2.1"),
        (3, 4, 0x12, 102, None, "192.0.2.1"),
        (4, 0x11, 0x11, 102, 0x1F, "192.0.2.1"),
    ]


def test_pauses_has_the_pause_frames_only(capture: Path) -> None:
    got = scan_capture(capture, "pauses").select("frame", "sender", "enabled", "quanta_3", "quanta_4").collect()
    assert got.rows() == [(6, "02:00:00:00:00:01", 8, 9, None)]


def test_times_keep_their_nanoseconds(capture: Path) -> None:
    times = scan_capture(capture).select(pl.col("ts").dt.to_string("%Y-%m-%d %H:%M:%S%.9f")).collect()["ts"]
    assert times[1] == "2023-11-14 22:13:20.000001000"


def test_the_source_can_be_named(capture: Path) -> None:
    assert set(scan_capture(capture, source="rack 4").collect()["source"]) == {"rack 4"}


def test_only_the_columns_of_the_query_are_built(capture: Path, asked: Asked) -> None:
    scan_capture(capture, "roce").filter(pl.col("opcode") == 4).select("psn").collect()
    assert [sorted(columns or ()) for columns in asked.columns] == [["opcode", "psn"]]


def test_columns_come_as_selected(capture: Path) -> None:
    assert scan_capture(capture, "roce").select("psn", "frame", "src").collect().columns == ["psn", "frame", "src"]


def test_a_filter_gives_the_same_pushed_down_or_not(capture: Path) -> None:
    scan = scan_capture(capture, "roce")
    wanted = (pl.col("psn") > 100) & pl.col("syndrome").is_null()
    pushed = scan.filter(wanted)
    assert "SELECTION" in pushed.explain()
    assert_frame_equal(pushed.collect(), scan.collect().filter(wanted))
    assert pushed.collect()["frame"].to_list() == [2, 3]


def test_a_head_stops_the_reader(capture: Path, asked: Asked) -> None:
    got = scan_capture(capture).head(2).collect()
    assert got["frame"].to_list() == [1, 2]
    assert asked.limits == [2]
    assert asked.batches == 2


def test_a_head_counts_rows_after_the_filter(capture: Path) -> None:
    got = scan_capture(capture).filter(pl.col("kind") != "roce").head(1).collect()
    assert got["frame"].to_list() == [5]


def test_a_scan_can_be_collected_twice(capture: Path) -> None:
    scan = scan_capture(capture, "roce")
    first, second = scan.collect(), scan.collect()
    assert first.height == 4
    assert_frame_equal(first, second)


@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_both_engines_of_polars_agree(capture: Path, engine: str) -> None:
    query = scan_capture(capture, "roce").filter(pl.col("psn") >= 101).select("frame")
    assert query.collect(engine=engine)["frame"].to_list() == [2, 3, 4]  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("sql", "rows"),
    [
        ("SELECT count(*) FROM packets", [(6,)]),
        ("SELECT psn FROM roce WHERE opcode_name = 'RC SEND_ONLY' ORDER BY frame LIMIT 2", [(100,), (101,)]),
        ("SELECT frame FROM packets WHERE ts > TIMESTAMP '2023-11-14 22:13:20.000004'", [(6,)]),
        ("SELECT a.frame, b.frame FROM roce a JOIN roce b ON a.psn = b.psn AND a.frame < b.frame", [(3, 4)]),
        ("SELECT p.frame FROM packets p LEFT JOIN roce r ON p.frame = r.frame WHERE r.psn IS NULL", [(5,), (6,)]),
    ],
)
def test_sql_runs_over_scans(capture: Path, sql: str, rows: list[tuple[int, ...]]) -> None:
    with pl.SQLContext(packets=scan_capture(capture), roce=scan_capture(capture, "roce")) as context:
        assert sorted(context.execute(sql).collect().rows()) == rows


def test_scans_of_several_captures_are_one_table(capture: Path, tmp_path: Path) -> None:
    other = pcap(tmp_path / "nic.pcap", [roce(4, 0x12, 7)])
    both = pl.concat([scan_capture(capture, "roce"), scan_capture(other, "roce")])
    assert both.filter(pl.col("psn") < 101).select("source", "psn").collect().rows() == [
        ("tor.pcap", 100),
        ("nic.pcap", 7),
    ]


def test_a_table_without_rows_keeps_its_columns(tmp_path: Path) -> None:
    got = scan_capture(pcap(tmp_path / "quiet.pcap", []), "roce").select("frame", "src").collect()
    assert got.schema == {"frame": pl.UInt64, "src": pl.String}
    assert got.height == 0


@pytest.mark.parametrize(
    ("kind", "pack"),
    [
        ("pcap+gzip", gzip.compress),
        ("pcap+bzip2", bz2.compress),
        ("pcap+xz", lzma.compress),
        ("pcap+bzip2+xz", lambda content: lzma.compress(bz2.compress(content))),
    ],
)
def test_a_compressed_file_is_read_as_the_file_inside(
    kind: str, pack: Callable[[bytes], bytes], capture: Path, tmp_path: Path
) -> None:
    compressed = tmp_path / "tor.packed"  # known by content: the name says nothing
    compressed.write_bytes(pack(capture.read_bytes()))
    assert _core.container(compressed) == kind
    assert_frame_equal(
        scan_capture(compressed, source="tor").collect(),
        scan_capture(capture, source="tor").collect(),
    )


def test_of_a_cut_file_the_rows_before_the_cut_are_there(capture: Path) -> None:
    capture.write_bytes(capture.read_bytes()[:-20])
    assert scan_capture(capture).collect()["frame"].to_list() == [1, 2, 3, 4, 5]


def test_a_packet_cut_by_the_snap_length_is_a_row_with_a_reason(tmp_path: Path) -> None:
    cut = pcap(tmp_path / "short.pcap", [roce(4, 0x12, 1)], snap_len=30)
    row = scan_capture(cut).collect().row(0, named=True)
    assert (row["captured_len"], row["wire_len"]) == (30, 58)
    assert row["stopped"] is not None
    assert "IPv4" in row["stopped"]


def test_nothing_is_read_before_collect(capture: Path, asked: Asked) -> None:
    scan_capture(capture).filter(pl.col("frame") > 1).select("ts")
    assert asked.columns == []


def test_a_file_that_is_no_capture_is_told_at_once(tmp_path: Path) -> None:
    log = tmp_path / "dmesg.txt"
    log.write_text("[    0.000000] Linux version 6.1.0\n")
    with pytest.raises(Unreadable) as raised:
        scan_capture(log)
    assert raised.value.path == log
    assert raised.value.place == "byte 0"
    assert raised.value.next_step
    assert str(log) in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_missing_file_is_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="No such file"):
        scan_capture(tmp_path / "gone.pcap")


def test_an_unknown_table_is_answered_with_those_there_are(capture: Path) -> None:
    with pytest.raises(ValueError, match="'roce_qps' is no table of packets; these are: packets, roce, pauses"):
        scan_capture(capture, "roce_qps")


def test_an_unknown_column_is_answered_with_those_there_are(capture: Path) -> None:
    with pytest.raises(pl.exceptions.ColumnNotFoundError, match="dest_qp"):
        scan_capture(capture, "roce").select("qpn").collect()
