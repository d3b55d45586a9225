"""The lines of PyTorch's watchdog, from torch 1.x to 2.14."""

from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from badhop.tables import watchdog
from outputs.claimed import of_file, of_text, rows

PYTORCH = "corpus/text/pytorch"
LAST = ("last_enqueued", "last_started", "last_completed")


def test_rank_operation_and_how_far_the_group_came(corpus: Path) -> None:
    told = of_file(corpus / PYTORCH / "watchdog_basicsr737.log")
    columns = ("line", "kind", "rank", "pg_id", "pg_desc", "seq", "op", "input_elements", "timeout_ms", "ran_ms")
    assert rows(told, watchdog.TABLE, *columns)[:2] == [
        (1, "timeout", 1, None, None, 808, "ALLREDUCE", 9801523, 600000, 600020),
        (2, "status", 1, "0", "default_pg", 808, None, None, None, None),
    ]
    assert rows(told, watchdog.TABLE, *LAST)[1] == (811, None, 807)
    assert [rank for (rank,) in rows(told, watchdog.TABLE, "rank")] == [1, 1, 0, 0, 2]


def test_the_time_has_no_year_and_gets_the_latest_that_fits(corpus: Path) -> None:
    told = of_file(corpus / PYTORCH / "watchdog_basicsr737.log")
    [(ts, found)] = rows(told, watchdog.TABLE, "ts", "ts_from")[:1]
    assert (ts.month, ts.day, ts.hour, ts.minute, ts.second, ts.microsecond) == (6, 26, 6, 24, 44, 903881)
    assert found == "line"


def test_the_rank_of_the_job_is_that_of_the_launcher(corpus: Path) -> None:
    told = of_file(corpus / PYTORCH / "watchdog_llamafactory7396.log")
    columns = ("line", "rank", "pg_rank", "pg_id", "pg", "seq", *LAST)
    assert rows(told, watchdog.TABLE, *columns) == [
        (1, 0, 0, None, None, 1580, None, None, None),
        (2, 4, 4, None, None, 1580, None, None, None),
        (3, 0, 0, "1", None, 1580, 1582, None, 1579),
        (4, 3, 3, "1", None, 1580, 1582, None, 1579),
    ]


def test_the_old_format_tells_only_the_rank_in_an_unknown_group(corpus: Path) -> None:
    told = of_file(corpus / PYTORCH / "watchdog_ofa271_old_format.log")
    columns = ("line", "rank", "pg_rank", "seq", "op", "input_elements", "timeout_ms", "ran_ms", "severity", "place")
    found = rows(told, watchdog.TABLE, *columns)
    assert found[0] == (1, None, 1, 469508, "ALLREDUCE", None, 1800000, 1802212, "E", "ProcessGroupNCCL.cpp:737")
    assert [row[2] for row in found] == [1, 3, 2, 6, 7]


HEAD = "[rank3]:[E1103 10:15:20.123456789 ProcessGroupNCCL.cpp:616] "
GROUP = "[PG ID 2 PG GUID 7(DATA_PARALLEL_GROUP) Rank 1] "


@pytest.mark.parametrize(
    ("text", "kind", "expected"),
    [
        (
            "[Rank 3] Watchdog caught collective operation timeout: WorkNCCL(OpType=BROADCAST, TensorShape=[8, 512], "
            "Timeout(ms)=1800000) ran for 1800123 milliseconds before timing out.",
            "timeout",
            {"op": "BROADCAST", "tensor_shape": "[8, 512]", "timeout_ms": 1800000, "ran_ms": 1800123, "seq": None},
        ),
        (
            "[Rank 3] Timeout at NCCL work: 5, last enqueued NCCL work: 7, last completed NCCL work: 4.",
            "status",
            {"seq": 5, "last_enqueued": 7, "last_completed": 4},
        ),
        (
            f"{GROUP} failure detected by watchdog at work sequence id: 5 PG status: last enqueued work: 7, last "
            "started work: -1, last completed work: 4",
            "status",
            {"seq": 5, "last_enqueued": 7, "last_started": None, "last_completed": 4, "pg": "7", "pg_rank": 1},
        ),
        (
            f"{GROUP}Exception (either an error or timeout) detected by watchdog at work: 5, last enqueued NCCL work: "
            "7, last completed NCCL work: 94387495838.",
            "status",
            {"seq": 5, "last_enqueued": 7, "last_completed": None, "pg_desc": "DATA_PARALLEL_GROUP"},
        ),
        (
            f"{GROUP}Received a dump signal due to a collective timeout from  rank 12 and we will try our best to "
            "dump the debug info. Last enqueued NCCL work: 9, last completed NCCL work: 8.",
            "dump signal",
            {"first_rank": 12, "last_enqueued": 9, "last_completed": 8},
        ),
        (
            f"{GROUP}ProcessGroupNCCL's watchdog got stuck for 480 seconds without making progress in monitoring "
            "enqueued collectives.",
            "stuck",
            {"stuck_s": 480.0},
        ),
        (f"{GROUP}Process group watchdog thread terminated with exception: [Rank 1] Watchdog caught collective "
         "operation timeout: WorkNCCL(SeqNum=5, OpType=SEND) ran for 6 milliseconds", "terminated", {"seq": None}),
        ("NCCL communicator was aborted on rank 6.", "aborted", {"pg_rank": 6, "rank": 3}),
        (f"{GROUP}First PG on this rank to signal dumping.", "dump", {}),
    ],
)  # fmt: skip
def test_every_message_has_its_kind_and_its_numbers(text: str, kind: str, expected: dict[str, object]) -> None:
    told = of_text(HEAD + text)
    expected = {"kind": kind, "rank": 3, **expected}
    assert rows(told, watchdog.TABLE, *expected) == [tuple(expected.values())]


def test_the_desync_report_names_its_suspects() -> None:
    told = of_text(
        "[rank0]:[E515 18:36:47.343377708 ProcessGroupNCCL.cpp:1937] Rank 0\n"
        "\t - [0] Timeout at collective: ALLREDUCE, #315\n"
        "\t - To our best knowledge, the lagging/dead/mismatched ranks that caused the desync are:\n"
        "\t   [7, 9] finished collective #182, but didn't join collective #183 (count from 1)\n"
        "\t   [12] joined but didn't finish collective #183 (count from 1)\n"
        "\t - Snapshot of ranks' latest states:\n"
        "\t   #182 finished ranks:\n"
        "\t     [3] finished ALLREDUCE\n"
    )
    assert rows(told, watchdog.TABLE, "line", "kind", "rank", "suspect_ranks") == [(3, "desync", 0, [7, 9, 12])]


def test_a_time_between_two_years_is_not_in_the_future() -> None:
    told = of_text(
        "2026-01-01T00:10:00Z [rank3]:[E1231 23:59:59.000000001 ProcessGroupNCCL.cpp:1] [Rank 3] Watchdog caught "
        "collective operation timeout: WorkNCCL(SeqNum=1, OpType=SEND) ran for 6 milliseconds"
    )
    assert rows(told, watchdog.TABLE, "ts") == [(datetime(2025, 12, 31, 23, 59, 59),)]


def test_a_cut_line_is_a_row_and_a_problem() -> None:
    told = of_text(f"{HEAD}[Rank 3] Watchdog caught collective operation timeout: WorkNCCL(Seq")
    assert rows(told, watchdog.TABLE, "kind", "rank", "seq", "op") == [("timeout", 3, None, None)]
    assert told is not None
    assert [problem["line"] for problem in told.problems] == [1]


def test_prose_about_the_watchdog_is_not_its_log() -> None:
    assert of_text("I read: Some NCCL operations have failed or timed out. What does it mean?") is None


@given(st.text(alphabet="Rank[]()=, 0123456789OpTypeSqNum", max_size=300))
def test_no_text_is_an_exception(text: str) -> None:
    of_text(
        f"{HEAD}{text} caught collective operation timeout {text}\n{HEAD}{text} detected by watchdog at work {text}"
    )


def test_a_hostile_line_is_read_in_time() -> None:
    of_text("[rank1]:[E " * 10**5 + "caught collective operation timeout" + "[1, " * 10**6)
