"""Dumps of PyTorch's flight recorder: pickles that are read without being run, and JSON."""

import json
import pickle
from datetime import datetime
from pathlib import Path, PurePath
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from badhop import _core
from badhop.sources.outputs.kinds.training.flight_recorder import rank_of
from badhop.tables import collectives, process_groups
from outputs.claimed import of_file, of_text, rows

FR = "corpus/text/pytorch_fr"
DUMPS = f"{FR}/nvrx__*__dump_*"


@pytest.mark.each_file("path", DUMPS)
def test_every_real_dump_is_read_whole_with_its_rank(path: Path) -> None:
    told = of_file(path)
    assert told is not None
    assert (told.kinds, told.problems) == (("flight recorder (pickle)",), [])
    rank = int(path.name.rsplit("_", 1)[1])
    groups = told.frames["process_groups"]
    assert groups["rank"].unique().to_list() == [rank]
    members = groups["members"].drop_nulls()
    assert members.len() > 10
    assert all(rank in group for group in members.to_list())
    if "collectives" in told.frames:
        operations = told.frames["collectives"]
        assert operations["rank"].unique().to_list() == [rank]
        filled = ("record", "pg", "seq", "op", "state", "created", "input_elements", "timeout_ms", "retired", "is_p2p")
        assert operations.select(pl.col(filled).null_count().sum()).row(0) == (0,) * len(filled)


def test_the_values_of_an_operation(corpus: Path) -> None:
    told = of_file(corpus / FR / "nvrx__gpu_error_1st__dump_14")
    columns = (
        "record",
        "pg_id",
        "pg",
        "pg_desc",
        "seq",
        "op",
        "input_sizes",
        "output_elements",
        "input_dtypes",
        "state",
    )
    assert rows(told, collectives.TABLE, *columns)[0] == (
        90083, "5", "42", "TENSOR_MODEL_PARALLEL_GROUP", 42806, "_all_gather_base", ["4096x1x5120"], 41943040,
        ["BFloat16"], "scheduled",
    )  # fmt: skip
    more = ("created", "started", "completed", "timeout_ms", "is_p2p", "thread", "ts_from")
    created = datetime(2025, 9, 23, 6, 55, 5, 885199)
    assert rows(told, collectives.TABLE, *more)[0] == (created, None, None, 180000, False, "pt_autograd_6", "output")
    assert len(rows(told, collectives.TABLE, "seq")) == 43


def test_the_progress_of_a_group(corpus: Path) -> None:
    told = of_file(corpus / FR / "nvrx__gpu_error_1st__dump_14")
    columns = ("pg_id", "pg", "members", "last_enqueued", "last_started", "last_completed", "version", "library")
    found = rows(told, process_groups.TABLE, *columns)
    # The watchdog did not follow starts (-1): that is unknown and not none.
    assert ("5", "42", [14, 15], 42826, None, 42805, "2.9", "2.27.3") in found
    # Nothing in the ring buffer joins the number of a group to its name: neither is guessed.
    assert ("16", None, None, 104, None, 104, "2.9", "2.27.3") in found
    assert (None, "0", list(range(16)), None, None, None, "2.9", "2.27.3") in found


def test_the_rank_that_the_reference_analysis_misses_is_behind_in_its_group(corpus: Path) -> None:
    """The corpus names rank 12 as missing in group 74, which has an all-to-all of 4027x5120 elements."""
    last = {}
    for rank in (12, 13, 14, 15):
        told = of_file(corpus / FR / f"nvrx__gpu_error_1st__dump_{rank}")
        for group, members, enqueued in rows(told, process_groups.TABLE, "pg", "members", "last_enqueued"):
            if group == "74":
                assert 12 in members
                last[rank] = enqueued
    assert last[12] < min(last[13], last[14], last[15])


def test_ranks_stuck_in_the_interpreter_have_groups_but_no_operations(corpus: Path) -> None:
    for rank in (9, 14):
        told = of_file(corpus / FR / f"nvrx__lock_gil_1st__dump_{rank}")
        assert told is not None
        assert told.rows == {"process_groups": 26}


@pytest.mark.each_file("path", DUMPS)
def test_a_dump_cut_anywhere_has_only_rows_of_the_whole_one(path: Path) -> None:
    content = path.read_bytes()
    whole, cut = _core.read_pickle(content)
    assert isinstance(whole, dict)
    assert cut is None
    for length in range(0, len(content), 7):
        try:
            part, cut = _core.read_pickle(content[:length])
        except ValueError:
            assert length < 30
            continue
        assert isinstance(part, dict)
        assert cut == length
        entries = part.get("entries", [])
        assert entries == whole["entries"][: len(entries)]
        for key, value in part.items():
            if isinstance(value, dict):
                assert value.items() <= whole[key].items()


SMALL = {"id": 1, "group": ["a", "b"], "sizes": [[1, 2], [3]], "none": [], "frames": [{"name": "x"}]}


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
@pytest.mark.parametrize(
    "whole",
    [
        {"version": "2", "pg": {"0": {"n": "a"}, "1": {"n": "b"}}, "entries": [SMALL, {**SMALL, "id": 2}, {"id": 3}]},
        {"version": "2", "pg": {"0": {"n": "a"}}, "entries": [SMALL]},
        {"entries": [{"id": 1}, {"id": 2}], "version": "2"},
        {"entries": [{"id": 1}]},
    ],
)
def test_a_dump_that_python_wrote_and_that_is_cut_has_nothing_that_the_whole_one_has_not(
    whole: dict[str, Any], protocol: int
) -> None:
    content = pickle.dumps(whole, protocol)
    for length in range(2, len(content)):
        try:
            part, _ = _core.read_pickle(content[:length])
        except ValueError:
            continue
        assert isinstance(part, dict)
        for key, value in part.items():
            if isinstance(value, list):
                assert value == whole[key][: len(value)]
            elif isinstance(value, dict):
                assert value.items() <= whole[key].items()
            else:
                assert value == whole[key]


PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**127), 2**127 - 1)
    | st.floats(allow_nan=False)
    | st.text(st.characters(exclude_categories=["Cs"]))
    | st.binary(max_size=300),
    lambda inner: (
        st.lists(inner)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text(max_size=5) | st.integers(0, 9), inner)
    ),
    max_leaves=30,
)  # fmt: skip


def listed(value: Any) -> Any:
    """The same with lists for tuples."""
    if isinstance(value, list | tuple):
        return [listed(item) for item in value]
    return {key: listed(item) for key, item in value.items()} if isinstance(value, dict) else value


@given(PLAIN, st.sampled_from([3, 4, 5]))
def test_plain_data_comes_back_as_python_wrote_it(value: object, protocol: int) -> None:
    assert _core.read_pickle(pickle.dumps(value, protocol)) == (listed(value), None)


@given(st.lists(st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), st.integers(0, 2**64) | st.none())))
def test_so_does_the_protocol_of_torch(value: object) -> None:
    assert _core.read_pickle(pickle.dumps(value, 2)) == (value, None)


@given(st.binary(max_size=200))
def test_no_bytes_are_another_exception(content: bytes) -> None:
    for start in (b"", b"\x80\x02", b"\x80\x02}(X\x09\x00\x00\x00pg_config"):
        of_text(start + content)


class Trap:
    """Runs code when Python loads it."""

    def __reduce__(self) -> tuple[Any, ...]:
        return print, ("owned",)


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_a_pickle_that_would_run_code_is_refused_with_opcode_and_byte(
    protocol: int, capsys: pytest.CaptureFixture[str]
) -> None:
    told = of_text(pickle.dumps({"pg_config": {}, "entries": [Trap()]}, protocol), "nccl_trace_rank_3")
    assert told is not None
    assert not told.rows
    [problem] = told.problems
    assert "GLOBAL" in problem["what"]
    assert "at byte" in problem["what"]
    assert capsys.readouterr().out == ""


def entry(**more: object) -> dict[str, object]:
    return {"record_id": 1, "pg_id": 0, "process_group": ["0", "default_pg"], "collective_seq_id": 7, **more}


def dump(*entries: dict[str, object], **more: object) -> dict[str, object]:
    config = {"0": {"name": "0", "desc": "default_pg", "ranks": "[0, 1, 2, 3]"}}
    return {"version": "2.10", "pg_config": config, "entries": list(entries), **more}


def test_json_says_the_same_with_zeros_and_texts_for_none_and_numbers() -> None:
    status = {"0": {"last_enqueued_collective": "9", "last_started_collective": "-1", "last_completed_collective": "8"}}
    sent = entry(profiling_name="nccl:send 2->3", is_p2p=True, time_discovered_started_ns=0, p2p_seq_id=5)
    received = entry(profiling_name="nccl:recv 2<-3", state="completed", duration_ms=1.5, input_sizes=[[2, 3], [4]])
    told = of_text(json.dumps(dump(sent, received, pg_status=status), indent=1), "comm_lib_trace_rank_2.json")
    assert told is not None
    assert told.kinds == ("flight recorder (JSON)",)
    columns = ("rank", "op", "src_rank", "dst_rank", "is_p2p", "started", "state", "duration_ms", "input_elements")
    assert rows(told, collectives.TABLE, *columns) == [
        (2, "send", 2, 3, True, None, None, None, None),
        (2, "recv", 3, 2, None, None, "completed", 1.5, 10),
    ]
    progress = ("pg_id", "pg", "members", "last_enqueued", "last_started", "last_completed")
    assert rows(told, process_groups.TABLE, *progress) == [("0", "0", [0, 1, 2, 3], 9, None, 8)]


def test_calls_are_kept_innermost_first() -> None:
    frames = [{"name": f"f{n}", "filename": "train.py", "line": n} for n in range(20)]
    told = of_text(json.dumps(dump(entry(frames=frames))), "dump_1.json")
    [(found,)] = rows(told, collectives.TABLE, "frames")
    assert (len(found), found[0]) == (8, "f0 at train.py:0")


def test_values_of_other_types_are_null_and_no_exception() -> None:
    odd = entry(record_id="x", input_sizes="?", output_sizes=[["a"]], time_created_ns=-5, timeout_ms=True, state=3)
    told = of_text(json.dumps(dump(odd, pg_status=[])), "dump_1.json")
    columns = ("record", "input_sizes", "output_sizes", "created", "timeout_ms", "state", "pg_id")
    assert rows(told, collectives.TABLE, *columns) == [(None, None, None, None, None, None, "0")]


def test_a_name_whose_rank_is_in_no_group_is_not_believed() -> None:
    told = of_text(json.dumps(dump(entry())), "dump_77.json")
    assert rows(told, collectives.TABLE, "rank", "seq") == [(None, 7)]
    assert told is not None
    assert "rank 77" in told.problems[0]["what"]


def test_a_cut_json_dump_is_a_problem() -> None:
    told = of_text(json.dumps(dump(entry()), indent=1)[:-30], "dump_1.json")
    assert told is not None
    assert not told.rows
    assert "JSON" in told.problems[0]["what"]


def test_the_early_dumps_were_lists_of_entries() -> None:
    told = of_text(pickle.dumps([entry(seq_id=3, profiling_name="nccl:all_reduce")], 2), "nccl_trace_rank_0")
    assert rows(told, collectives.TABLE, "rank", "op") == [(0, "all_reduce")]


@pytest.mark.parametrize(
    ("name", "rank"),
    [
        ("comm_lib_trace_rank_12", 12),
        ("nccl_trace_rank_0", 0),
        ("dump_3.pkl", 3),
        ("fr_7.json", 7),
        ("5", 5),
        ("trace.json", None),
        ("dump_20261130.json", None),
        ("step_5000.pkl", None),
    ],
)
def test_the_rank_is_the_number_behind_a_word_for_dumps(name: str, rank: int | None) -> None:
    assert rank_of(PurePath(name)) == rank
