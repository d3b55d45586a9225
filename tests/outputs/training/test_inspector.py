"""JSON lines of NCCL's inspector."""

import json
from datetime import datetime

from badhop.tables import collectives
from outputs.claimed import of_text, rows

RECORD = {
    "header": {"id": "0x9b8f", "rank": 3, "n_ranks": 8, "nnodes": 2},
    "metadata": {
        "inspector_output_format_version": "v4.0",
        "dump_timestamp_us": 1762164920123456,
        "hostname": "h1",
        "pid": 99,
    },
    "coll_perf": {
        "coll": "AllReduce",
        "coll_sn": 407,
        "coll_msg_size_bytes": 17179869184,
        "coll_exec_time_us": 61974,
        "coll_algobw_gbs": 277.21,
        "coll_busbw_gbs": 415.8,
    },
}


def test_each_line_is_an_operation_of_a_rank() -> None:
    told = of_text(f"{json.dumps(RECORD)}\n{json.dumps(RECORD)}\n")
    columns = ("line", "host", "rank", "nranks", "comm_id", "seq", "op", "bytes", "duration_ms", "bus_gbs", "ts")
    taken = datetime(2025, 11, 3, 10, 15, 20, 123456)
    values = ("h1", 3, 8, "0x9b8f", 407, "all_reduce", 17179869184, 61.974, 415.8, taken)
    assert rows(told, collectives.TABLE, *columns) == [(1, *values), (2, *values)]


def test_a_cut_line_is_a_problem_and_the_others_are_read() -> None:
    text = json.dumps(RECORD)
    told = of_text(f"{text[:-9]}\n{text}\n")
    assert rows(told, collectives.TABLE, "line") == [(2,)]
    assert told is not None
    assert [problem["line"] for problem in told.problems] == [1]


def test_values_of_other_types_are_null() -> None:
    odd = {"header": [], "metadata": {"dump_timestamp_us": "x"}, "coll_perf": {"coll": 3, "coll_sn": -1}}
    told = of_text(json.dumps(odd))
    assert rows(told, collectives.TABLE, "rank", "op", "seq", "is_p2p") == [(None, None, None, None)]
