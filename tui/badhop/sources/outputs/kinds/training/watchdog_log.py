"""What the watchdog of PyTorch's process groups logs: timeouts, how far a group came, and why it dumps or aborts.

The formats are those from torch 1.x to 2.14; they are told apart by their text, for releases were not always tagged.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from badhop.sources.outputs.kind import Log
from badhop.sources.outputs.kinds.training.torch_lines import Torch, take_apart
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import watchdog

_WORK = re.compile(r"Work\w{1,20}\(")
_FIELD = re.compile(r"(\w{1,30}(?:\(ms\))?)=(\[[^\]]{0,400}\]|[^,)\s]{1,60})")
_RAN = re.compile(r"ran for (\d{1,18}) milliseconds")
_AT_WORK = re.compile(r"(?:at (?:NCCL )?work(?: sequence id)?|at work sequence id): (\d{1,18})")
_LAST = re.compile(r"last (enqueued|started|completed) (?:NCCL )?(?:work|collective): ?(-?\d{1,20})", re.IGNORECASE)
_SIGNAL = re.compile(r"due to (?:a|an) (?:collective timeout|[\w ]{1,60}) from +rank (\d{1,8})")
_STUCK = re.compile(r"watchdog got stuck for (\d{1,9}) ?(milliseconds|seconds|minutes)?")
_ABORTED = re.compile(r"NCCL communicator was aborted on rank (\d{1,8})")
_SUSPECTS = re.compile(r"\[((?:\d{1,8}(?:, )?){1,20000})\]")

_MARKS: tuple[tuple[str, str], ...] = (
    ("watchdog thread terminated with exception", "terminated"),  # repeats what the lines after it say
    ("caught collective operation timeout", "timeout"),
    ("detected by watchdog at work", "status"),
    ("Timeout at NCCL work", "status"),
    ("Received a dump signal", "dump signal"),
    ("Observed flight recorder dump signal", "dump signal"),
    ("watchdog got stuck for", "stuck"),
    ("Heartbeat monitor timed out", "stuck"),
    ("NCCL communicator was aborted", "aborted"),
    ("ranks that caused the desync", "desync"),
    ("Dump signal received through pipe", "dump"),
    ("preparing to dump debug info", "dump"),
    ("First PG on this rank to signal dumping", "dump"),
    ("Stack trace of the failed collective", "note"),
    ("Some NCCL operations have failed or timed out", "note"),
    ("To avoid data inconsistency", "note"),
    ("Could not acquire GIL within", "stuck"),
)

_MOST_SUSPECTS = 20
"""Lines of a desync report that are looked through for ranks."""


def _read(passage: Passage, rows: Rows) -> bool:
    found = False
    texts = passage.lines.texts
    for line, text in passage.numbered():
        kind = next((kind for mark, kind in _MARKS if mark in text), None)
        if kind is None:
            continue
        told = take_apart(passage, line, text)
        if kind in _ALSO_PROSE and told.place is None and told.rank is None and told.pg_rank is None:
            continue
        found = True
        values = _READERS[kind](told) if kind in _READERS else {}
        if kind == "desync":
            index = line - passage.lines.first
            values["suspect_ranks"] = _suspects(texts[index + 1 : index + 1 + _MOST_SUSPECTS])
            if told.place is None and (head := _head(passage, line)):
                told = replace(head, line=line, text=told.text)
        _add(passage, rows, told, kind, values)
    return found


_ALSO_PROSE = ("note", "dump")
"""Kinds whose words stand in documents and chats, too: believed only with a prefix of PyTorch."""


def _add(passage: Passage, rows: Rows, told: Torch, kind: str, values: dict[str, Any]) -> None:
    if values.pop("unread", False):
        rows.problem(told.line, f"a watchdog line that cannot be read: {told.text[:80]!r}", "its row has no values")
    rows.add(
        watchdog.TABLE,
        passage,
        told.line,
        at=told.at,
        kind=kind,
        pg_id=told.pg_id,
        pg=told.pg,
        pg_desc=told.pg_desc,
        severity=told.severity,
        place=told.place,
        message=told.text,
        **({"rank": told.rank, "pg_rank": told.pg_rank} | values),
    )


def _head(passage: Passage, line: int) -> Torch | None:
    """The line with the prefix that the report of several lines began with."""
    for before in range(line - 1, max(passage.lines.first, line - _ABOVE) - 1, -1):
        head = take_apart(passage, before, passage.lines.texts[before - passage.lines.first])
        if head.place is not None:
            return head
    return None


_ABOVE = 4
"""Lines of the report above the sentence that names the ranks."""


def _timeout(told: Torch) -> dict[str, Any]:
    work, ran = _WORK.search(told.text), _RAN.search(told.text)
    fields = dict(_FIELD.findall(told.text[work.end() : ran.start() if ran else None])) if work else {}
    return {
        "seq": _whole(fields.get("SeqNum")),
        "op": fields.get("OpType"),
        "input_elements": _whole(fields.get("NumelIn")),
        "output_elements": _whole(fields.get("NumelOut")),
        "tensor_shape": fields.get("TensorShape"),
        "timeout_ms": _whole(fields.get("Timeout(ms)")),
        "ran_ms": int(ran[1]) if ran else None,
        "unread": "OpType" not in fields,
    }


def _status(told: Torch) -> dict[str, Any]:
    at, last = _AT_WORK.search(told.text), _lasts(told.text)
    return {"seq": int(at[1]) if at else None, **last, "unread": not last}


def _lasts(text: str) -> dict[str, Any]:
    """The last numbers. -1 of what started is a watchdog that does not follow starts; some builds print a completed one
    that was never set, a number beyond all that was enqueued."""
    last = {f"last_{what.lower()}": int(number) for what, number in _LAST.findall(text)}
    last = {name: number for name, number in last.items() if abs(number) < 2**62}
    if last.get("last_started") == -1:
        del last["last_started"]
    enqueued = last.get("last_enqueued")
    if enqueued is not None and last.get("last_completed", -1) > enqueued:
        del last["last_completed"]
    return last


def _signal(told: Torch) -> dict[str, Any]:
    found = _SIGNAL.search(told.text)
    return {"first_rank": int(found[1]) if found else None, **_lasts(told.text)}


def _stuck(told: Torch) -> dict[str, Any]:
    found = _STUCK.search(told.text)
    if found is None:
        return {}
    unit = {"milliseconds": 0.001, "seconds": 1.0, "minutes": 60.0}.get(found[2])
    return {"stuck_s": int(found[1]) * unit if unit else None}


def _aborted(told: Torch) -> dict[str, Any]:
    found = _ABORTED.search(told.text)
    return {"pg_rank": int(found[1])} if found and told.pg_rank is None else {}


_READERS: dict[str, Callable[[Torch], dict[str, Any]]] = {
    "timeout": _timeout,
    "status": _status,
    "dump signal": _signal,
    "stuck": _stuck,
    "aborted": _aborted,
}


def _suspects(following: Sequence[str]) -> list[int] | None:
    """The ranks of the bullets under the sentence; the report goes on with a line that begins with a dash."""
    ranks: dict[int, None] = {}
    for text in following:
        stripped = text[:4096].strip()
        if not stripped.startswith("["):
            break
        if found := _SUSPECTS.match(stripped):
            ranks |= dict.fromkeys(int(rank) for rank in found[1].split(", ") if rank)
    return list(ranks) or None


def _whole(text: str | None) -> int | None:
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) < 19 else None


KIND = Log("PyTorch watchdog", (watchdog.TABLE,), tuple(mark for mark, _ in _MARKS), _read)
