"""Counters in the neutral form: CSV, JSON lines and Parquet, long and wide, tidy and not."""

import io
import json
from datetime import datetime
from pathlib import Path, PurePath

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from badhop.sources.outputs import read_output
from badhop.sources.outputs.content import member
from badhop.sources.outputs.kinds.neutral import neutral_counters, thinning
from badhop.tables import counters
from outputs.claimed import of_file, of_text, rows

FIRST, SECOND = datetime(2025, 12, 1), datetime(2025, 12, 1, 0, 0, 1)
LONG = (
    "ts,device,name,value,priority\n"
    "2025-12-01T00:00:00Z,h12/eth2,rx_prio3_pause,5,\n"
    "2025-12-01T00:00:00Z,mlx5_0/1,odd_name,N/A,4\n"
    "2025-12-01T00:00:01Z,h12/eth2,rx_prio3_pause,7.5,\n"
)
COLUMNS = ("line", "host", "device", "ts", "sample", "raw_name", "name", "priority", "value", "unit")
LONG_ROWS = [
    (2, "h12", "eth2", FIRST, 1, "rx_prio3_pause", "pause_frames", 3, 5.0, "frames"),
    (3, None, "mlx5_0/1", FIRST, 1, "odd_name", None, 4, None, None),
    (4, "h12", "eth2", SECOND, 2, "rx_prio3_pause", "pause_frames", 3, 7.5, "frames"),
]


def test_the_long_form_has_a_reading_a_row() -> None:
    told = of_text(LONG)
    assert told is not None
    assert told.kinds == ("counters as CSV",)
    assert rows(told, counters.TABLE, *COLUMNS) == LONG_ROWS
    assert [problem["what"] for problem in told.problems] == ["1 counter name is not in the vocabulary: odd_name"]


def test_json_lines_tell_the_same_as_csv() -> None:
    table = pl.read_csv(LONG.encode(), null_values=["N/A"])
    lines = "".join(json.dumps(row) + "\n" for row in table.rows(named=True))
    told = of_text(lines)
    assert told is not None
    assert told.kinds == ("counters as JSON lines",)
    assert rows(told, counters.TABLE, *COLUMNS[1:]) == [row[1:] for row in LONG_ROWS]
    assert rows(told, counters.TABLE, "line") == [(1,), (2,), (3,)]


def test_parquet_tells_the_same_without_lines() -> None:
    table = pl.read_csv(LONG.encode(), null_values=["N/A"], try_parse_dates=True)
    file = io.BytesIO()
    table.write_parquet(file)
    told = read_output(member("a.tar", PurePath("x.parquet"), file.getvalue(), None))
    assert told is not None
    assert told.kinds == ("counters as Parquet",)
    assert rows(told, counters.TABLE, *COLUMNS) == [(None, *row[1:]) for row in LONG_ROWS]


def test_a_damaged_parquet_is_a_problem_and_never_an_exception() -> None:
    file = io.BytesIO()
    pl.read_csv(LONG.encode(), null_values=["N/A"]).write_parquet(file)
    whole = file.getvalue()
    for length in range(4, len(whole), 40):
        hurt = whole[: length // 2] + whole[length // 2 + 3 :]
        told = read_output(member("a.tar", PurePath("x.parquet"), hurt, None))
        assert told is None or told.problems


WIDE = (
    "ts_us,port,rx_prio3_pause,tx_prio3_pause\n"
    "1764547200000000,p0,1,2\n1764547200000000,p1,3,4\n1764547201000000,p0,5,6\n"
)


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_the_wide_form_has_many_counters_a_row(form: str, tmp_path: Path) -> None:
    text = WIDE if form == "csv" else "".join(json.dumps(r) + "\n" for r in pl.read_csv(WIDE.encode()).rows(named=True))
    path = tmp_path / "stream"
    path.write_text(text)
    first = 2 if form == "csv" else 1
    told = of_file(path, "h7/stream")
    found = rows(told, counters.TABLE, "line", "host", "device", "ts", "ts_from", "sample", "direction", "value")
    assert sorted(found) == [
        (first, "h7", "p0", FIRST, "line", 1, "rx", 1.0),
        (first, "h7", "p0", FIRST, "line", 1, "tx", 2.0),
        (first + 1, "h7", "p1", FIRST, "line", 1, "rx", 3.0),
        (first + 1, "h7", "p1", FIRST, "line", 1, "tx", 4.0),
        (first + 2, "h7", "p0", SECOND, "line", 2, "rx", 5.0),
        (first + 2, "h7", "p0", SECOND, "line", 2, "tx", 6.0),
    ]


@pytest.mark.parametrize(
    "time", ["1764547200", "1764547200.0", "1764547200000", "1764547200000000", "1764547200000000000"]
)
def test_a_time_since_1970_is_read_by_its_size(time: str) -> None:
    assert rows(of_text(f"ts,device,name,value\n{time},eth0,a,1\n"), counters.TABLE, "ts") == [(FIRST,)]


@pytest.mark.parametrize("time", ["12.5", "3", "yesterday", ""])
def test_a_time_that_may_count_from_anything_is_null_and_said(time: str) -> None:
    told = of_text(f"ts,device,name,value\n{time},eth0,a,1\n1764547200,eth0,a,2\n")
    assert rows(told, counters.TABLE, "ts", "ts_from", "value") == [(None, None, 1.0), (FIRST, "line", 2.0)]
    assert told is not None
    assert "1 rows have no time that can be read" in [problem["what"] for problem in told.problems]


def test_quotes_blanks_and_dos_line_ends_are_read_by_the_other_reader() -> None:
    odd = LONG.replace("rx_prio3_pause,5", '"rx_prio3_pause", 5').replace("\n", "\r\n")
    assert rows(of_text(odd), counters.TABLE, *COLUMNS) == LONG_ROWS


def test_a_header_that_comes_again_and_a_byte_order_mark_are_no_rows() -> None:
    again = LONG + LONG
    found = rows(of_text(again), counters.TABLE, *COLUMNS[1:4], *COLUMNS[5:])
    assert found == 2 * [(*row[1:4], *row[5:]) for row in LONG_ROWS]
    assert rows(of_text(WIDE + WIDE), counters.TABLE, "line").count((None,)) == 12
    assert rows(of_text(b"\xef\xbb\xbf" + LONG.encode()), counters.TABLE, *COLUMNS) == LONG_ROWS


def test_json_with_other_keys_or_a_null_later_on_is_read_by_the_other_reader() -> None:
    text = (
        '{"ts":1764547200,"device":"eth0","name":"a","value":1}\n'
        '{"device":"eth0","ts":1764547201,"value":null,"name":"a"}\n'
        '{"ts":1764547202,"device":"eth0","name":"a","value":3,"unit":"bytes"}\n'
    )
    assert rows(of_text(text), counters.TABLE, "line", "value", "unit") == [
        (1, 1.0, None),
        (2, None, None),
        (3, 3.0, "bytes"),
    ]


def test_a_last_line_that_is_cut_is_a_problem_and_no_row() -> None:
    told = of_text(WIDE[:-3])
    assert told is not None
    assert ("the last line is cut", 4) in [(problem["what"], problem["line"]) for problem in told.problems]
    assert len(rows(told, counters.TABLE, "value")) == 4


def test_other_tables_are_not_taken_for_counters() -> None:
    for text in (
        "timestamp,name,index,utilization.gpu [%]\n2025/12/01 00:00:00.000,NVIDIA H100,0,5 %\n",  # nvidia-smi
        "time,port,status\n1764547200,p0,up\n",
        '{"time":1764547200,"port":8080,"latency":1.5}\n',
        "ts,device,name\n1764547200,eth0,a\n",
        '{"ts":1,"device":"eth0","name":"a","value":{"x":1}}\n{',
        "ts,device,name,value\n",
    ):
        told = of_text(text)
        assert told is None or not any(kind.startswith("counters as") for kind in told.kinds), text


@pytest.mark.each_file("path", "corpus/text/*/*")
def test_no_file_of_the_corpus_is_taken_for_the_neutral_form(path: Path) -> None:
    told = of_file(path)
    assert told is None or not any(kind.startswith("counters as") for kind in told.kinds)


def test_too_many_readings_are_thinned_evenly_and_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neutral_counters, "MOST_ROWS", 8)
    monkeypatch.setattr(thinning, "MOST_ROWS", 8)
    lines = "".join(f"{1764547200 + tick},{port},{tick},7\n" for tick in range(6) for port in ("p0", "p1"))
    told = of_text("ts,port,rx_prio3_pause,tx_prio3_pause\n" + lines)
    assert told is not None
    found = sorted(rows(told, counters.TABLE, "device", "sample", "value", "direction"))
    assert [row for row in found if row[3] == "rx"] == [
        ("p0", 1, 0.0, "rx"),
        ("p0", 4, 3.0, "rx"),
        ("p1", 1, 0.0, "rx"),
        ("p1", 4, 3.0, "rx"),
    ]
    assert "24 readings are more than 8" in told.problems[0]["what"]


@settings(deadline=None)
@given(st.text(max_size=60), st.integers(0, len(WIDE)))
def test_any_text_in_the_middle_raises_nothing(middle: str, at: int) -> None:
    told = of_text(WIDE[:at] + middle + WIDE[at:])
    for frame in (told.frames if told else {}).values():
        assert frame.height >= 0


def test_a_stream_cut_anywhere_tells_only_what_is_whole() -> None:
    whole = {row[:-1]: row[-1] for row in rows(of_text(LONG), counters.TABLE, *COLUMNS)}
    for length in range(len(LONG)):
        last = LONG[:length].count("\n") + 1
        for row in rows(of_text(LONG[:length]), counters.TABLE, *COLUMNS):
            assert row[0] == last or whole[row[:-1]] == row[-1]
