"""`grep -r . /sys/class/infiniband`, `grep . *`: many counters of sysfs, each with its path before its value."""

import re
from collections.abc import Iterator
from pathlib import PurePath

from badhop.sources.outputs.counting import count
from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.nic.sysfs_place import SysfsPlace, place_of
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import counters

_FOLDERS = ("counters/", "counters_ext/", "statistics/", "/carrier_")
_NAME = re.compile(r"/?(\w+)[:=\s]\s*(.*)", re.DOTALL)
"""After the folder; grep puts a colon between path and value, scripts put what they like."""


def _recognise(passage: Passage) -> bool:
    return any(_split(text) is not None for text in passage.opening)


def _split(text: str) -> tuple[SysfsPlace, str] | None:
    """The counter and its value; None where the line is not of this form."""
    if len(text) > _LONGEST:
        return None
    for folder in _FOLDERS:
        start = text.find(folder)
        if start >= 0 and (found := _NAME.match(text, start + folder.index("/"))):
            path = text[: found.end(1)].split()
            place = place_of(PurePath(path[-1]))
            return None if place is None else (place, found[2])
    return None


def _read(passage: Passage, rows: Rows) -> None:
    samples: dict[str | None, int] = {}
    for line, place, value in _found(passage):
        if place.device not in samples:
            samples[place.device] = rows.sample("sysfs", passage.host, place.device)
        count(
            rows,
            passage,
            line,
            place.name,
            value,
            dialect=place.dialects[0] if len(place.dialects) == 1 else None,
            among=place.dialects,
            device=place.device,
            sample=samples[place.device],
        )


def _found(passage: Passage) -> Iterator[tuple[int, SysfsPlace, str]]:
    for line, text in passage.numbered():
        if len(text) < _LONGEST and (found := _split(text)):
            yield line, *found


_LONGEST = 4096
"""Characters of a line: PATH_MAX of Linux."""

KIND = Output("sysfs counters", (counters.TABLE,), _recognise, _read)
