"""`nstat` as text and JSON: the counters of all sockets of a host.

Without -a it prints what came since it was called last; which it was, only the command line tells.
"""

import re
from collections.abc import Iterator

from badhop.sources.outputs import json_text
from badhop.sources.outputs.counting import count
from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.sources.outputs.transcript import words
from badhop.tables import counters

_LINE = re.compile(r"((?:Ip|Icmp|Tcp|Udp|MPTcp|Sctp)\w{2,60})\s{1,80}(-?\d{1,20})\s{1,80}\d{1,12}\.\d\s*")
_OBJECT = re.compile(r"\{\s*\"kernel\"\s*:\s*\{\s*\"[A-Z]")
_BEGIN = re.compile(r"#(?:kernel|\d+\.\d+ \S.*)\s*$")


def _recognise(passage: Passage) -> bool:
    opening = passage.opening
    if not opening:
        return False
    if opening[0].startswith("{"):
        return bool(_OBJECT.match("".join(opening[:3])))
    if _BEGIN.match(opening[0]):
        return any(map(_LINE.fullmatch, opening))
    return all(map(_LINE.fullmatch, opening))


def _read(passage: Passage, rows: Rows) -> None:
    found = (
        _of_json(passage, rows) if passage.opening and passage.opening[0].startswith("{") else _of_text(passage, rows)
    )
    sample = rows.sample("nstat", passage.host)
    for line, name, value in found:
        count(rows, passage, line, name, value, dialect="linux", sample=sample, reads=_reads(passage.command))


def _of_text(passage: Passage, rows: Rows) -> Iterator[tuple[int, str, str]]:
    for line, text in passage.numbered():
        if found := _LINE.fullmatch(text.strip()):
            yield line, found[1], found[2]
        elif text.strip() and not text.startswith("#"):
            rows.problem(line, f"no name, value and rate: {text.strip()[:80]!r}")


def _of_json(passage: Passage, rows: Rows) -> Iterator[tuple[int, str, str]]:
    line = passage.lines.first
    found = json_text.parsed(passage, rows, "nstat")
    kernel = found.get("kernel") if isinstance(found, dict) else None
    for name, value in kernel.items() if isinstance(kernel, dict) else ():
        if isinstance(value, int) and not isinstance(value, bool):
            yield line, name, str(value)


def _reads(command: str | None) -> str | None:
    """None where the vocabulary says it."""
    if command is None or "nstat" not in command:
        return "unknown"
    options = [word for word in words(command) if word.startswith("-")]
    absolute = any(option == "--ignore" or (option[1:2] != "-" and "a" in option) for option in options)
    return None if absolute else "delta"


KIND = Output("nstat", (counters.TABLE,), _recognise, _read, _BEGIN)
