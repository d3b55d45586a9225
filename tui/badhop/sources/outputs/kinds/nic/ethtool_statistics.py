"""`ethtool -S`: the driver's own counters of a network interface."""

import re

from badhop import vocabulary
from badhop.sources.outputs.counting import count
from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.sources.outputs.transcript import words
from badhop.tables import counters

_DIALECTS = ("mlx5", "bnxt", "broadcom", "ice", "i40e", "ena", "hns3", "ionic", "sfc", "virtual", "ethtool")
"""Drivers of network interfaces whose names the vocabulary has."""

_HEADING = re.compile(r"(?:NIC statistics|Standard stats for ([\w.-]{1,40})):")
"""The second is of `--all-groups`: the names of IEEE 802.3 and RFC 2819, the same for every driver."""

_LINE = re.compile(r"(?:\[\d+\]: |[a-z]+\d+: )?[A-Za-z][\w.\[\]-]*: -?[\d,]+")
_FEW = 3
"""Lines without heading and command that are enough when one driver has all their names."""


def _recognise(passage: Passage) -> bool:
    """By its heading, by the command, or when all lines are names and numbers of a network interface."""
    opening = passage.opening
    if opening and _HEADING.fullmatch(opening[0]):
        return True
    if _is_command(passage.command):
        return any(_LINE.fullmatch(text) for text in opening)
    if len(opening) < _FEW or not all(_LINE.fullmatch(text) for text in opening):
        return False
    names = [text.strip().rpartition(": ")[0] for text in passage.lines.texts if ": " in text]
    if len(opening) == 8:
        return 2 * sum("rx" in name or "tx" in name for name in names) > len(names)
    dialect = vocabulary.dialect_of(names, _DIALECTS)
    return dialect is not None and all(vocabulary.look_up(name, dialect) for name in names)


def _is_command(command: str | None) -> bool:
    if command is None or "ethtool" not in command:
        return False
    found = [word.rsplit("/", 1)[-1] for word in words(command)]
    return "ethtool" in found and ("-S" in found or "--statistics" in found)


def _read(passage: Passage, rows: Rows) -> None:
    found = []
    device = passage.device
    for line, text in passage.numbered():
        stripped = text.strip()
        if heading := _HEADING.fullmatch(stripped):
            device = heading[1] or device
        if not stripped or heading:
            continue
        name, colon, value = stripped.rpartition(": ")
        if colon and value:
            found.append((line, name, value))
        else:
            rows.problem(line, f"no name and value: {stripped[:80]!r}")
    if not found:
        return
    dialects = vocabulary.best_dialects((name for _, name, _ in found), _DIALECTS)
    sample = rows.sample("ethtool -S", passage.host, device)
    for line, name, value in found:
        dialect = dialects[0] if len(dialects) == 1 else None
        count(rows, passage, line, name, value, dialect=dialect, among=dialects, device=device, sample=sample)


KIND = Output("ethtool -S", (counters.TABLE,), _recognise, _read, re.compile(rf"\s*{_HEADING.pattern}\s*$"))
