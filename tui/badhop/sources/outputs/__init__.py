"""What tools printed and programs logged: recognised by content, one kind a file in `kinds`, and turned into tables."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import PurePath
from typing import Any

import polars as pl

from badhop.sources.outputs import place, transcript
from badhop.sources.outputs.content import LONGEST, Content
from badhop.sources.outputs.kind import Bulk, Kind, Log, Output
from badhop.sources.outputs.kinds import KINDS
from badhop.sources.outputs.lines import Lines, lines_of
from badhop.sources.outputs.passage import Moment, Passage
from badhop.sources.outputs.rows import Rows


@dataclass(frozen=True, eq=False)
class Told:
    """What a file told: the kinds of input in it, in the order in which they came, its rows, and what was not read."""

    kinds: tuple[str, ...]
    frames: Mapping[str, pl.DataFrame]
    rows: Mapping[str, int]
    problems: Sequence[Mapping[str, Any]] = field(default_factory=tuple)


def read_output(content: Content, host: str | None = None, kinds: Sequence[Kind] = KINDS) -> Told | None:
    """The rows of a file that is no capture; None when nothing in it is of a known kind.

    `host` is for what neither content nor path tells. Raises OSError when it cannot be read.
    """
    rows = Rows(content.name, host)
    found = _bulk(content, rows, kinds)
    if not found:
        lines = lines_of(content.whole())
        if lines is None:
            return None
        found = _passages(lines, _around(content, host), rows, kinds)
    if not found:
        return None
    if content.size is not None and content.size > LONGEST:
        rows.problem(None, f"longer than {LONGEST >> 20} MiB", "it was read up to there; split it to read the rest")
    return Told(tuple(found), rows.frames(), rows.counts(), rows.problems())


def claims(passage: Passage, kinds: Sequence[Kind] = KINDS) -> tuple[Output, ...]:
    """The outputs that a passage is recognised as: one, or none. Two are a mistake of a `recognise`."""
    return tuple(kind for kind in kinds if isinstance(kind, Output) and kind.recognise(passage))


def _bulk(content: Content, rows: Rows, kinds: Sequence[Kind]) -> dict[str, None]:
    for kind in kinds:
        if isinstance(kind, Bulk) and kind.recognise(content) and kind.read(content, rows):
            return {kind.name: None}
    return {}


def _passages(lines: Lines, around: Passage, rows: Rows, kinds: Sequence[Kind]) -> dict[str, None]:
    found: dict[str, None] = {}
    logs = [kind for kind in kinds if isinstance(kind, Log)]
    for passage in transcript.passages(lines, around, _beginnings(tuple(kinds))):
        claimed = claims(passage, kinds)
        if claimed:
            claimed[0].read(passage, rows)
            found[claimed[0].name] = None
            continue
        for log in logs:
            if any(mark in passage.text for mark in log.marks) and log.read(passage, rows):
                found[log.name] = None
    return found


def _around(content: Content, host: str | None) -> Passage:
    ts = place.time_of(content.path)
    taken = Moment(ts, "name") if ts is not None else None
    if taken is None and content.mtime is not None:
        taken = Moment(content.mtime, "mtime")
    path = PurePath(content.path)
    return Passage(path, Lines(()), place.command_of(path), place.host_of(path) or host, place.device_of(path), taken)


@cache
def _beginnings(kinds: tuple[Kind, ...]) -> Callable[[str], bool]:
    """Whether a line begins an output of any kind."""
    patterns = [kind.begins.pattern for kind in kinds if isinstance(kind, Output) and kind.begins]
    if not patterns:
        return lambda text: False
    any_of_them = re.compile("|".join(f"(?:{pattern})" for pattern in patterns))
    return lambda text: any_of_them.match(text) is not None
