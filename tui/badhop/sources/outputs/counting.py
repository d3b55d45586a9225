"""Puts a counter into `counters`: its value as printed, and what the vocabulary knows of its name."""

import math
import re

from badhop import vocabulary
from badhop.sources.outputs.passage import Moment, Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import counters

_NUMBER = re.compile(r"[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?")
_NO_VALUE = frozenset(("", "-", "--", "n/a", "NA", "nan", "NaN", "None", "null", "EINVAL", "Invalid argument"))
_NOT_SET = str(2**64 - 1)
"""What drivers give for a counter that they do not have (Linux, include/linux/ethtool.h: ETHTOOL_STAT_NOT_SET)."""

_LONGEST = 400
"""Characters of a number: those of the largest double and its exponent are fewer."""


def number(text: str) -> float | None:
    """A number as tools print it, with or without thousands' commas. Raises ValueError.

    None for N/A and its like, also `N/A (no PMA)` of a port without counters, and what the kernel says instead.
    """
    stripped = text.strip()
    if stripped in _NO_VALUE or stripped == _NOT_SET or stripped.startswith("N/A"):
        return None
    hexadecimal = stripped[:2] in ("0x", "0X")
    if len(stripped) > _LONGEST or not (hexadecimal or _NUMBER.fullmatch(stripped)):
        raise ValueError(f"{stripped[:40]!r} is no number")
    try:
        amount = float(int(stripped, 16)) if hexadecimal else float(stripped.replace(",", ""))
    except OverflowError:
        amount = math.inf
    if math.isinf(amount):
        raise ValueError(f"{stripped[:40]!r} is larger than any counter")
    return amount


def count(
    rows: Rows,
    passage: Passage,
    line: int | None,
    raw_name: str,
    value: str,
    *,
    dialect: str | None,
    among: tuple[str, ...] = (),
    device: str | None = None,
    sample: int = 1,
    priority: int | None = None,
    queue: int | None = None,
    direction: str | None = None,
    reads: str | None = None,
    host: str | None = None,
    at: Moment | None = None,
) -> None:
    """One reading. Priority, queue and direction are for tables whose columns say them; else the name does.

    `reads` is for tools that print something else than the counter itself. Where the dialect is not known, a name means
    what those `among` which it must be agree on.
    A value that is no number becomes a problem and a row without value.
    """
    meaning = vocabulary.look_up(raw_name, dialect) if dialect else vocabulary.agreed(raw_name, among)
    try:
        amount = number(value)
    except ValueError as error:
        amount = None
        rows.problem(line, f"{raw_name}: {error}", "its row has no value")
    more = {} if host is None else {"host": host}
    if meaning is None:
        rows.unknown(raw_name)
        known: dict[str, str | None] = {}
    else:
        known = {"name": meaning.name, "unit": meaning.unit, "layer": meaning.layer, "reason": meaning.reason}
        reads = reads or meaning.reads
        priority = meaning.priority if priority is None else priority
        queue = meaning.queue if queue is None else queue
        direction = direction or meaning.direction
    rows.add(
        counters.TABLE,
        passage,
        line,
        at=at,
        sample=sample,
        device=device or passage.device,
        priority=priority,
        queue=queue,
        direction=direction,
        raw_name=raw_name,
        reads=reads,
        value=amount,
        dialect=dialect,
        **known,
        **more,
    )
