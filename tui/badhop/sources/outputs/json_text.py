"""JSON in a passage: read whole, or told as cut or broken."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows


def begins_object(passage: Passage, *keys: str) -> bool:
    """Whether it begins as an object and all of these keys stand near its start."""
    start = passage.text.lstrip()[:2000]
    return start.startswith("{") and all(f'"{key}"' in start for key in keys)


def loaded(text: str) -> Any:
    """The value of a text; None when it is cut or broken."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def parsed(passage: Passage, rows: Rows, what: str) -> Any:
    """The value; None, with a problem, when it is cut or broken. `what` is whose JSON it is."""
    try:
        return json.loads(passage.text)
    except (ValueError, RecursionError) as error:
        line = passage.lines.first + getattr(error, "lineno", 1) - 1
        rows.problem(line, f"JSON of {what} that is cut or broken: {str(error)[:80]}", "nothing of it was read")
        return None


def at(value: Any, *path: str | int) -> Any:
    """What stands at a path of keys and indices; None where there is no such place."""
    for step in path:
        if isinstance(value, dict):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            return None
    return value


def objects(value: Any) -> Iterator[Mapping[str, Any]]:
    """The objects of a list; none of anything else."""
    for item in value if isinstance(value, list) else ():
        if isinstance(item, dict):
            yield item


def text(value: Any) -> str | None:
    """A text that says something; None for anything else, for nothing, and for the `-` of a log."""
    return value if isinstance(value, str) and value not in ("", "-") else None


def amount(value: Any) -> float | None:
    """A number, also one written as a string; None for anything else, and for what is not finite."""
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if abs(value) <= _LARGEST else None


def whole(value: Any) -> int | None:
    """A whole number that is not negative, also one written as a string; None for anything else."""
    number = amount(value)
    return int(number) if number is not None and number >= 0 and number == int(number) else None


_LARGEST = 1.7e308
"""Above it a float is infinite; a JSON file may say 1e999."""
