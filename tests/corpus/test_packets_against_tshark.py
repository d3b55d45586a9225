"""The container level against tshark, packet by packet: number, time, lengths, interface."""

import json
from pathlib import Path

import polars as pl
import pytest

from badhop import scan_capture
from badhop.errors import Unreadable
from corpus.truth import DIFFERS, NO_PACKETS, REFUSED, capture_of, nanoseconds, number, rows


@pytest.mark.each_file("expected", "corpus/expected/packets/*.tsv")
def test_each_packet_has_tsharks_number_time_and_lengths(expected: Path) -> None:
    capture = capture_of(expected)
    _skip_if_absent(capture)
    if capture.name in REFUSED:
        with pytest.raises(Unreadable):
            scan_capture(capture)
        return
    schema = dict.fromkeys(("frame", "ts", "captured_len", "wire_len", "interface"), pl.Int64)
    want = pl.DataFrame(
        [
            [
                number(row["no"]),
                nanoseconds(row["time_epoch"]),
                number(row["cap_len"]),
                number(row["len"]),
                number(row["if_id"]) or 0,
            ]
            for row in rows(expected)
        ],
        schema=schema,
        orient="row",
    ).filter(~pl.col("frame").is_in(list(NO_PACKETS.get(capture.name, ()))))
    got = scan_capture(capture).select(pl.col(name).cast(pl.Int64) for name in schema).head(want.height).collect()
    differ = {name for name in schema if not got[name].equals(want[name], null_equal=True)}
    assert differ == DIFFERS.get(capture.name, (frozenset(), ""))[0]


@pytest.mark.each_file("expected", "corpus/expected/summary/*.json")
def test_the_whole_file_has_tsharks_packets_and_bytes(expected: Path) -> None:
    capture = capture_of(expected)
    _skip_if_absent(capture)
    summary = json.loads(expected.read_text())
    if not summary["readable"]:
        pytest.skip("tshark cannot read it either")
    if capture.name in REFUSED:
        pytest.skip("refused, which the test above looks at")
    packets = scan_capture(capture).select("frame", "captured_len", "wire_len").collect()
    count = packets.height + len(NO_PACKETS.get(capture.name, ()))
    if summary["tshark_rc"] != 0:  # it stopped at damage; badhop may come further, never less far
        assert count >= summary["packets"]
        return
    assert count == summary["packets"]
    if capture.name not in DIFFERS and capture.name not in NO_PACKETS:
        assert packets["captured_len"].sum() == summary.get("bytes_captured", 0)
        assert packets["wire_len"].sum() == summary.get("bytes_on_wire", 0)


def _skip_if_absent(capture: Path) -> None:
    """The corpus describes two files that it does not hold."""
    if not capture.exists():
        pytest.skip("the corpus does not hold this file")
