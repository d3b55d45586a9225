"""What the lines of all trainers share: a time and a rank before the text, numbers in many spellings, named values."""

import re
from collections.abc import Iterable

from badhop.sources.outputs import clock
from badhop.sources.outputs.passage import Moment

_TIME = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?")
_RANK = re.compile(r"\[rank ?(\d{1,8})\]", re.IGNORECASE)
_NUMBER = re.compile(r"[-+]?(?:\d{1,3}(?:,\d{3}){1,6}|\d{1,24})?(?:\.\d{1,30})?(?:[eE][-+]?\d{1,3})?")

_LONGEST_HEAD = 160
"""Characters in which time and rank stand."""

LONGEST = 4096
"""Characters of a line that are read."""


def moment(text: str) -> Moment | None:
    """The first time in the head of a line, as trainers' loggers write it; UTC where it names no zone."""
    found = _TIME.search(text[:_LONGEST_HEAD])
    ts = clock.rfc3339(found[0]) if found else None
    return None if ts is None else Moment(ts, "line")


def rank(text: str) -> int | None:
    """`[rank3]:` of torchrun, `[Rank 0]` of DeepSpeed; `[default3]:` is a rank of the host and tells nothing."""
    found = _RANK.search(text[:_LONGEST_HEAD])
    return int(found[1]) if found else None


def number(text: str | None) -> float | None:
    """`10,050`, `1.118665E+01`, `nan`: None for what is no number, for none of them is a measurement."""
    if text is None or not text or not _NUMBER.fullmatch(text):
        return None
    try:
        return float(text.replace(",", ""))
    except ValueError:  # a sign or a point alone
        return None


def whole(text: str | None) -> int | None:
    """A whole number, also as `794.0`."""
    found = number(text)
    return int(found) if found is not None and found == int(found) and 0 <= found < 2**63 else None


def named(parts: Iterable[str]) -> dict[str, str]:
    """`learning rate: 9.150E-06` → its name and first word; names in lower case, of two the last."""
    values = {}
    for part in parts:
        name, colon, value = part.partition(":")
        if colon and (words := value.split()):
            values[" ".join(name.lower().split())] = words[0]
    return values
