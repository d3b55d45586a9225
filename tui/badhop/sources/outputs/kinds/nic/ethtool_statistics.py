"""`ethtool -S`: the driver's own counters of a network interface."""

import re

from badhop import vocabulary
from badhop.sources.outputs.counting import count
from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.sources.outputs.transcript import words
from badhop.tables import counters

_DIALECTS = ("mlx5",)
"""Drivers whose names the vocabulary has."""

_LINE = re.compile(r"\s*([A-Za-z\[].*?):\s*(\S.*?)\s*")
_BARE = re.compile(r"[a-z][\w.\[\]-]*: -?\d+")


def _recognise(passage: Passage) -> bool:
    """By its heading; without it, by the command, or when it is long and all lines are lower-case names and numbers."""
    opening = passage.opening
    if opening and opening[0] == "NIC statistics:":
        return True
    if passage.command is not None and words(passage.command)[:2] == ("ethtool", "-S"):
        return any(_BARE.fullmatch(text) for text in opening)
    return len(opening) == 8 and all(_BARE.fullmatch(text) for text in opening) and _is_known(passage)


def _is_known(passage: Passage) -> bool:
    """Whether a list of names and numbers without heading is one of a NIC: most names have a direction."""
    names = [text.split(":")[0] for text in passage.lines.texts if ":" in text]
    directed = sum("rx" in name or "tx" in name for name in names)
    return 2 * directed > len(names)


def _read(passage: Passage, rows: Rows) -> None:
    found = []
    for line, text in passage.numbered():
        if not text.strip() or text.strip() == "NIC statistics:":
            continue
        if split := _LINE.fullmatch(text):
            name, value = split.groups()
            if ": " in value:  # rxq0: rx_pkts: 5000000
                inner, value = value.rsplit(": ", 1)
                name = f"{name}: {inner}"
            found.append((line, name, value))
        else:
            rows.problem(line, f"no name and value: {text.strip()[:80]!r}")
    dialect = vocabulary.dialect_of((name for _, name, _ in found), _DIALECTS)
    for line, name, value in found:
        count(rows, passage, line, name, value, dialect=dialect)


KIND = Output("ethtool -S", (counters.TABLE,), _recognise, _read, re.compile(r"\s*NIC statistics:\s*$"))
