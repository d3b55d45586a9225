"""The report of NCCL RAS as JSON (NCCL 2.28.7 and later, SET FORMAT json)."""

import json
from collections.abc import Mapping
from typing import Any

from badhop.sources.outputs import clock
from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.passage import Moment, Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import ras

_KEYS = ('"nccl_version"', '"communicators"', '"communicators_count"')


def _recognise(passage: Passage) -> bool:
    opening = passage.opening
    return bool(opening) and opening[0].startswith("{") and all(key in passage.text for key in _KEYS)


def _read(passage: Passage, rows: Rows) -> None:
    first = passage.lines.first
    try:
        report = json.loads(passage.text)
    except (ValueError, RecursionError) as error:
        rows.problem(
            first + getattr(error, "lineno", 1) - 1, f"a RAS report that is no whole JSON: {error}", "ask again"
        )
        return
    if not isinstance(report, Mapping):
        return
    ts = report.get("timestamp")
    known = clock.rfc3339(str(ts)) or clock.date_line(str(ts)) or clock.epoch(str(ts))
    collection = _mapping(report.get("ras"))

    def add(kind: str, **values: Any) -> None:
        at = None if known is None else Moment(known, "output")
        rows.add(
            ras.TABLE, passage, first, at=at, sample=1, kind=kind, version=_text(report.get("nccl_version")), **values
        )

    add("job", comms=_count(report.get("communicators_count")), timeouts=_count(collection.get("timeouts_count")))
    for communicator in _list(report.get("communicators")):
        comm_id = _text(communicator.get("hash"))
        add(
            "communicator",
            comm_id=comm_id,
            nranks=_count(communicator.get("size")),
            ranks_told=_count(communicator.get("ranks_count")),
            missing_ranks=_count(communicator.get("missing_ranks_count")),
        )
        for rank in _list(communicator.get("ranks")):
            own = {"comm_id": comm_id, **_who(rank)}
            status = _mapping(rank.get("status"))
            add("rank", **own, status=_state(status), async_error=_word(status.get("async_error")))
            for op, count in _mapping(rank.get("collective_counts")).items():
                add("count", **own, op=str(op), count=_count(count))
        for rank in _list(communicator.get("missing_ranks")):
            status = _mapping(rank.get("status"))
            dead = _flag(status.get("considered_dead"))
            unresponsive = _flag(status.get("unresponsive"))
            own = {"comm_id": comm_id, **_who(rank)}
            add("dead" if dead else "missing", **own, unresponsive=unresponsive, considered_dead=dead)


def _who(rank: Mapping[Any, Any]) -> dict[str, Any]:
    host = _text(rank.get("host"))
    who = {
        "rank": _count(rank.get("rank")),
        "pid": _count(rank.get("pid")),
        "gpu": _word(rank.get("cuda_dev")),
        "node": host,
    }
    return who | ({"host": host} if host else {})


def _state(status: Mapping[Any, Any]) -> str | None:
    """The state of its initialisation, and what was called since."""
    flags = [name for name in ("finalize_called", "destroy_flag", "abort_flag") if _flag(status.get(name))]
    words = [_word(status.get("init_state")), *(name.split("_")[0] for name in flags)]
    return ",".join(word for word in words if word) or None


def _list(value: object) -> list[Mapping[Any, Any]]:
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []


def _mapping(value: object) -> Mapping[Any, Any]:
    return value if isinstance(value, Mapping) else {}


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def _word(value: object) -> str | None:
    """A word or a number as text."""
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) and value != "" else None


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**32 else None


def _flag(value: object) -> bool | None:
    return bool(value) if isinstance(value, bool) or value in (0, 1) else None


KIND = Output("NCCL RAS report (JSON)", (ras.TABLE,), _recognise, _read)
