"""How values look in a table."""

from datetime import timedelta

import polars as pl
import pytest

from badhop.ui import cells


def test_times_keep_their_nanoseconds_and_are_utc() -> None:
    frame = pl.DataFrame({"ts": [1_700_000_000_123_456_789]}, schema={"ts": pl.Datetime("ns")})
    assert cells.page(frame) == [("22:13:20.123456789",)]
    assert cells.row(frame, 0) == [("ts", "2023-11-14 22:13:20.123456789 UTC")]


@pytest.mark.parametrize(
    ("ns", "text"),
    [(0, "0 ns"), (999, "999 ns"), (1_500, "1.500 us"), (-2_000_000, "-2.000 ms"), (3_000_000_000, "3.000 s")],
)
def test_a_duration_is_in_the_unit_that_reads_best(ns: int, text: str) -> None:
    frame = pl.DataFrame({"wait": [ns]}, schema={"wait": pl.Duration("ns")})
    assert cells.page(frame) == [(text,)]


def test_durations_of_coarser_units_are_not_a_thousand_times_too_short() -> None:
    assert cells.page(pl.DataFrame({"wait": [timedelta(milliseconds=2)]})) == [("2.000 ms",)]


def test_an_unknown_value_is_neither_zero_nor_empty() -> None:
    frame = pl.DataFrame({"a": [None, 0], "b": [None, ""]}, schema={"a": pl.UInt32, "b": pl.String})
    assert cells.page(frame) == [("-", "-"), ("0", "")]


def test_a_time_beyond_the_calendar_is_shown_as_a_number() -> None:
    frame = pl.DataFrame({"ts": [2**62]}, schema={"ts": pl.Datetime("ms")})
    assert cells.page(frame)[0][0].isdigit()


def test_lists_flags_and_bytes_are_text() -> None:
    frame = pl.DataFrame({"frames": [[3, 9]], "ack": [True], "raw": [b"\x1b["]})
    assert cells.page(frame) == [("3, 9", "yes", "1b5b")]


def test_hostile_text_is_escaped_and_markup_is_only_text() -> None:
    frame = pl.DataFrame({"what": ["\x1b]0;owned\x07", "\u202egnp.exe", "[red]x[/red]"], "in a list": [["\x1b"]] * 3})
    assert cells.page(frame) == [
        ("\\x1b]0;owned\\x07", "\\x1b"),
        ("\\u202egnp.exe", "\\x1b"),
        ("[red]x[/red]", "\\x1b"),
    ]
