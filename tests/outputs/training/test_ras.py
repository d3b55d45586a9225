"""Reports of NCCL RAS, as text and as JSON."""

import json
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from badhop.tables import ras, watchdog
from outputs.claimed import of_text, rows

HEAD = """\
NCCL version 2.26.2 compiled with CUDA 12.6
CUDA runtime version 12060, driver version 12060

Job summary
===========

"""
LIKE_NODES = """\
  Nodes  Processes         GPUs  Processes     GPUs
(total)   per node  per process    (total)  (total)
      4          8            1         32       32

"""
UNLIKE_NODES = """\
  Nodes  Processes         GPUs
          per node  per process
      1          8            1
      1          2            1

  Nodes  Processes         GPUs
(total)    (total)      (total)
      2         10           10

The outlier node:
  Node 10.0.0.13 running processes 60004,60035

"""
GROUPS = """\
Communicators... (0.00s)
=============

Group     Comms     Nodes     Ranks     Ranks     Ranks    Status  Errors
    #  in group  per comm  per node  per comm  in group
    0         1         4         8        32        32   RUNNING  MISMATCH
    2         4         0         0         0         0    NOCOMM  INCOMPLETE,MISMATCH

Errors
======

"""
MISMATCH = """\
Warnings
========

#0-0 (fa93daea854b060b) MISMATCH
  Communicator ranks have different AllGather operation counts
  30 ranks have launched up to operation 640
  2 ranks have launched up to operation 641
  Rank 12 -- GPU 4 managed by process 323032 on node 10.0.0.124
  Rank 13 -- GPU 5 managed by process 323033 on node 10.0.0.124

"""
MISSING = """\
INCOMPLETE
  Missing communicator data from 1 job process
  Process 60004 on node 10.0.0.13 managing GPU 0

#0-0 (b3398875b8b2a063) INCOMPLETE
  Missing communicator data from 1 rank
  Rank 1 -- GPU 0 managed by process 60004 on node 10.0.0.13

DEAD
  2 job processes are considered dead (unreachable via the RAS network)
  Process 7 on node 10.0.0.14 managing GPUs 0,1

#1-0 (93d7) ERROR
  Asynchronous error(s) on 3 rank(s)
  Rank 4000000000000 -- [process information not found]

"""


def test_the_job_and_its_groups() -> None:
    told = of_text(HEAD + LIKE_NODES + GROUPS)
    columns = ("line", "kind", "nnodes", "processes", "gpus", "comms", "nranks", "ranks_told", "status", "errors")
    assert rows(told, ras.TABLE, *columns) == [
        (9, "job", 4, 32, 32, None, None, None, None, None),
        (16, "group", 4, None, None, 1, 32, 32, "RUNNING", "MISMATCH"),
        (17, "group", 0, None, None, 4, 0, 0, "NOCOMM", "INCOMPLETE,MISMATCH"),
    ]
    assert rows(told, ras.TABLE, "version", "sample")[0] == ("2.26.2", 1)


def test_of_nodes_that_differ_only_the_totals_are_the_job() -> None:
    told = of_text(HEAD + UNLIKE_NODES)
    assert rows(told, ras.TABLE, "kind", "nnodes", "processes", "gpus") == [("job", 2, 10, 10)]


def test_counts_of_operations_are_joined_to_operation_and_communicator() -> None:
    told = of_text(HEAD + LIKE_NODES + GROUPS + MISMATCH)
    columns = ("kind", "group", "comm_id", "op", "count", "ranks_told", "rank", "gpu", "pid", "node")
    hash_ = "fa93daea854b060b"
    assert rows(told, ras.TABLE, *columns)[3:] == [
        ("communicator", 0, hash_, None, None, None, None, None, None, None),
        ("count", 0, hash_, "AllGather", 640, 30, None, None, None, None),
        ("count", 0, hash_, "AllGather", 641, 2, None, None, None, None),
        ("count", 0, hash_, "AllGather", 641, None, 12, "4", 323032, "10.0.0.124"),
        ("count", 0, hash_, "AllGather", 641, None, 13, "5", 323033, "10.0.0.124"),
    ]


def test_a_rank_of_a_small_group_says_its_own_count_and_status() -> None:
    told = of_text(
        HEAD + "Warnings\n========\n#0-1 (ab) MISMATCH\n"
        "  Communicator ranks have different status\n"
        "  3 ranks have status RUNNING\n"
        "  Rank 3 has status ABORT -- GPU 3 managed by process 9 on node n1\n"
        "  Communicator ranks have different Broadcast operation counts\n"
        "  Rank 0 has launched up to operation 7 -- GPU 0 managed by process 8 on node n1\n"
        "  Rank 1 has not launched any operations -- [process information not found]\n"
    )
    columns = ("kind", "rank", "status", "op", "count", "ranks_told", "node")
    assert rows(told, ras.TABLE, *columns)[1:] == [
        ("finding", None, None, None, None, None, None),
        ("finding", None, "RUNNING", None, None, 3, None),
        ("finding", 3, "ABORT", None, None, None, "n1"),
        ("count", 0, None, "Broadcast", 7, None, "n1"),
        ("count", 1, None, "Broadcast", 0, None, None),
    ]


def test_missing_and_dead_processes() -> None:
    told = of_text(HEAD + "Errors\n======\n" + MISSING)
    columns = ("kind", "comm_id", "missing_ranks", "ranks_told", "rank", "pid", "gpu", "node")
    assert rows(told, ras.TABLE, *columns) == [
        ("missing", None, 1, None, None, None, None, None),
        ("missing", None, None, None, None, 60004, "0", "10.0.0.13"),
        ("communicator", "b3398875b8b2a063", None, None, None, None, None, None),
        ("missing", "b3398875b8b2a063", 1, None, None, None, None, None),
        ("missing", "b3398875b8b2a063", None, None, 1, 60004, "0", "10.0.0.13"),
        ("finding", None, None, None, None, None, None, None),
        ("dead", None, None, None, None, 7, "0,1", "10.0.0.14"),
        ("communicator", "93d7", None, None, None, None, None, None),
        ("finding", "93d7", None, 3, None, None, None, None),
        ("rank", "93d7", None, None, None, None, None, None),
    ]


def test_what_ras_could_not_gather() -> None:
    told = of_text(
        HEAD + "Warning: encountered 3 communication timeouts while gathering data\n"
        "Warning: missing data from 2 processes (received from 30, expected 32)\n"
    )
    columns = ("kind", "timeouts", "missing_ranks", "ranks_told")
    assert rows(told, ras.TABLE, *columns) == [("gathering", 3, None, None), ("gathering", None, 2, 30)]


def test_two_reports_are_two_samples_and_the_log_around_them_is_read_too() -> None:
    dog = "[rank1]:[E626 06:24:44.9 ProcessGroupNCCL.cpp:1] [Rank 1] NCCL communicator was aborted on rank 1.\n"
    report = HEAD + LIKE_NODES + GROUPS + MISMATCH
    told = of_text(report + dog + "   an indented line of the log\n" + report)
    assert told is not None
    assert told.kinds == ("PyTorch watchdog", "NCCL RAS report")
    assert len(rows(told, watchdog.TABLE, "kind")) == 1
    samples = [sample for (sample,) in rows(told, ras.TABLE, "sample")]
    assert samples == [1] * 8 + [2] * 8


REPORT = {
    "nccl_version": "2.28.7",
    "timestamp": "2026-11-03 10:15:20",
    "communicators_count": 1,
    "communicators": [
        {
            "hash": "0xfa93",
            "size": 3,
            "ranks_count": 2,
            "missing_ranks_count": 1,
            "ranks": [
                {
                    "rank": 0,
                    "host": "h1",
                    "pid": 9,
                    "cuda_dev": 4,
                    "status": {"init_state": 0, "async_error": 6, "abort_flag": True},
                    "collective_counts": {"AllReduce": 640, "Broadcast": 0},
                }
            ],
            "missing_ranks": [{"rank": 2, "host": "h2", "status": {"unresponsive": True, "considered_dead": True}}],
        }
    ],
    "ras": {"collection_time_sec": 0.1, "timeouts_count": 1},
}


def test_json_has_counts_of_every_rank_and_the_dead() -> None:
    told = of_text(json.dumps(REPORT, indent=2))
    assert told is not None
    assert told.kinds == ("NCCL RAS report (JSON)",)
    columns = ("kind", "comm_id", "host", "rank", "gpu", "op", "count", "status", "async_error", "considered_dead")
    assert rows(told, ras.TABLE, *columns) == [
        ("job", None, None, None, None, None, None, None, None, None),
        ("communicator", "0xfa93", None, None, None, None, None, None, None, None),
        ("rank", "0xfa93", "h1", 0, "4", None, None, "0,abort", "6", None),
        ("count", "0xfa93", "h1", 0, "4", "AllReduce", 640, None, None, None),
        ("count", "0xfa93", "h1", 0, "4", "Broadcast", 0, None, None, None),
        ("dead", "0xfa93", "h2", 2, None, None, None, None, None, True),
    ]
    assert rows(told, ras.TABLE, "ts", "ts_from", "timeouts")[0] == (datetime(2026, 11, 3, 10, 15, 20), "output", 1)


def test_cut_json_is_a_problem() -> None:
    told = of_text(json.dumps(REPORT, indent=2)[:-40])
    assert told is not None
    assert told.kinds == ("NCCL RAS report (JSON)",)
    assert not told.rows
    assert "JSON" in told.problems[0]["what"]


@pytest.mark.parametrize("cut", range(0, len(HEAD + UNLIKE_NODES + GROUPS + MISMATCH + MISSING), 11))
def test_a_report_cut_anywhere_raises_nothing(cut: int) -> None:
    of_text((HEAD + UNLIKE_NODES + GROUPS + MISMATCH + MISSING)[:cut])


@given(st.text(alphabet="Rank 0123456789#-()=\nErorsWaning", max_size=200))
def test_no_text_is_an_exception(text: str) -> None:
    of_text(HEAD + "Warnings\n====\n" + text)
