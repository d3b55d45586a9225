"""What one command of SONiC prints as a table, and kinds that read every such table of a passage.

A passage is named by its first table. All of its tables are read, whatever they are: people paste several commands in a
row, and several readings of one.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from badhop.schema import Table
from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.switch.columns import Ruled, ruled
from badhop.sources.outputs.kinds.switch.readings import Readings
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows

DIALECT = "sonic"

ABSENT = frozenset(("", "N/A", "None", "-", "--", "Unknown", "Never"))
"""Words of SONiC for what it does not know."""

_PERIOD = re.compile(r"The rates are calculated within (\d{1,6}) seconds period")


@dataclass(frozen=True)
class Place:
    """Where the rows of a table go."""

    passage: Passage
    rows: Rows
    readings: Readings
    period: int | None = None
    """Seconds in which it was counted, where the command waited between two readings and printed the difference."""


@dataclass(frozen=True)
class Printed:
    """One command's table, known by the names of its first columns."""

    name: str
    begins_with: tuple[str, ...]
    fills: tuple[Table, ...]
    read: Callable[[Ruled, Place], None]


def kinds_of(printed: Sequence[Printed]) -> tuple[Output, ...]:
    """A kind for each command's name; each of them reads all tables of the passage that it claims."""
    by_name: dict[str, list[Printed]] = {}
    for one in printed:
        by_name.setdefault(one.name, []).append(one)

    def read(passage: Passage, rows: Rows) -> None:
        place = Place(passage, rows, Readings(rows, passage, DIALECT), period_of(passage))
        _since_clear(passage, rows)
        for table in ruled(passage.lines):
            one = _whose(table.heading, printed)
            if one is not None:
                one.read(table, place)
                _tell(table, rows)

    def recognise(name: str) -> Callable[[Passage], bool]:
        def is_it(passage: Passage) -> bool:
            one = _first(passage.opening, printed)
            return one is not None and one.name == name

        return is_it

    return tuple(
        Output(name, tuple({table.name: table for one in ones for table in one.fills}.values()), recognise(name), read)
        for name, ones in by_name.items()
    )


def known(text: str | None) -> str | None:
    """The word of a cell; None where it says that nothing is known."""
    return None if text is None or text in ABSENT else text


def _first(opening: Iterable[str], printed: Sequence[Printed]) -> Printed | None:
    """Whose heading is the first that stands above a ruler."""
    above = ""
    for text in opening:
        if "--" in text and not text.strip("- "):
            words = " ".join(above.split()) + " "
            for one in printed:
                if words.startswith(" ".join(one.begins_with) + " "):
                    return one
        above = text
    return None


def _whose(heading: tuple[str, ...], printed: Sequence[Printed]) -> Printed | None:
    return next((one for one in printed if heading[: len(one.begins_with)] == one.begins_with), None)


def _tell(table: Ruled, rows: Rows) -> None:
    for line in table.odd:
        rows.problem(line, f"does not fit the columns of the table of line {table.line}")
    for row in table.rows:
        if row.cut:
            rows.problem(row.line, "the line is cut", "the values before the cut were read")


def period_of(passage: Passage) -> int | None:
    """Seconds between the two readings whose difference is printed; None for totals."""
    found = (_PERIOD.fullmatch(text) for text in passage.opening)
    return next((int(one[1]) for one in found if one), None)


def _since_clear(passage: Passage, rows: Rows) -> None:
    for line, text in passage.numbered():
        if text.startswith("Last cached time was "):
            rows.problem(
                line,
                f"counts since this user's own clear at {text.removeprefix('Last cached time was ')[:40].strip()}",
                "not comparable with what another user reads; COUNTERS_DB has the whole",
            )
