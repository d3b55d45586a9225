"""Values of JSON and of pickles by the type that their writer gives them. What is of another type is null."""

from collections.abc import Mapping
from typing import Any


def mapping(value: object) -> Mapping[Any, Any]:
    """A dict; an empty one where it is none."""
    return value if isinstance(value, Mapping) else {}


def mappings(value: object) -> list[Mapping[Any, Any]]:
    """The dicts of a list."""
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []


def text(value: object) -> str | None:
    """A text that is not empty."""
    return value if isinstance(value, str) and value else None


def word(value: object) -> str | None:
    """A text, or a number as text: names are one or the other, depending on the release."""
    return str(value) if isinstance(value, int | str) and not isinstance(value, bool) and value != "" else None


def signed(value: object) -> int | None:
    """A whole number of eight bytes, or the text of one: the JSON of some releases quotes them."""
    if isinstance(value, str) and len(value) < 20:
        digits = value.removeprefix("-")
        value = int(value) if digits.isascii() and digits.isdigit() else None
    return value if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**63 else None


def whole(value: object, below: int = 2**63) -> int | None:
    """The same from 0 to below a limit."""
    found = signed(value)
    return found if found is not None and 0 <= found < below else None


def number(value: object) -> float | None:
    """A number that is not below zero, also with a fraction."""
    known = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if known and isinstance(value, int | float) and 0 <= value < 2**63 else None


def flag(value: object) -> bool | None:
    """A bool, also as 0 or 1."""
    return bool(value) if isinstance(value, bool | int) and value in (0, 1) else None
