"""Tables as switches print them: under a ruler of dashes for each column, or under a heading whose words mark them.

A table that a terminal wrapped is put together again, and one whose blanks a chat window ate is read by its words. A
line that was cut is told by a column of right-aligned values that it does not reach: that value is not believed.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from badhop.sources.outputs.lines import Lines

MOST_PIECES = 6
"""Lines that one line of a table can be wrapped into: 400 columns on a terminal of 80 are 5."""

_GROUP = re.compile(r"-+")
_GAP = re.compile(r"\s{2,}|\t+")


@dataclass(frozen=True)
class Cut:
    """One line of a table: its cells by the names of their columns. `cut` where it ends before its last value does."""

    line: int
    cells: Mapping[str, str]
    cut: bool = False


@dataclass(frozen=True)
class Ruled:
    """A table under a ruler: what stood on the line above its heading, and its lines."""

    title: str
    heading: tuple[str, ...]
    line: int
    rows: tuple[Cut, ...]
    odd: tuple[int, ...]
    """Lines among its rows that do not fit into its columns."""


@dataclass(frozen=True)
class _Column:
    name: str
    start: int
    end: int
    right: bool


def ruled(lines: Lines) -> Iterator[Ruled]:
    """Every table of a passage whose ruler has at least two columns."""
    texts = lines.texts
    rulers = [(index, pieces) for index in range(len(texts)) if (pieces := _ruler(texts, index))]
    for number, (index, pieces) in enumerate(rulers):
        if index < pieces:
            continue
        width = max(len(texts[at]) for at in (index, index - pieces))
        columns = _columns(_joined(texts, index, pieces, width), _joined(texts, index - pieces, pieces, width))
        if len(columns) < 2:
            continue
        above = index - pieces - 1
        body = range(index + pieces, _end(texts, *rulers[number + 1]) if number + 1 < len(rulers) else len(texts))
        rows, odd = _rows(texts, body, pieces, width, columns, lines.first)
        names = tuple(column.name for column in columns)
        yield Ruled(texts[above].strip() if above >= 0 else "", names, lines.first + index - pieces, rows, odd)


def _end(texts: Sequence[str], ruler: int, pieces: int) -> int:
    """Where a table ends that another one follows: before its heading, and a title after an empty line."""
    heading = max(0, ruler - pieces)
    return heading - 1 if heading > 1 and texts[heading - 1].strip() and not texts[heading - 2].strip() else heading


def _ruler(texts: Sequence[str], index: int) -> int:
    """How many lines the ruler that begins here takes; 0 where none begins."""
    if not _is_ruler(texts[index]) or (index and _is_ruler(texts[index - 1])):
        return 0
    pieces = 1
    while pieces < MOST_PIECES and index + pieces < len(texts) and _is_dashes(texts[index + pieces]):
        pieces += 1
    return pieces


def _is_ruler(text: str) -> bool:
    """Dashes of two columns at least: one run of them is a rule between parts of an output."""
    return "- " in text.rstrip() and "--" in text and _is_dashes(text)


def _is_dashes(text: str) -> bool:
    return "-" in text and not text.strip("- ")


def _joined(texts: Sequence[str], index: int, pieces: int, width: int) -> str:
    *first, last = texts[index : index + pieces]
    return "".join(text.ljust(width) for text in first) + last


def _columns(ruler: str, heading: str) -> list[_Column]:
    columns: list[_Column] = []
    for found in _GROUP.finditer(ruler):
        start, end = found.span()
        name = heading[start:end]
        columns.append(_Column(_once(name.strip(), columns), start, end, name[:1] == " " and name[-1:] != " "))
    words = _GAP.split(heading.strip())
    if len(words) == len(columns) and any(
        not column.name.startswith(word) for column, word in zip(columns, words, strict=True)
    ):
        return [_Column(word, column.start, column.end, False) for word, column in zip(words, columns, strict=True)]
    return columns


def _once(name: str, before: list[_Column]) -> str:
    """A name that no column before has: the second `(dBm)` is `(dBm) 2`."""
    same = sum(column.name == name or column.name.startswith(f"{name} ") for column in before) if name else 0
    return f"{name} {same + 1}" if any(column.name == name for column in before) else name


def _rows(
    texts: Sequence[str], body: range, pieces: int, width: int, columns: list[_Column], first: int
) -> tuple[tuple[Cut, ...], tuple[int, ...]]:
    rows: list[Cut] = []
    odd: list[int] = []
    index, apart = body.start, False
    while index < body.stop:
        if not texts[index].strip():
            index, apart = index + 1, True
            continue
        if _is_dashes(texts[index]):
            break
        text = _joined(texts, index, min(pieces, body.stop - index), width)
        row = _row(text, columns, first + index, loose=not apart)
        if row is not None:
            rows.append(row)
        elif apart:
            break
        elif index + 1 < body.stop or body.stop == len(texts):  # else it is the title of the table after this one
            odd.append(first + index)
        index, apart = index + pieces, False
    return tuple(rows), tuple(odd)


def _row(text: str, columns: list[_Column], line: int, *, loose: bool) -> Cut | None:
    """A line as its columns cut it; `loose`: else by its words, where those are as many."""
    text = text.rstrip()
    gaps = (text[left.end : right.start] for left, right in pairwise(columns))
    if text[: columns[0].start].strip() or any(gap.strip() for gap in gaps):
        for words in (_GAP.split(text.strip()), text.split()):
            if loose and len(words) == len(columns):
                return Cut(line, {column.name: word for column, word in zip(columns, words, strict=True)})
        return None
    if len(text) > columns[-1].end and columns[-1].right:
        return None
    last = max((column for column in columns if column.start < len(text)), key=lambda column: column.start)
    cut = (last.right and len(text) < last.end) or (last is not columns[-1] and columns[-1].right)
    cells = {
        column.name: text[column.start : column.end if column is not columns[-1] else None].strip()
        for column in columns
        if column.start < len(text) and not (column is last and column.right and len(text) < column.end)
    }
    return Cut(line, cells, cut) if cells else None


def spaced(heading: str, names: Sequence[str]) -> list[tuple[str, int]] | None:
    """Where the columns of these names begin in a heading, in order; None where one is missing."""
    found, at = [], 0
    for name in names:
        at = heading.find(name, at)
        if at < 0:
            return None
        found.append((name, at))
        at += len(name)
    return found


def under(columns: Sequence[tuple[str, int]], text: str) -> dict[str, str] | None:
    """The cells of a line under a heading, each from where its column begins; None where a word runs over a boundary.

    A line whose words are as many as the columns is read by its words: some tools do not keep to their own heading.
    """
    starts = [start for _, start in columns]
    text = text.rstrip()
    if all(start >= len(text) or text[start - 1] == " " for start in starts[1:]):
        ends = [*starts[1:], len(text)]
        return {name: text[start:end].strip() for (name, start), end in zip(columns, ends, strict=True)}
    for words in (_GAP.split(text.strip()), text.split()):
        if len(words) == len(columns):
            return {name: word for (name, _), word in zip(columns, words, strict=True)}
    return None
