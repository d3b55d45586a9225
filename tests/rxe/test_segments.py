"""Real Soft-RoCE runs, all taps of each read together: where `segments` says that packets were lost is where they were
dropped, packet by packet, and the clocks lie inside their bounds. Nobody tells the order of the taps."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from badhop import _core

TAPS = ("s_mid", "b", "a", "s_out", "s_in")
"""In no order that would help."""


def compared(run: Path) -> tuple[dict[str, Any], dict[str, pl.DataFrame]]:
    captures = [(run / f"{tap}.pcap", tap) for tap in TAPS if (run / f"{tap}.pcap").exists()]
    tables = {name: pl.DataFrame(frame) for name, frame in _core.compare_taps(captures).items()}
    return json.loads((run / "truth.json").read_text()), tables


def host_of(truth: dict[str, Any], address: str) -> str:
    """`A` or `B`; runs with VLANs have addresses that the truth does not list, which end in the same number."""
    known = {hosts[kind]: name for name, hosts in truth["hosts"].items() for kind in ("ip", "ip6")}
    return known.get(address) or {"1": "A", "2": "B"}[address[-1]]


@pytest.mark.each_file("file", "rxe/runs/*/truth.json")
def test_losses_are_found_between_the_taps_where_they_happened(file: Path) -> None:
    truth, tables = compared(file.parent)
    rdma = tables["segments"].filter(pl.col("traffic") == "rdma")
    found: dict[str, int] = {}
    for row in rdma.filter(pl.col("lost") > 0).iter_rows(named=True):
        way = f"{host_of(truth, row['src'])}->{host_of(truth, row['dst'])} {row['tap_a']}->{row['tap_b']}"
        found[way] = found.get(way, 0) + row["lost"]
    assert found == {way: count for way, count in truth["on_the_wire"]["lost_between_taps"].items() if count}
    assert rdma.select(pl.sum("missing_a", "missing_b", "elsewhere")).row(0) == (0, 0, 0)
    assert tables["segment_losses"].filter(pl.col("traffic") == "rdma").height == sum(found.values())


@pytest.mark.each_file("file", "rxe/runs/*/truth.json")
def test_every_segment_is_one_of_the_path(file: Path) -> None:
    truth, tables = compared(file.parent)
    path = [tap for tap in ("a", "s_in", "s_mid", "s_out", "b") if (file.parent / f"{tap}.pcap").exists()]
    for row in tables["segments"].iter_rows(named=True):
        along = path.index(row["tap_b"]) - path.index(row["tap_a"])
        assert along == (1 if host_of(truth, row["src"]) == "A" else -1), row


@pytest.mark.each_file("file", "rxe/runs/*/truth.json")
def test_clocks_lie_inside_their_bounds(file: Path) -> None:
    """`offset_us` is what was added to a host's clock to get S's, measured to half of its round trip."""
    truth, tables = compared(file.parent)
    hosts = {"a": "A", "b": "B"}
    for row in tables["tap_clocks"].iter_rows(named=True):
        lower, upper = row["lower"], row["upper"]
        assert row["reason"] is None
        assert lower <= row["offset"] <= upper
        host = next((host for tap, host in hosts.items() if tap in (row["tap_a"], row["tap_b"])), None)
        if host is None:
            assert lower <= timedelta(0) <= upper, "the taps on S share one clock"
            continue
        for measured in truth["clock_offset_to_S_us"][host].values():
            ahead = timedelta(microseconds=measured["offset_us"]) * (1 if row["tap_a"] in hosts else -1)
            error = timedelta(microseconds=measured["rtt_us"] / 2)
            assert lower - error <= ahead <= upper + error, row


def cut(source: Path, target: Path, snap_len: int) -> None:
    """A capture as it would be with this snap length; its file header still says another one."""
    content, at = source.read_bytes(), 24
    kept = bytearray(content[:at])
    while at < len(content):
        header, stored = content[at : at + 16], int.from_bytes(content[at + 8 : at + 12], "little")
        length = min(stored, snap_len)
        kept += header[:8] + length.to_bytes(4, "little") + header[12:] + content[at + 16 : at + 16 + length]
        at += 16 + stored
    target.write_bytes(kept)


@pytest.mark.each_file("file", "rxe/runs/*/truth.json")
def test_captures_of_different_snap_lengths_tell_the_same(file: Path, tmp_path: Path) -> None:
    def told(captures: list[tuple[Path, str]]) -> pl.DataFrame:
        columns = ("tap_a", "tap_b", "src", "dst", "traffic", "sent", "matched", "lost", "missing_a", "missing_b")
        return pl.DataFrame(_core.compare_taps(captures)["segments"]).select(columns).sort(columns[:5])

    whole = [(file.with_name(f"{tap}.pcap"), tap) for tap in TAPS if file.with_name(f"{tap}.pcap").exists()]
    for (path, tap), snap_len in zip(whole, (78, 128, 90, 84, 100), strict=False):
        cut(path, tmp_path / tap, snap_len)
    assert_frame_equal(told(whole), told([(tmp_path / tap, tap) for _, tap in whole]))


def test_a_capture_that_stored_too_little_is_left_out_and_says_so(corpus: Path, tmp_path: Path) -> None:
    run = corpus / "rxe/runs/01-healthy-write"
    cut(run / "s_mid.pcap", tmp_path / "short.pcap", 50)
    captures = [(run / "a.pcap", "a"), (tmp_path / "short.pcap", "short"), (run / "b.pcap", "b")]
    tables = {name: pl.DataFrame(frame) for name, frame in _core.compare_taps(captures).items()}
    assert set(tables["segments"]["tap_a"]) == {"a", "b"}
    assert tables["segments"]["lost"].sum() == 0
    [reason] = tables["tap_clocks"].filter(tap_a="short")["reason"]
    assert "too little was stored" in reason


COUNTED = {
    "33": ("doubled", 29),
    "35": ("damaged", 7),
    "37": ("marked", 55),
    "68": ("damaged", 6),
}
"""Run, what was done to packets without losing them, and how often by its counters."""


@pytest.mark.each_file("file", "rxe/runs/*/truth.json")
def test_what_was_changed_and_not_lost_is_counted_on_the_way_out_of_the_switch(file: Path) -> None:
    _, tables = compared(file.parent)
    columns = ("doubled", "damaged", "marked")
    column, count = COUNTED.get(file.parent.name[:2], ("", 0))
    for row in tables["segments"].filter(pl.col("traffic") == "rdma").iter_rows(named=True):
        on_the_way_out = (row["tap_a"], row["tap_b"]) == ("s_mid", "s_out")
        assert {name: row[name] for name in columns} == {
            name: count if on_the_way_out and name == column else 0 for name in columns
        }
