"""The line protocol of Influx: points of Telegraf as metrics, and as counters where fields are a driver's names."""

from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from badhop.tables import counters, metrics
from outputs.claimed import of_file, of_text, rows

TEXT = (
    "# written by telegraf\n"
    "ethtool,driver=mlx5_core,host=h12,interface=eth2 rx_prio3_pause=5i,odd=7i,link=t 1764547200000000000\n"
    'cpu,cpu=cpu-total,host=h12 usage_idle=98.5,state="so so" 1764547200000000000\n'
    "ethtool,driver=mlx5_core,host=h12,interface=eth2 rx_prio3_pause=9i 1764547201000000000\n"
)


def test_points_become_metrics_with_their_tags() -> None:
    told = of_text(TEXT)
    assert told is not None
    assert told.kinds == ("Influx line protocol",)
    found = rows(told, metrics.TABLE, "line", "host", "device", "metric", "ts", "sample", "value")
    assert found == [
        (2, "h12", "eth2", "ethtool_rx_prio3_pause", datetime(2025, 12, 1), 1, 5.0),
        (2, "h12", "eth2", "ethtool_odd", datetime(2025, 12, 1), 1, 7.0),
        (2, "h12", "eth2", "ethtool_link", datetime(2025, 12, 1), 1, 1.0),
        (3, "h12", None, "cpu_usage_idle", datetime(2025, 12, 1), 1, 98.5),
        (4, "h12", "eth2", "ethtool_rx_prio3_pause", datetime(2025, 12, 1, 0, 0, 1), 2, 9.0),
    ]
    assert rows(told, metrics.TABLE, "labels")[0] == ('driver="mlx5_core",host="h12",interface="eth2"',)


def test_what_ethtool_says_through_telegraf_is_a_counter_under_our_name() -> None:
    found = rows(of_text(TEXT), counters.TABLE, "line", "device", "raw_name", "name", "priority", "value")
    assert found == [
        (2, "eth2", "rx_prio3_pause", "pause_frames", 3, 5.0),
        (2, "eth2", "odd", None, None, 7.0),
        (2, "eth2", "link", None, None, 1.0),
        (4, "eth2", "rx_prio3_pause", "pause_frames", 3, 9.0),
    ]


def test_a_line_that_is_cut_is_a_problem_with_its_number() -> None:
    told = of_text(TEXT[: TEXT.rindex("=9i")])
    assert told is not None
    assert [problem["line"] for problem in told.problems if "no point" in problem["what"]] == [4]
    assert told.rows["metrics"] == 4


def test_logs_with_equals_signs_are_no_points() -> None:
    for text in ("level=info msg=x 1764547200000\n", "time=1,a=2 b=3\n", "up 5 1764547200000000000\n"):
        told = of_text(text)
        assert told is None or "Influx line protocol" not in told.kinds


@pytest.mark.each_file("path", "corpus/text/*/*")
def test_no_file_of_the_corpus_is_taken_for_points_or_an_answer(path: Path) -> None:
    told = of_file(path)
    assert told is None or not {"Influx line protocol", "Prometheus API answer"} & set(told.kinds)


@settings(deadline=None)
@given(st.text(max_size=60), st.integers(0, len(TEXT)))
def test_any_text_in_the_middle_raises_nothing(middle: str, at: int) -> None:
    of_text(TEXT[:at] + middle + TEXT[at:])
