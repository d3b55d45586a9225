"""Evidence from files, folders and pipes, as one set of tables."""

import stat
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import polars as pl

from badhop.errors import Cancelled, Unreadable
from badhop.schema import Table, raw_tables
from badhop.sources import capture
from badhop.sources.folder import captures_in
from badhop.sources.naming import distinct_names
from badhop.sources.options import DEFAULT, Options
from badhop.sources.pipe import spool
from badhop.sources.rotation import in_time_order

Progress = Callable[[str, int, int | None], bool]
"""Told (what is read, bytes so far, bytes in all or None); returns False to stop."""


@dataclass(frozen=True)
class Source:
    """One thing that was read. `rows` counts what it gives to each table; `problems` are notes on what it did not.

    `path` can be opened again: for a pipe it is the copy of what came through.
    """

    path: Path
    name: str
    kind: str
    rows: Mapping[str, int]
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Incident:
    """All evidence together: every raw table by name, be it empty, and where it came from."""

    frames: Mapping[str, pl.LazyFrame]
    sources: tuple[Source, ...]

    def rows(self, table: str) -> int:
        """Rows that the sources give to a raw table; 0 for any other name."""
        return sum(source.rows.get(table, 0) for source in self.sources)


def read(paths: Sequence[Path | str], *, progress: Progress | None = None, options: Options = DEFAULT) -> Incident:
    """Reads captures: files, folders (whose captures are found by content), named pipes, `-` for standard input.

    One pass over each capture makes the tracked tables; `packets`, `roce` and `pauses` are read when a query asks.
    A capture that several of the paths lead to is read once. The order is the one given, but files of one rotation come
    in the order of their first packets.

    Raises Unreadable for a path that is missing, is no capture or holds none; Cancelled.
    """
    report = _report(progress)
    found = tuple(_find(paths, report))
    captures = _once([item for item in found if isinstance(item, _Capture)])
    captures = in_time_order(captures, lambda item: item.label, lambda item: capture.begins(item.path))
    names = distinct_names([item.label for item in captures])
    tracked = [_track(item, name, report, options) for item, name in zip(captures, names, strict=True)]
    sources = [
        Source(item.path, name, result.kind, result.rows, (*item.notes, *result.problems))
        for item, name, result in zip(captures, names, tracked, strict=True)
    ]
    folders = [item for item in found if isinstance(item, Source)]
    frames = {
        table.name: _scans(table, captures, names) if table.scanned else _concatenated(table, tracked)
        for table in raw_tables()
    }
    return Incident(frames, (*sources, *folders))


@dataclass(frozen=True)
class _Capture:
    """A capture to read, the path that the user knows it by, and notes on it."""

    path: Path
    label: Path
    notes: tuple[str, ...] = ()


def _find(paths: Sequence[Path | str], report: Progress) -> Iterator[_Capture | Source]:
    """The captures that the paths lead to, and for each folder with notes a source that carries them."""
    for given in paths:
        path = Path(given)
        if given == "-":
            yield _standard_input(report)
            continue
        try:
            mode = path.stat().st_mode
        except OSError as error:
            raise Unreadable(path, "", error.strerror or str(error), "check the path and its permissions") from error
        if stat.S_ISDIR(mode):
            folder = captures_in(path, lambda file: report(str(file), 0, None))
            yield from (_Capture(file, file) for file in folder.captures)
            if folder.notes:
                yield Source(path, path.name or str(path), "folder", {}, folder.notes)
        elif stat.S_ISFIFO(mode):
            with path.open("rb") as stream:
                yield _piped(stream, path, report)
        elif stat.S_ISREG(mode):
            capture.kind_of(path)  # before any long pass over the files ahead of it
            yield _Capture(path, path)
        else:
            raise Unreadable(path, "", "neither a file, a folder nor a pipe", "give a capture or a folder of captures")


def _standard_input(report: Progress) -> _Capture:
    if sys.stdin.isatty():
        raise Unreadable(Path("-"), "", "standard input is a terminal", "pipe a capture into it, as from tcpdump -w -")
    return _piped(sys.stdin.buffer, Path("stdin"), report)


def _piped(stream: BinaryIO, label: Path, report: Progress) -> _Capture:
    copy = spool(stream, lambda size: report(str(label), size, None))
    try:
        capture.kind_of(copy.path)
    except Unreadable as error:
        raise Unreadable(label, error.place, error.what, error.next_step) from error
    return _Capture(copy.path, label, (copy.note,))


def _once(captures: Sequence[_Capture]) -> tuple[_Capture, ...]:
    """Without those that are the same file by another path, or given again."""
    first: dict[Path, _Capture] = {}
    for item in captures:
        first.setdefault(item.path.resolve(), item)
    return tuple(first.values())


def _track(item: _Capture, name: str, report: Progress, options: Options) -> capture.Tracked:
    return capture.track(item.path, name, lambda done, size: report(name, done, size), options)


def _report(progress: Progress | None) -> Progress:
    """The caller's progress, with Cancelled raised where it returns False: so nobody on the way can forget to stop."""

    def report(what: str, done: int, size: int | None) -> bool:
        if progress is not None and not progress(what, done, size):
            raise Cancelled
        return True

    return report


def _concatenated(table: Table, tracked: Sequence[capture.Tracked]) -> pl.LazyFrame:
    if not tracked:
        return table.empty()
    return pl.concat([result.frames[table.name] for result in tracked]).lazy()


def _scans(table: Table, captures: Sequence[_Capture], names: Sequence[str]) -> pl.LazyFrame:
    if not captures:
        return table.empty()
    pairs = zip(captures, names, strict=True)
    return pl.concat([capture.scan_capture(item.path, table.name, name) for item, name in pairs])
