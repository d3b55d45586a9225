"""Prometheus text: what is in the samples of real exporters, scrape after scrape, and what is no sample."""

import string
from datetime import datetime
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from badhop.sources.outputs.kinds.neutral import exposition
from badhop.tables import counters, metrics
from outputs.claimed import of_file, of_text, rows

OTHERS = ("infiniband_exporter__hca_test__raw1.txt", "infiniband_exporter__infiniband_exporter_test__raw1.txt")
SWITCH = "infiniband_exporter__switch_test__raw1.txt"


def test_vllm_keeps_buckets_sums_and_gauges_apart(corpus: Path) -> None:
    told = of_file(corpus / "corpus/text/vllm/vllm_gptoss20b_excerpt.prom")
    assert told is not None
    assert told.kinds == ("Prometheus text",)
    ttft, same = "vllm:time_to_first_token_seconds", 'model_name="openai/gpt-oss-20b"'
    assert rows(told, metrics.TABLE, "line", "metric", "type", "unit", "le", "value") == [
        (3, f"{ttft}_bucket", "histogram", None, 0.5, 612.0),
        (4, f"{ttft}_bucket", "histogram", None, float("inf"), 3140.0),
        (5, f"{ttft}_count", "histogram", None, None, 3140.0),
        (6, f"{ttft}_sum", "histogram", "seconds", None, 4476.2018349170685),
        (7, "vllm:num_requests_running", None, None, None, 3.0),
    ]
    assert rows(told, metrics.TABLE, "labels")[0] == (f'engine="0",le="0.5",{same}',)
    assert told.problems == []


def test_dcgm_pasted_with_the_shell_around_it_is_counters_of_gpus(corpus: Path) -> None:
    told = of_file(corpus / "corpus/text/dcgm/dcgm-exporter__README__block2.txt", "h12/dcgm.txt")
    assert rows(told, counters.TABLE, "line", "host", "device", "name", "value", "unit") == [
        (17, "h12", "gpu0", "sm_clock", 139.0, "MHz"),
        (18, "h12", "gpu0", "memory_clock", 405.0, "MHz"),
        (19, "h12", "gpu0", "memory_temperature", None, "celsius"),  # 9223372036854775794: not supported
    ]
    assert rows(told, metrics.TABLE, "metric", "value", "type")[2] == ("DCGM_FI_DEV_MEMORY_TEMP", None, "gauge")


def test_a_gpu_exporter_of_an_h100_is_read_whole(corpus: Path) -> None:
    name = "nvidia_gpu_exporter__linux-x86_64__nvidia-h100-80gb-hbm3__590.48.01__idle.metrics"
    told = of_file(corpus / "corpus/text/nvidia-smi" / name)
    assert told is not None
    assert told.rows == {"metrics": 132}
    found = told.frames["metrics"].filter(metric="nvidia_smi_clocks_current_memory_clock_hz")
    assert found.select("line", "value", "type").rows() == [(15, 2.619e9, "gauge")]


@pytest.mark.each_file("path", "corpus/text/nvidia-smi/*.metrics")
def test_every_sample_of_the_exporters_has_a_row_and_a_type(path: Path) -> None:
    told = of_file(path)
    samples = [line for line in path.read_text().splitlines() if line.strip() and not line.startswith("#")]
    assert told is not None
    assert told.rows["metrics"] == len(samples)
    assert told.frames["metrics"]["type"].null_count() == 0
    assert told.problems == []


def test_switch_ports_of_infiniband_exporter_carry_their_labels(corpus: Path) -> None:
    told = of_file(corpus / "corpus/text/perfquery" / SWITCH)
    assert told is not None
    found = told.frames["metrics"].filter(metric="infiniband_switch_port_link_downed_total")
    assert found.select("labels", "value", "type").rows()[0] == ('guid="0x506b4b03005c2740",port="1"', 1.0, "counter")


@pytest.mark.each_file("path", "corpus/text/*/*")
def test_nothing_else_of_the_corpus_is_taken_for_prometheus_text(path: Path) -> None:
    told = of_file(path)
    ours = path.suffix in (".metrics", ".prom") or path.name in (*OTHERS, SWITCH, "dcgm-exporter__README__block2.txt")
    assert (told is not None and "Prometheus text" in told.kinds) == ours


NODE = """# HELP node_infiniband_port_discards_transmitted_total Number of outbound packets discarded.
# TYPE node_infiniband_port_discards_transmitted_total counter
node_infiniband_port_discards_transmitted_total{device="mlx5_0",port="1"} 4
# TYPE node_network_receive_bytes_total counter
node_network_receive_bytes_total{device="eth0"} 1.2884901888e+10
# TYPE node_ethtool_received_prio3_pause untyped
node_ethtool_received_prio3_pause{device="eth2"} 17
# TYPE node_load1 gauge
node_load1 0.5
"""


def test_node_exporter_fills_counters_under_our_names() -> None:
    told = of_text(NODE, "h12/node.prom")
    assert rows(
        told, counters.TABLE, "line", "host", "device", "direction", "name", "value", "dialect", "priority"
    ) == [
        (3, "h12", "mlx5_0/1", "tx", "discard_pkts", 4.0, "node_exporter", None),
        (5, "h12", "eth0", "rx", "bytes", 12884901888.0, "node_exporter", None),
        (7, "h12", "eth2", "rx", "pause_frames", 17.0, "mlx5", 3),
    ]
    assert len(rows(told, metrics.TABLE, "line")) == 4
    assert told is not None
    assert told.problems == []


def test_the_host_is_the_one_that_was_scraped() -> None:
    text = (
        'up{instance="h7:9100",job="node"} 1\nup{instance="localhost:9100",job="node"} 1\nx{Hostname="h9",gpu="1"} 2\n'
    )
    told = of_text(text, "a/b.txt", host="given")
    assert rows(told, metrics.TABLE, "host", "instance", "job", "device") == [
        ("h7", "h7:9100", "node", None),
        ("given", "localhost:9100", "node", None),
        ("h9", None, None, "gpu1"),
    ]


def test_several_scrapes_have_the_times_that_are_told_and_no_others() -> None:
    text = (
        '# SCRAPE 1764547200000\na{x="1"} 1\nb{x="1"} 1\n# SCRAPE 1764547201000\na{x="1"} 2\nb{x="1"} 2 1764547201500\n'
        'a{x="1"} 3\n'
    )
    assert rows(of_text(text), metrics.TABLE, "sample", "metric", "ts", "ts_from", "value") == [
        (1, "a", datetime(2025, 12, 1, 0, 0, 0), "date", 1.0),
        (1, "b", datetime(2025, 12, 1, 0, 0, 0), "date", 1.0),
        (2, "a", datetime(2025, 12, 1, 0, 0, 1), "date", 2.0),
        (2, "b", datetime(2025, 12, 1, 0, 0, 1, 500000), "line", 2.0),
        (3, "a", None, None, 3.0),
    ]


def test_the_time_in_the_name_of_a_file_is_that_of_its_one_scrape() -> None:
    told = of_text('a{x="1"} 1\nb{x="1"} NaN\n', "h12/scrape_2026-11-30T12-00-05.prom")
    assert rows(told, metrics.TABLE, "ts", "ts_from", "value") == [
        (datetime(2026, 11, 30, 12, 0, 5), "name", 1.0),
        (datetime(2026, 11, 30, 12, 0, 5), "name", None),
    ]


def test_openmetrics_has_units_exemplars_and_seconds() -> None:
    text = (
        "# TYPE wait_seconds histogram\n# UNIT wait_seconds seconds\n"
        'wait_seconds_bucket{le="0.1"} 8 1764547200.25 # {trace_id="abc"} 0.067\n'
        "wait_seconds_sum 3.5\n# EOF\n"
    )
    assert rows(of_text(text), metrics.TABLE, "metric", "value", "unit", "ts") == [
        ("wait_seconds_bucket", 8.0, None, datetime(2025, 12, 1, 0, 0, 0, 250000)),
        ("wait_seconds_sum", 3.5, "seconds", None),
    ]


def test_a_line_that_is_cut_is_a_problem_with_its_number() -> None:
    told = of_text('# TYPE a counter\na{x="1"} 1\na{x="2"} 2\na{x="3\n')
    assert told is not None
    assert [(problem["line"], problem["what"]) for problem in told.problems] == [(4, "no sample: 'a{x=\"3'")]
    assert told.rows == {"metrics": 2}


def test_dos_line_ends_and_a_prompt_change_nothing() -> None:
    text = 'root@h12:~# curl -s localhost:9100/metrics\r\n# TYPE a counter\r\n# HELP a Words.\r\na{x="1"} 7\r\n'
    assert rows(of_text(text), metrics.TABLE, "line", "host", "metric", "value") == [(4, "h12", "a", 7.0)]


@settings(deadline=None)
@given(st.text(string.printable, max_size=200), st.integers(0, len(NODE)))
def test_any_text_in_the_middle_raises_nothing_and_invents_no_value(middle: str, at: int) -> None:
    told = of_text(NODE[:at] + middle + NODE[at:])
    for frame in (told.frames if told else {}).values():
        assert frame.schema in (metrics.TABLE.schema(), counters.TABLE.schema(), frame.schema)
        if "metric" in frame.columns:
            assert not frame["metric"].null_count()


def test_values_of_a_cut_text_are_those_of_the_whole_or_of_its_last_line() -> None:
    whole = {tuple(row) for row in rows(of_text(NODE), metrics.TABLE, "line", "metric", "labels", "value")}
    for length in range(len(NODE)):
        cut = NODE[:length]
        last = cut.count("\n") + 1
        found = {tuple(row) for row in rows(of_text(cut), metrics.TABLE, "line", "metric", "labels", "value")}
        assert {row for row in found if row[0] != last} <= whole


def test_both_kinds_read_the_same_samples() -> None:
    assert exposition.FILE.fills == exposition.PASSAGE.fills
    alone = rows(of_text(NODE), metrics.TABLE, "metric", "labels", "value")
    pasted = rows(of_text("what I see here\n" + NODE), metrics.TABLE, "metric", "labels", "value")
    assert alone == pasted
    assert pl.DataFrame(alone, orient="row").height == 4
