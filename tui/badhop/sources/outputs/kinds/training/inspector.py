"""JSON lines of NCCL's inspector plug-in: the time of each collective on each rank.

All ranks end a collective together, so the one with the shortest time came last (localisation of stragglers).
"""

from collections.abc import Mapping
from typing import Any

from badhop.sources.outputs import json_text
from badhop.sources.outputs.kind import Log
from badhop.sources.outputs.kinds.training import typed
from badhop.sources.outputs.kinds.training.nccl_collectives import operation
from badhop.sources.outputs.passage import Moment, Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import collectives

_MARK = '"coll_perf"'


def _read(passage: Passage, rows: Rows) -> bool:
    found = False
    for line, text in passage.numbered():
        if _MARK not in text:
            continue
        record = _record(text)
        if record is None:
            rows.problem(line, f"an inspector record that cannot be read: {text.strip()[:80]!r}")
            continue
        found = True
        _write(record, passage, line, rows)
    return found


def _record(text: str) -> Mapping[Any, Any] | None:
    start = text.find("{")
    record = json_text.loaded(text[start:]) if start >= 0 else None
    sound = isinstance(record, Mapping) and isinstance(record.get("coll_perf"), Mapping)
    return record if sound else None


def _write(record: Mapping[Any, Any], passage: Passage, line: int, rows: Rows) -> None:
    header, about, told = (typed.mapping(record.get(key)) for key in ("header", "metadata", "coll_perf"))
    taken = typed.whole(about.get("dump_timestamp_us"), 2**63 // 1000)
    host, name, took = about.get("hostname"), told.get("coll"), typed.number(told.get("coll_exec_time_us"))
    rows.add(
        collectives.TABLE,
        passage,
        line,
        at=Moment(taken * 1000, "line") if taken else None,
        **({"host": host} if isinstance(host, str) and host else {}),
        rank=typed.whole(header.get("rank"), 2**32),
        nranks=typed.whole(header.get("n_ranks"), 2**32),
        comm_id=str(header["id"]) if isinstance(header.get("id"), str | int) else None,
        seq=typed.whole(told.get("coll_sn")),
        op=operation(name) if isinstance(name, str) else None,
        profiling_name=name if isinstance(name, str) else None,
        is_p2p=name in ("Send", "Recv") if isinstance(name, str) else None,
        bytes=typed.whole(told.get("coll_msg_size_bytes")),
        state="completed",
        duration_ms=None if took is None else took / 1000,
        algorithm_gbs=typed.number(told.get("coll_algobw_gbs")),
        bus_gbs=typed.number(told.get("coll_busbw_gbs")),
        pid=typed.whole(about.get("pid")),
    )


KIND = Log("NCCL inspector", (collectives.TABLE,), (_MARK,), _read)
