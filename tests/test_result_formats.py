"""Rows of a query: readable as a table, exact as data, harmless in a terminal."""

import io
import json
from datetime import datetime
from pathlib import Path

import polars as pl
import pytest

from badhop.formats import RowFormat
from badhop.result_formats import duration, save, write

FRAME = pl.DataFrame(
    {
        "name": ["tor.pcap", "\x1b[31mred\n\u202e\x7f\U000e0001", None],
        "at": pl.Series([1_700_000_000_000_000_001, None, 0]).cast(pl.Datetime("ns")),
        "wait": pl.Series([67_108_864, 1_500, None]).cast(pl.Duration("ns")),
        "count": pl.Series([18_446_744_073_709_551_615, 1, None], dtype=pl.UInt64),
        "share": [0.123456789, float("nan"), None],
        "lost": [True, False, None],
        "frames": [[1, 2], [], None],
    }
)


def written(form: RowFormat, frame: pl.DataFrame = FRAME) -> str:
    stream = io.StringIO()
    write(frame, form, stream)
    return stream.getvalue()


def test_a_table_has_a_header_aligned_cells_and_readable_values() -> None:
    header, rule, first, *_ = written(RowFormat.TABLE).split("\n")
    assert header.split() == FRAME.columns
    assert set(rule) == {"-", " "}
    assert "2023-11-14T22:13:20.000000001Z" in first
    assert "67.11 ms" in first
    assert "0.123457" in first
    assert "[1, 2]" in first
    assert header.index("count") + len("count") == first.index("18446744073709551615") + 20


def test_unknown_is_null_and_not_nothing() -> None:
    assert written(RowFormat.TABLE).rstrip("\n").split("\n")[-1].split() == [
        "null",
        "1970-01-01T00:00:00.000000000Z",
        *["null"] * 5,
    ]


@pytest.mark.parametrize("form", [RowFormat.TABLE, RowFormat.CSV, RowFormat.JSON])
def test_no_text_of_a_row_reaches_the_terminal_unescaped(form: RowFormat) -> None:
    assert all(char.isprintable() or char == "\n" for char in written(form))


@pytest.mark.parametrize("form", [RowFormat.TABLE, RowFormat.CSV, RowFormat.JSON])
def test_no_column_name_reaches_the_terminal_unescaped(form: RowFormat) -> None:
    assert "\x1b" not in written(form, pl.DataFrame({"\x1b[2J": [1]}))


def test_json_is_one_array_of_rows_with_exact_values() -> None:
    rows = json.loads(written(RowFormat.JSON))
    assert rows[0] == {
        "name": "tor.pcap",
        "at": "2023-11-14T22:13:20.000000001Z",
        "wait": 67_108_864,
        "count": 18_446_744_073_709_551_615,
        "share": 0.123456789,
        "lost": True,
        "frames": [1, 2],
    }
    assert rows[1]["name"] == "\x1b[31mred\n\u202e\x7f\U000e0001"
    assert rows[1]["share"] is None
    assert set(rows[2].values()) == {None, "1970-01-01T00:00:00.000000000Z"}


def test_no_rows_are_an_empty_array_and_a_bare_header() -> None:
    assert json.loads(written(RowFormat.JSON, FRAME.clear())) == []
    assert written(RowFormat.TABLE, FRAME.clear()).split("\n")[0].split() == FRAME.columns


def test_other_types_than_those_of_the_tables_can_be_written_too() -> None:
    odd = pl.DataFrame(
        {
            "day": [datetime(2026, 1, 2).date()],
            "bytes": [b"\x00\xff"],
            "pair": [{"a": 1, "b": "x"}],
            "money": pl.Series(["1.50"]).cast(pl.Decimal(10, 2)),
            "times": pl.Series([[0]]).cast(pl.List(pl.Datetime("ns"))),
        }
    )
    assert json.loads(written(RowFormat.JSON, odd))[0]["bytes"] == "00ff"
    assert "00ff" in written(RowFormat.CSV, odd)
    assert "00ff" in written(RowFormat.TABLE, odd)


def test_csv_can_be_read_back() -> None:
    got = pl.read_csv(io.StringIO(written(RowFormat.CSV)))
    assert got["wait"].to_list() == [67_108_864, 1_500, None]
    assert got["frames"].to_list() == ["[1, 2]", "[]", None]


@pytest.mark.parametrize("form", [RowFormat.CSV, RowFormat.PARQUET, RowFormat.JSON, RowFormat.TABLE])
def test_every_format_can_go_into_a_file(form: RowFormat, tmp_path: Path) -> None:
    path = tmp_path / "rows"
    save(FRAME, form, path)
    assert path.stat().st_size > 0


def test_parquet_holds_the_rows_as_they_are(tmp_path: Path) -> None:
    save(FRAME, RowFormat.PARQUET, tmp_path / "rows.parquet")
    assert pl.read_parquet(tmp_path / "rows.parquet").equals(FRAME)


@pytest.mark.parametrize(
    ("nanoseconds", "text"),
    [(0, "0 ns"), (999, "999 ns"), (1_000, "1 us"), (67_108_864, "67.11 ms"), (4.295e9, "4.295 s")],
)
def test_a_duration_is_shown_in_the_unit_that_fits(nanoseconds: float, text: str) -> None:
    assert duration(nanoseconds) == text


def test_a_large_result_is_written_page_by_page_and_complete() -> None:
    many = pl.DataFrame({"n": range(10_000)})
    assert len(json.loads(written(RowFormat.JSON, many))) == 10_000
    assert written(RowFormat.TABLE, many).count("\n") == 10_002


def test_a_large_csv_is_complete_with_one_header_and_an_empty_one_has_its_header() -> None:
    many = pl.DataFrame({"n": range(10_000)})
    assert written(RowFormat.CSV, many).split("\n") == ["n", *map(str, range(10_000)), ""]
    assert written(RowFormat.CSV, many.clear()) == "n\n"


@pytest.mark.parametrize("form", list(RowFormat))
def test_a_full_disk_is_an_error_of_the_disk(form: RowFormat) -> None:
    with pytest.raises(OSError, match="No space left"):
        save(pl.DataFrame({"n": range(10_000)}), form, Path("/dev/full"))
