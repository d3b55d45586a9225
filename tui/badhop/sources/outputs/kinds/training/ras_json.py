"""The report of NCCL RAS as JSON (NCCL 2.28.7 and later, SET FORMAT json)."""

from collections.abc import Mapping
from typing import Any

from badhop.sources.outputs import clock, json_text
from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.training import typed
from badhop.sources.outputs.passage import Moment, Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import ras

_KEYS = ('"nccl_version"', '"communicators"', '"communicators_count"')


def _recognise(passage: Passage) -> bool:
    opening = passage.opening
    return bool(opening) and opening[0].startswith("{") and all(key in passage.text for key in _KEYS)


def _read(passage: Passage, rows: Rows) -> None:
    first = passage.lines.first
    report = json_text.parsed(passage, rows, "a RAS report")
    if not isinstance(report, Mapping):
        return
    ts = report.get("timestamp")
    known = clock.rfc3339(str(ts)) or clock.date_line(str(ts)) or clock.epoch(str(ts))
    at = None if known is None else Moment(known, "output")
    collection, version = typed.mapping(report.get("ras")), typed.text(report.get("nccl_version"))

    def add(kind: str, **values: Any) -> None:
        rows.add(ras.TABLE, passage, first, at=at, sample=1, kind=kind, version=version, **values)

    add("job", comms=_u32(report.get("communicators_count")), timeouts=_u32(collection.get("timeouts_count")))
    for communicator in typed.mappings(report.get("communicators")):
        comm_id = typed.text(communicator.get("hash"))
        add(
            "communicator",
            comm_id=comm_id,
            nranks=_u32(communicator.get("size")),
            ranks_told=_u32(communicator.get("ranks_count")),
            missing_ranks=_u32(communicator.get("missing_ranks_count")),
        )
        for rank in typed.mappings(communicator.get("ranks")):
            own = {"comm_id": comm_id, **_who(rank)}
            status = typed.mapping(rank.get("status"))
            add("rank", **own, status=_state(status), async_error=typed.word(status.get("async_error")))
            for op, count in typed.mapping(rank.get("collective_counts")).items():
                add("count", **own, op=str(op), count=_u32(count))
        for rank in typed.mappings(communicator.get("missing_ranks")):
            status = typed.mapping(rank.get("status"))
            dead = typed.flag(status.get("considered_dead"))
            unresponsive = typed.flag(status.get("unresponsive"))
            own = {"comm_id": comm_id, **_who(rank)}
            add("dead" if dead else "missing", **own, unresponsive=unresponsive, considered_dead=dead)


def _who(rank: Mapping[Any, Any]) -> dict[str, Any]:
    host = typed.text(rank.get("host"))
    who = {
        "rank": _u32(rank.get("rank")),
        "pid": _u32(rank.get("pid")),
        "gpu": typed.word(rank.get("cuda_dev")),
        "node": host,
    }
    return who | ({"host": host} if host else {})


def _state(status: Mapping[Any, Any]) -> str | None:
    """The state of its initialisation, and what was called since."""
    flags = [name for name in ("finalize_called", "destroy_flag", "abort_flag") if typed.flag(status.get(name))]
    words = [typed.word(status.get("init_state")), *(name.split("_")[0] for name in flags)]
    return ",".join(word for word in words if word) or None


def _u32(value: object) -> int | None:
    return typed.whole(value, 2**32)


KIND = Output("NCCL RAS report (JSON)", (ras.TABLE,), _recognise, _read)
