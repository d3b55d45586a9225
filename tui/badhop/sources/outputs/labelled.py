"""Outputs that are lines of `label: value`, indented under headings: ethtool, ibstat, nvidia-smi -q, lspci."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from badhop.sources.outputs.passage import Passage

DEEPEST = 32
"""Headings above a line that are remembered; the deepest real output has seven."""

_NO_VALUE = frozenset({"", "-", "n/a", "[n/a]", "unknown", "unknown!", "none", "not reported", "not supported"})
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


@dataclass(frozen=True)
class Labelled:
    """A line with its number, the headings above it, its label, and its value without outer blanks ("" if none)."""

    line: int
    above: tuple[str, ...]
    label: str
    value: str
    depth: int
    """Columns of indentation; a tab counts to the next multiple of eight."""


def labelled(passage: Passage) -> Iterator[Labelled]:
    """The lines that have a colon. What stands deeper than a line is below it until a line stands as far left again."""
    stack: list[tuple[int, str]] = []
    for line, text in passage.numbered():
        label, colon, value = text.partition(":")
        stripped = label.strip()
        if not stripped:
            continue
        wide = label.expandtabs()
        depth = len(wide) - len(wide.lstrip())
        while stack and stack[-1][0] >= depth:
            stack.pop()
        if colon:
            yield Labelled(line, tuple(name for _, name in stack), stripped, value.strip(), depth)
        if len(stack) < DEEPEST:
            stack.append((depth, stripped))


def told(value: str) -> str | None:
    """The value; None for N/A and its like."""
    return None if value.strip().lower() in _NO_VALUE else value.strip()


def leading(value: str) -> float | None:
    """The number that a value begins with: `52.40 degrees C`, `16x`, `300.00 W`; None where it begins with none."""
    found = _NUMBER.match(value.strip()[:40])
    return float(found[0]) if found else None


def leading_whole(value: str, most: int = 2**63) -> int | None:
    """The whole number, not negative and at most `most`, that a value begins with."""
    number = leading(value)
    return int(number) if number is not None and 0 <= number <= most and number == int(number) else None
