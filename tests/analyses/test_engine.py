"""The state of an engine is what two scrapes tell together."""

import math
from collections.abc import Mapping
from typing import Any

import polars as pl
import pytest

from badhop.analyses.engine import engine
from literal import rows

FROM, TO = 1_764_504_000_000_000_000, 1_764_504_010_000_000_000


def scrape(ts: int, values: Mapping[str, float], labels: str = 'engine="0",model_name="m"') -> list[dict[str, Any]]:
    found = []
    for name, value in values.items():
        metric, _, le = name.partition("|")
        bound = {"le": float(le)} if le else {}
        found.append(
            {"source": f"{ts}.prom", "sample": 1, "ts": ts, "metric": metric, "labels": labels, "value": value}
        )
        found[-1] |= bound
    return found


def told(*scrapes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return engine(rows("metrics", *(row for scraped in scrapes for row in scraped))).collect().rows(named=True)


TTFT = "vllm:time_to_first_token_seconds"
FIRST = {
    "vllm:num_requests_running": 3,
    "vllm:num_requests_waiting": 0,
    "vllm:generation_tokens_total": 1000,
    "vllm:num_preemptions_total": 5,
    f"{TTFT}_sum": 100,
    f"{TTFT}_count": 200,
    f"{TTFT}_bucket|0.5": 150,
    f"{TTFT}_bucket|1": 180,
    f"{TTFT}_bucket|inf": 200,
}
LATER = {
    "vllm:num_requests_running": 8,
    "vllm:num_requests_waiting": 4,
    "vllm:generation_tokens_total": 1500,
    "vllm:num_preemptions_total": 7,
    f"{TTFT}_sum": 130,
    f"{TTFT}_count": 210,
    f"{TTFT}_bucket|0.5": 150,
    f"{TTFT}_bucket|1": 186,
    f"{TTFT}_bucket|inf": 210,
}


def test_times_and_counts_are_those_between_two_scrapes() -> None:
    first, later = told(scrape(FROM, FIRST), scrape(TO, LATER))
    assert (first["running"], first["ttft"], first["preemptions"], first["generation_rate"]) == (3, None, None, None)
    assert (later["engine"], later["model"], later["replica"]) == ("vllm", "m", "0")
    assert (later["running"], later["waiting"], later["preemptions"]) == (8, 4, 2)
    assert (later["generation_rate"], later["ttft"]) == (50.0, 3.0)


def test_a_quantile_is_the_upper_end_of_its_bucket() -> None:
    _, later = told(scrape(FROM, FIRST), scrape(TO, LATER))
    assert later["ttft_p50"] == 1.0  # 6 of the 10 new ones took at most 1 s
    assert later["ttft_p99"] == math.inf


def test_the_order_of_files_is_that_of_their_times() -> None:
    assert told(scrape(TO, LATER), scrape(FROM, FIRST))[1]["ttft"] == 3.0


def test_an_engine_that_was_started_anew_has_no_difference() -> None:
    _, later = told(scrape(FROM, LATER), scrape(TO, FIRST))
    assert (later["running"], later["ttft"], later["preemptions"], later["generation_rate"]) == (3, None, None, None)


def test_engines_and_their_replicas_are_told_apart() -> None:
    one = scrape(FROM, {"vllm:num_requests_running": 1}, 'engine="0",model_name="m"')
    two = scrape(FROM, {"vllm:num_requests_running": 2}, 'engine="1",model_name="m"')
    three = scrape(FROM, {"sglang:num_running_reqs": 3}, 'model_name="m",tp_rank="0"')
    assert sorted((row["engine"], row["replica"], row["running"]) for row in told(one, two, three)) == [
        ("sglang", "0", 3),
        ("vllm", "0", 1),
        ("vllm", "1", 2),
    ]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (
            {
                "nv_inference_request_duration_us": 0,
                "nv_inference_queue_duration_us": 0,
                "nv_inference_request_success": 0,
            },
            {
                "nv_inference_request_duration_us": 4e6,
                "nv_inference_queue_duration_us": 1e6,
                "nv_inference_request_success": 2,
            },
            {"engine": "triton", "e2e": 2.0, "queue": 0.5, "requests": 2},
        ),
        (
            {"vllm_gpu_cache_usage_perc": 0.2, "vllm_generation_tokens": 0},
            {"vllm_gpu_cache_usage_perc": 0.9, "vllm_generation_tokens": 100},
            {"engine": "vllm", "kv_used": 0.9, "generation_rate": 10.0},
        ),
        (
            {"tgi_request_queue_duration_sum": 1, "tgi_request_queue_duration_count": 1, "tgi_queue_size": 2},
            {"tgi_request_queue_duration_sum": 5, "tgi_request_queue_duration_count": 3, "tgi_queue_size": 9},
            {"engine": "tgi", "queue": 2.0, "waiting": 9},
        ),
    ],
)
def test_names_of_other_engines_and_of_older_versions(
    before: Mapping[str, float], after: Mapping[str, float], expected: dict[str, Any]
) -> None:
    later = told(scrape(FROM, before, ""), scrape(TO, after, ""))[1]
    assert {name: later[name] for name in expected} == expected


def test_a_stage_counts_only_under_its_own_label() -> None:
    name = "sglang:per_stage_req_latency_seconds"
    before, after = {f"{name}_sum": 0, f"{name}_count": 0}, {f"{name}_sum": 8, f"{name}_count": 2}
    for stage, prefill in (("prefill_forward", 4.0), ("tokenize", None)):
        labels = f'model_name="m",stage="{stage}"'
        found = told(scrape(FROM, before, labels), scrape(TO, after, labels))
        assert [row["prefill"] for row in found[1:]] == ([prefill] if prefill else [])


def test_metrics_of_no_engine_give_no_rows() -> None:
    assert told(scrape(FROM, {"node_network_receive_bytes_total": 5})) == []
    assert engine(rows("metrics")).collect().schema == pl.Schema(_schema())


def _schema() -> dict[str, pl.DataType]:
    from badhop.analyses.engine import TABLE

    return TABLE.schema()
