"""Answers of Prometheus' query API: series with one value or many, and answers that are cut or of errors."""

import json
from datetime import datetime

from badhop.tables import counters, metrics
from outputs.claimed import of_text, rows

RANGE = {
    "status": "success",
    "data": {
        "resultType": "matrix",
        "result": [
            {
                "metric": {"__name__": "vllm:num_requests_waiting", "instance": "h7:8000", "job": "vllm", "x": 'a"b'},
                "values": [[1764547200, "3"], [1764547215.5, "NaN"], [1764547230, "+Inf"]],
            },
            {"metric": {"device": "eth0"}, "values": [[1764547200, "1.5"]]},
            {
                "metric": {"__name__": "node_network_receive_drop_total", "instance": "h8:9100", "device": "eth0"},
                "value": [1764547200.125, "12"],
            },
        ],
    },
}


def test_a_range_has_a_row_for_each_value() -> None:
    told = of_text(json.dumps(RANGE, indent=1))
    assert told is not None
    assert told.kinds == ("Prometheus API answer",)
    assert rows(told, metrics.TABLE, "metric", "host", "ts", "ts_from", "sample", "value") == [
        ("vllm:num_requests_waiting", "h7", datetime(2025, 12, 1), "line", 1, 3.0),
        ("vllm:num_requests_waiting", "h7", datetime(2025, 12, 1, 0, 0, 15, 500000), "line", 2, None),
        ("vllm:num_requests_waiting", "h7", datetime(2025, 12, 1, 0, 0, 30), "line", 3, float("inf")),
        (None, None, datetime(2025, 12, 1), "line", 1, 1.5),
        ("node_network_receive_drop_total", "h8", datetime(2025, 12, 1, 0, 0, 0, 125000), "line", 1, 12.0),
    ]
    assert rows(told, metrics.TABLE, "labels")[0] == ('instance="h7:8000",job="vllm",x="a\\"b"',)


def test_a_query_of_node_exporter_is_counters_too() -> None:
    found = rows(of_text(json.dumps(RANGE)), counters.TABLE, "host", "device", "name", "direction", "value")
    assert found == [("h8", "eth0", "discard_pkts", "rx", 12.0)]


def test_an_answer_that_is_cut_is_a_problem_and_no_row() -> None:
    text = json.dumps(RANGE)
    for length in range(len('{"status": "success", "data": {"resultType": "matrix", "result": ['), len(text), 7):
        told = of_text(text[:length])
        assert told is not None
        assert told.rows == {}
        assert "no whole JSON" in told.problems[0]["what"]


def test_odd_members_are_counted_and_the_rest_is_read() -> None:
    odd = {
        "metric": {"__name__": "a"},
        "values": [[1764547200, "1"], ["x", "1"], [1764547200, "y"], [1], 5, [1e99, "1"]],
    }
    answer = {"status": "success", "data": {"resultType": "matrix", "result": [odd, {"metric": 5}, "x"]}}
    told = of_text(json.dumps(answer))
    assert told is not None
    assert told.rows == {"metrics": 1}
    assert told.problems[0]["what"].startswith("7 series or samples")


def test_other_json_is_not_taken_for_an_answer() -> None:
    for text in ('{"status": "success", "data": {"result": []}}', '{"status":"error","resultType":1,"result":2}', "{}"):
        told = of_text(text)
        assert told is None or "Prometheus API answer" not in told.kinds
