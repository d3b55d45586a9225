"""Dumps of PyTorch's flight recorder, as pickle and as JSON: one dump for each rank.

What a dump means is the same in both forms; the rank is not in it and is taken from the end of the file's name
(`comm_lib_trace_rank_3`, `nccl_trace_rank_3`, `dump_3`).
"""

import json
import re
from collections.abc import Mapping
from pathlib import PurePath

from badhop import _core
from badhop.sources.outputs.content import Content
from badhop.sources.outputs.kind import Bulk
from badhop.sources.outputs.kinds.training.recorded import Dump
from badhop.sources.outputs.lines import Lines
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.place import host_of
from badhop.sources.outputs.rows import Rows
from badhop.tables import collectives, process_groups

_KEYS = (b"pg_config", b"pg_status", b"record_id", b"collective_seq_id")
"""Of a dump, and of its entries in the releases that dumped only those."""

_EARLY = 4096
"""Bytes within which such a key stands: the first key is the version, the next a table of groups."""

_RANK = re.compile(
    r"(?:^|(?:rank|dump|trace|recorder|info|fr|nccl)[_.-]?)(\d{1,7})(?:\.(?:pkl|pickle|json|bin|dump|trace))?$",
    re.IGNORECASE,
)


def rank_of(path: PurePath) -> int | None:
    """The rank at the end of a dump's name: 3 of `nccl_trace_rank_3` and `dump_3.json`."""
    found = _RANK.search(path.name)
    return int(found[1]) if found else None


def _is_pickle(content: Content) -> bool:
    head = content.head[:_EARLY]
    return len(head) > 1 and head[0] == 0x80 and 2 <= head[1] <= 5 and any(key in head for key in _KEYS)


def _read_pickle(content: Content, rows: Rows) -> bool:
    try:
        value, cut = _core.read_pickle(content.whole())
    except ValueError as refused:
        rows.problem(None, f"a pickle that is not read: {refused}", "dump it as JSON, or look at it in a sandbox")
        return True
    if cut is not None:
        rows.problem(None, f"it ends early, at byte {cut}", "the entries before that were read")
    return _write(value, content, rows)


def _is_json(content: Content) -> bool:
    head = content.head[:_EARLY].lstrip()
    return head[:1] in (b"{", b"[") and any(b'"' + key + b'"' in head for key in _KEYS)


def _read_json(content: Content, rows: Rows) -> bool:
    try:
        value = json.loads(content.whole())
    except (ValueError, RecursionError) as error:
        if _looks_like_lines(content.head):
            return False
        rows.problem(getattr(error, "lineno", None), f"a dump that is no whole JSON: {error}", "dump it again")
        return True
    return _write(value, content, rows)


def _looks_like_lines(head: bytes) -> bool:
    """Whether the first line is an object by itself: then it is a stream and no dump."""
    try:
        json.loads(head.split(b"\n", 1)[0])
    except (ValueError, RecursionError):
        return False
    return True


def _write(value: object, content: Content, rows: Rows) -> bool:
    dump = {"entries": value} if isinstance(value, list) else value
    if not isinstance(dump, Mapping) or not isinstance(dump.get("entries", dump.get("pg_config")), list | Mapping):
        return False
    passage = Passage(content.path, Lines(()), None, host_of(content.path))
    Dump(dump, passage, rank_of(content.path), rows).write()
    return True


_FILLS = (collectives.TABLE, process_groups.TABLE)

PICKLE = Bulk("flight recorder (pickle)", _FILLS, _is_pickle, _read_pickle)
JSON = Bulk("flight recorder (JSON)", _FILLS, _is_json, _read_json)
