"""What is special about the JSON that switches print: lists of one without brackets, and lines of its outer keys."""

import re
from collections.abc import Callable
from typing import Any

from badhop.sources.outputs.passage import Passage

_KEY = re.compile(r'"((?:[^"\\]|\\.){1,200})"\s*:')


def begins_json(passage: Passage) -> bool:
    """Whether it may be JSON: cheap, before a search for its keys."""
    return bool(passage.opening) and passage.opening[0][0] in "{["


def head(passage: Passage) -> str:
    """The first lines of the passage, in which the keys that tell its kind must be."""
    return "\n".join(text[:4096] for text in passage.lines.texts[:64])


def lines_of_keys(passage: Passage) -> Callable[[str], int | None]:
    """The first line that begins with a key; None for one that stands on no line of its own."""
    found: dict[str, int] = {}
    for line, text in passage.numbered():
        if key := _KEY.match(text.lstrip(" \t[{,")):
            found.setdefault(key[1], line)
    return found.get


def entries(value: Any) -> list[tuple[str, dict[str, Any]]]:
    """Keys of an object whose values are objects."""
    return (
        [(str(key), inner) for key, inner in value.items() if isinstance(inner, dict)]
        if isinstance(value, dict)
        else []
    )


def several(value: Any) -> list[Any]:
    """A list as it is; one alone, as NX-OS and lldpctl print it, as a list of one; nothing as an empty one."""
    return value if isinstance(value, list) else [] if value is None else [value]


def text(value: Any) -> str | None:
    """A number or word as text; None for null, lists and objects."""
    return str(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else None
