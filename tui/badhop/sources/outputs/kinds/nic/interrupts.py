"""/proc/interrupts: how often each interrupt came, all CPUs together; a NIC has one for each of its queues."""

import re

from badhop.sources.outputs.counting import count
from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import counters

_HEAD = re.compile(r"\s*CPU\d+(?:\s+CPU\d+)*\s*")
_ROW = re.compile(r"\s*([A-Za-z0-9]{1,8}):\s")


def _recognise(passage: Passage) -> bool:
    opening = passage.opening
    return len(opening) > 1 and _HEAD.fullmatch(opening[0]) is not None and _ROW.match(opening[1]) is not None


def _read(passage: Passage, rows: Rows) -> None:
    cpus = 0
    for line, text in passage.numbered():
        if _HEAD.fullmatch(text):
            cpus = len(text.split())
        elif cpus and (row := _ROW.match(text)):
            words = text[row.end() :].split()
            counts = words[:cpus]
            short = len(counts) < cpus and row[1] not in _OF_ALL
            if short or not all(word.isdecimal() for word in counts):
                rows.problem(line, f"{cpus} CPUs but not as many numbers: {text.strip()[:80]!r}")
                continue
            device = " ".join((row[1], *words[cpus:])) if words[cpus:] else row[1]
            sample = rows.sample("/proc/interrupts", passage.host, row[1])
            total = str(sum(map(int, counts)))
            count(rows, passage, line, "interrupts", total, dialect="linux", device=device[:_LONGEST], sample=sample)
        elif text.strip():
            rows.problem(line, f"no interrupt: {text.strip()[:80]!r}")


_OF_ALL = ("ERR", "MIS")
"""One number, for all CPUs."""

_LONGEST = 200
"""Characters of an interrupt's name: number, chip, kind and those who asked for it."""

KIND = Output("/proc/interrupts", (counters.TABLE,), _recognise, _read)
