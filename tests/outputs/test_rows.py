"""Rows are completed, checked and bounded in one place."""

from pathlib import PurePath

import polars as pl
import pytest

from badhop.sources.outputs.counting import count, number
from badhop.sources.outputs.lines import Lines, Stamped
from badhop.sources.outputs.passage import Moment, Passage
from badhop.sources.outputs.rows import LONGEST_TEXT, MOST_PROBLEMS, Rows
from badhop.tables import counters

PASSAGE = Passage(PurePath("a.txt"), Lines(["x", "y"]), host="h12", taken=Moment(5, "date"))
COUNTERS = counters.TABLE


def test_source_line_host_and_time_come_by_themselves() -> None:
    rows = Rows("a.txt")
    rows.add(COUNTERS, PASSAGE, 2, raw_name="rx")
    row = rows.frames()["counters"].row(0, named=True)
    assert (row["source"], row["line"], row["host"], row["ts_from"]) == ("a.txt", 2, "h12", "date")
    assert row["value"] is None


def test_a_collector_knows_time_and_host_of_a_line_better_than_the_passage() -> None:
    passage = Passage(PurePath("a"), Lines(["x"], 7, [Stamped("x", 9, "h13")]), host="h12", taken=Moment(5, "date"))
    rows = Rows("a")
    rows.add(COUNTERS, passage, 7, raw_name="rx")
    assert rows.frames()["counters"].select(pl.col("ts").cast(pl.Int64), "host", "ts_from").row(0) == (9, "h13", "line")


def test_a_column_that_the_table_has_not_is_a_defect() -> None:
    with pytest.raises(ValueError, match="counters has no column nonsense"):
        Rows("a").add(COUNTERS, PASSAGE, 1, nonsense=1)


def test_a_frame_may_leave_columns_out() -> None:
    rows = Rows("a")
    rows.add_frame(COUNTERS, pl.DataFrame({"raw_name": ["rx", "tx"], "value": [1, 2]}))
    rows.add(COUNTERS, PASSAGE, 1, raw_name="more")
    frame = rows.frames()["counters"]
    assert frame.schema == COUNTERS.schema()
    assert frame["source"].unique().to_list() == ["a"]
    assert rows.counts() == {"counters": 3}


def test_a_text_without_end_is_cut() -> None:
    rows = Rows("a")
    rows.add(COUNTERS, PASSAGE, 1, raw_name="x" * 100_000)
    assert len(rows.frames()["counters"]["raw_name"][0]) == LONGEST_TEXT


def test_problems_are_counted_when_there_are_too_many() -> None:
    rows = Rows("a")
    for line in range(MOST_PROBLEMS + 5):
        rows.problem(line, "broken")
    assert len(rows.problems()) == MOST_PROBLEMS + 1
    assert rows.problems()[-1]["what"] == "5 more lines could not be read"


def test_names_without_meaning_are_one_problem() -> None:
    rows = Rows("a")
    for name in ("foo", "bar", "foo"):
        count(rows, PASSAGE, 1, name, "5", dialect="mlx5")
    (problem,) = rows.problems()
    assert problem["what"] == "2 counter names are not in the vocabulary: foo, bar"
    assert rows.counts() == {"counters": 3}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("5", 5),
        ("1,234,567", 1234567),
        ("0x10", 16),
        ("-3.5", -3.5),
        ("1e-9", 1e-9),
        ("N/A", None),
        ("-", None),
        ("Invalid argument", None),
    ],
)
def test_numbers_as_tools_print_them(text: str, value: float | None) -> None:
    assert number(text) == value


@pytest.mark.parametrize("text", ["1,2", "5 packets", "0xzz", "Permission denied", "1_000", "inf"])
def test_what_is_no_number_is_none_made_up(text: str) -> None:
    with pytest.raises(ValueError, match=r"is no number|invalid literal"):
        number(text)


def test_a_value_that_is_no_number_is_a_row_without_value_and_a_problem() -> None:
    rows = Rows("a")
    count(rows, PASSAGE, 1, "rx_prio3_pause", "Permission denied", dialect="mlx5")
    assert rows.frames()["counters"].select("name", "priority", "value").row(0) == ("pause_frames", 3, None)
    assert rows.problems()[0]["what"] == "rx_prio3_pause: 'Permission denied' is no number"
