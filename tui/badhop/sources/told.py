"""The files that are no captures, read as outputs and logs of tools, and those of them that are of no known kind."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from badhop.errors import Unreadable
from badhop.schema import Table, captured
from badhop.sources import archive
from badhop.sources.find import Other
from badhop.sources.folder import left_out
from badhop.sources.options import Options

if TYPE_CHECKING:
    import polars as pl

    from badhop.sources.outputs.content import Content

Report = Callable[[str, int, int | None], bool]


@dataclass(frozen=True)
class Output:
    """A file that was read: what it holds, rows by table, and what of it was not understood."""

    item: Other
    name: str
    kinds: tuple[str, ...]
    rows: Mapping[str, int]
    problems: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Told:
    """All of them together. `notes` are by folder: what was left out there."""

    outputs: tuple[Output, ...] = ()
    frames: "Mapping[str, tuple[pl.DataFrame, ...]]" = field(default_factory=dict)
    notes: Mapping[Path, tuple[str, ...]] = field(default_factory=dict)


def read_others(others: Sequence[Other], names: Sequence[str], report: Report, options: Options) -> Told:
    """Reads each of them. `report(name, done, size)` is told every file.

    Raises Unreadable for a file that was given itself and is of no known kind; Cancelled.
    """
    if not others:
        return Told()
    # Only now: a capture alone need not wait for the readers of a hundred formats.
    from badhop.sources.outputs import read_output

    outputs: list[Output] = []
    frames: dict[str, list[pl.DataFrame]] = {}
    unknown: dict[Path, list[str]] = {}
    for item, name in zip(others, names, strict=True):
        report(name, 0, 0)
        before = len(outputs)
        notes: list[str] = []
        for content in _contents(item, name, notes, report):
            try:
                found = read_output(content, options.host)
            except OSError as error:
                notes.append(f"{content.path}: {error.strerror or error}")
                continue
            if found is None:
                unknown.setdefault(item.path if item.archive else item.folder or item.path, []).append(
                    str(content.path)
                )
                continue
            for table, frame in found.frames.items():
                frames.setdefault(table, []).append(frame)
            if found.problems:
                frames.setdefault("problems", []).append(_problems(found.problems))
            lines = tuple(_line(problem) for problem in found.problems)
            outputs.append(Output(item, content.name, found.kinds, found.rows, lines))
        empty = len(outputs) == before and not item.captures
        if empty and item.folder is None:
            raise _of_no_kind(item, notes)
        if item.archive:
            notes += left_out(unknown.pop(item.path, []))
            outputs.append(Output(item, name, ("archive",), {}, tuple(notes)))
    return Told(
        tuple(outputs),
        {table: tuple(parts) for table, parts in frames.items()},
        {folder: left_out(names) for folder, names in unknown.items()},
    )


def _contents(item: Other, name: str, notes: list[str], report: Report) -> "Iterator[Content]":
    from badhop.sources.outputs.content import member, on_disk

    if not item.archive:
        yield on_disk(item.path, item.inside, name)
        return
    for inner in archive.members(item.path, notes, archive.inner_name(item.inside)):
        report(f"{name}/{inner.path}", 0, None)
        if not inner.is_capture:
            yield member(name, inner.path, inner.content(), inner.mtime)


def _of_no_kind(item: Other, notes: Sequence[str]) -> Unreadable:
    if notes:
        return Unreadable(item.path, "", "; ".join(notes), "check the path and its permissions")
    if item.refusal is None:
        return Unreadable(item.path, "", "of no known kind", "`badhop tables` says what is known")
    said = item.refusal
    what = f"{said.what}, and no output or log of a known tool"
    return Unreadable(said.path, said.place, what, said.next_step)


def _problems(problems: Sequence[Mapping[str, object]]) -> "pl.DataFrame":
    import polars as pl

    table: Table = captured("problems")
    return pl.DataFrame(problems, schema_overrides=table.schema()).select(
        pl.col(name).cast(kind) if name in problems[0] else pl.lit(None, kind).alias(name)
        for name, kind in table.schema().items()
    )


def _line(problem: Mapping[str, object]) -> str:
    where = "" if problem["line"] is None else f"line {problem['line']}: "
    return f"{where}{problem['what']}; {problem['next']}"
