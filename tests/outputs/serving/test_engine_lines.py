"""What engines log of themselves."""

from datetime import timedelta

from badhop.tables import engine_log
from outputs.claimed import of_text, rows

TABLE = engine_log.TABLE
COUNTS = ("line", "engine", "replica", "running", "waiting", "kv_used", "prompt_rate", "generation_rate")


def test_vllm_also_with_parts_that_only_some_lines_have() -> None:
    told = of_text(
        "INFO 11-03 10:15:20 [loggers.py:330] Engine 000: Avg prompt throughput: 1210.4 tokens/s, Avg generation "
        "throughput: 388.1 tokens/s, Running: 24 reqs, Waiting: 3 reqs, GPU KV cache usage: 61.2%, Prefix cache "
        "hit rate: 40.1%\n"
        "INFO: 10.0.0.5 - POST /v1/chat/completions 200 OK\n"
        "(EngineCore pid=7) INFO 11-03 10:15:30 [loggers.py:330] Engine 001: Avg prompt throughput: 0.0 tokens/s, Avg "
        "generation throughput: 0.0 tokens/s, Running: 8 reqs, Waiting: 0 reqs, Preemptions: 2, GPU KV cache usage: "
        "99.0%\n"
    )
    assert rows(told, TABLE, *COUNTS) == [
        (1, "vllm", "000", 24, 3, 0.612, 1210.4, 388.1),
        (3, "vllm", "001", 8, 0, 0.99, 0.0, 0.0),
    ]
    assert rows(told, TABLE, "prefix_hits", "preemptions", "ts_from") == [(0.401, None, "line"), (None, 2, "line")]
    assert told is not None
    assert told.frames["engine_log"]["ts"].dt.strftime("%m-%d %H:%M:%S").to_list() == [
        "11-03 10:15:20",
        "11-03 10:15:30",
    ]


def test_sglang_with_fields_that_come_and_go() -> None:
    told = of_text(
        "[2026-11-03 10:15:20 TP0] Prefill batch, #new-seq: 2, #new-token: 4096, #cached-token: 512, token usage: "
        "0.41, #running-req: 12, #queue-req: 3, cuda graph: False, input throughput (token/s): 15211.40\n"
        "[2026-11-03 10:15:21 TP0 DP1] Decode batch, #running-req: 14, token usage: 0.43, cuda graph: True, "
        "gen throughput (token/s): 812.20, #queue-req: 1\n"
    )
    assert rows(told, TABLE, *COUNTS) == [
        (1, "sglang", "TP0", 12, 3, 0.41, 15211.4, None),
        (2, "sglang", "TP0 DP1", 14, 1, 0.43, None, 812.2),
    ]


def test_ollama_tells_each_request_in_its_last_line() -> None:
    told = of_text(
        '{"model":"m","created_at":"2025-11-30T12:00:00Z","response":"a","done":false}\n'
        '{"model":"m","created_at":"2025-11-30T12:00:01Z","done":true,"total_duration":5000000000,"load_duration":1000000000,'
        '"prompt_eval_duration":500000000,"eval_count":20,"eval_duration":2000000000}\n'
    )
    assert rows(told, TABLE, "line", "engine", "generation_rate", "load", "prefill", "decode", "total") == [
        (2, "ollama", 10.0, timedelta(seconds=1), timedelta(seconds=0.5), timedelta(seconds=2), timedelta(seconds=5))
    ]


def test_a_line_of_vllm_that_is_cut_is_a_problem() -> None:
    told = of_text(
        "INFO 11-03 10:15:20 Engine 000: Avg prompt throughput: 1.0 tokens/s, Running: 1 reqs\n"
        "INFO 11-03 10:15:30 Engine 000: Avg prompt throughput: 12"
    )
    assert told is not None
    assert (dict(told.rows), told.problems[0]["line"]) == ({"engine_log": 1}, 2)
