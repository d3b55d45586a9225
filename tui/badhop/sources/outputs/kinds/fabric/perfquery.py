"""`perfquery`: the counters of an InfiniBand port, its name padded with dots; many ports one after another."""

import re
from dataclasses import replace

from badhop.sources.outputs.counting import count
from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.sources.outputs.transcript import words
from badhop.tables import counters

_HEAD = re.compile(r"\s*# Port[\w ]{0,40}[cC]ounters: (.{1,200})")
"""`# Port counters: Lid 6 port 1 (CapMask: 0x1400)`, `# Port extended counters: …`, `# PortXmitDataSL counters: …`"""

_PORT = re.compile(r"(Lid (\d+)|DR path .{1,120}?) port (\d+)")
_LINE = re.compile(r"\s*(\w{2,60}):\.{1,60}(\S{1,60})\s*")
_NO_COUNTER = frozenset({"PortSelect", "CounterSelect", "CounterSelect2"})
_WITH_VALUE = frozenset({"-C", "-P", "-t", "-s", "-y", "--Ca", "--Port", "--timeout", "--sm_port", "--smkey"})


def _recognise(passage: Passage) -> bool:
    opening = passage.opening
    return any(map(_HEAD.match, opening[:2])) and any(map(_LINE.fullmatch, opening))


def _read(passage: Passage, rows: Rows) -> None:
    if _is_of_another(passage.command):
        passage = replace(passage, host=None)
    device, sample = passage.device, None
    for line, text in passage.numbered():
        if head := _HEAD.match(text):
            device, sample = _port(head[1]) or passage.device, None
        elif found := _LINE.fullmatch(text):
            name, value = found.groups()
            if name in _NO_COUNTER:
                continue
            if sample is None:
                sample = rows.sample("perfquery", device, name)
            count(rows, passage, line, name, value, dialect="ib", device=device, sample=sample)
        elif text.strip():
            rows.problem(line, f"no name, dots and value: {text.strip()[:80]!r}")


def _port(head: str) -> str | None:
    """`Lid 6 port 1 (CapMask: 0x1400)` is lid6/1: in a subnet a lid names one node."""
    found = _PORT.match(head)
    return None if found is None else f"{f'lid{found[2]}' if found[2] else found[1]}/{found[3]}"


def _is_of_another(command: str | None) -> bool:
    """Whether the command asked a port by its lid or GUID: then it is not known whose it is."""
    asked = words(command or "")[1:]
    return any(
        not word.startswith("-") and (index == 0 or asked[index - 1] not in _WITH_VALUE)
        for index, word in enumerate(asked)
    )


KIND = Output("perfquery", (counters.TABLE,), _recognise, _read, _HEAD)
