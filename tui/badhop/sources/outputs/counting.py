"""Puts a counter into `counters`: its value as printed, and what the vocabulary knows of its name."""

import re

from badhop import vocabulary
from badhop.sources.outputs.passage import Moment, Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import counters

_NUMBER = re.compile(r"[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?")
_NO_VALUE = frozenset(("", "-", "--", "N/A", "n/a", "NA", "nan", "NaN", "None", "null"))


def number(text: str) -> float | None:
    """A number as tools print it, with or without thousands' commas; None for N/A and its like. Raises ValueError."""
    stripped = text.strip()
    if stripped in _NO_VALUE:
        return None
    if stripped[:2] in ("0x", "0X"):
        return float(int(stripped, 16))
    if _NUMBER.fullmatch(stripped) is None:
        raise ValueError(f"{stripped[:40]!r} is no number")
    return float(stripped.replace(",", ""))


def count(
    rows: Rows,
    passage: Passage,
    line: int | None,
    raw_name: str,
    value: str,
    *,
    dialect: str | None,
    device: str | None = None,
    sample: int = 1,
    priority: int | None = None,
    queue: int | None = None,
    direction: str | None = None,
    host: str | None = None,
    at: Moment | None = None,
) -> None:
    """One reading. Priority, queue and direction are for tables whose columns say them; else the name does.

    A value that is no number becomes a problem and a row without value.
    """
    meaning = vocabulary.look_up(raw_name, dialect) if dialect else None
    try:
        amount = number(value)
    except ValueError as error:
        amount = None
        rows.problem(line, f"{raw_name}: {error}", "its row has no value")
    more = {} if host is None else {"host": host}
    if meaning is None:
        rows.unknown(raw_name)
        known = {}
    else:
        known = {"name": meaning.name, "unit": meaning.unit}
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
        value=amount,
        dialect=dialect,
        **known,
        **more,
    )
