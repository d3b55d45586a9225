"""Evidence from files, folders and pipes, as one set of tables."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from badhop.errors import Cancelled
from badhop.schema import Table
from badhop.sources import capture, taps
from badhop.sources.find import Found, find, together
from badhop.sources.folder import without_evidence
from badhop.sources.live import Enough, never
from badhop.sources.naming import distinct_names
from badhop.sources.options import DEFAULT, Options
from badhop.sources.rotation import Span, in_time_order, joined
from badhop.sources.told import read_others
from badhop.tables import raw_tables

if TYPE_CHECKING:
    import polars as pl

Progress = Callable[[str, int, int | None], bool]
"""Told (what is read, bytes so far, bytes in all or None); returns False to stop."""


@dataclass(frozen=True)
class Source:
    """One thing that was read. `rows` counts what it gives to each table; `problems` are notes on what it did not.

    `path` can be opened again: for a pipe it is the copy of what came through. `files` are those of a rotation, each
    with the number of frames before it; empty for a capture that is one file.
    """

    path: Path
    name: str
    kind: str
    rows: Mapping[str, int]
    problems: tuple[str, ...] = ()
    files: tuple[tuple[Path, int], ...] = ()

    def place(self, frame: int) -> tuple[Path, int]:
        """The file that holds the frame, and its number there."""
        path, before = max((file for file in self.files if file[1] < frame), key=_frames_before, default=(self.path, 0))
        return path, frame - before


def _frames_before(file: tuple[Path, int]) -> int:
    return file[1]


@dataclass(frozen=True, eq=False)
class Incident:
    """All evidence together: every raw table by name, be it empty, and where it came from."""

    frames: "Mapping[str, pl.LazyFrame]"
    sources: tuple[Source, ...]
    shared: Mapping[str, int] = field(default_factory=dict)
    """Rows of the tables that no single source gives."""

    def rows(self, table: str) -> int:
        """Rows that the sources give to a raw table; 0 for any other name."""
        return sum(source.rows.get(table, 0) for source in self.sources) + self.shared.get(table, 0)


def read(
    paths: Sequence[Path | str],
    *,
    progress: Progress | None = None,
    options: Options = DEFAULT,
    enough: Enough = never,
) -> Incident:
    """Reads captures, outputs of tools and logs: files, folders, named pipes, `-` for standard input; all by content.

    A pipe, and with `options.follow` a file, is listened to until its end, for `options.seconds`, or until `enough`.

    One pass over each capture makes the tracked tables; `packets`, `roce` and `pauses` are read when a query asks.
    A capture that several of the paths lead to is read once. The order is the one given, but files of one rotation come
    in the order of their first packets, and those that follow one another are one capture.

    Raises Unreadable for a path that is missing, of no known kind or a folder without anything known; Cancelled.
    """
    report = _report(progress)
    found = find(paths, report, options, enough)
    captures = in_time_order(found.captures, lambda item: item.label, lambda item: capture.begins(item.path))
    captures = _joined(captures, report, options)
    all_names = distinct_names([*(item.label for item in captures), *(item.label for item in found.others)])
    names = all_names[: len(captures)]
    told = read_others(found.others, all_names[len(captures) :], report, options)
    tracked = [_track(item, name, report, options) for item, name in zip(captures, names, strict=True)]
    compared = _compared(captures, names, tracked, report, options)
    sources = [
        Source(
            item.path,
            name,
            result.kind,
            result.rows,
            (*item.notes, *result.problems, *filter(None, [compared.left_out.get(name)])),
            item.starts,
        )
        for item, name, result in zip(captures, names, tracked, strict=True)
    ]
    sources += [
        Source(output.item.path, output.name, ", ".join(output.kinds), output.rows, output.problems)
        for output in told.outputs
    ]
    for folder, notes in found.folders.items():
        if not any(folder in source.path.parents for source in sources):
            raise without_evidence(folder, notes)
        if notes := (*notes, *told.notes.get(folder, ())):
            sources.append(Source(folder, folder.name or str(folder), "folder", {}, notes))
    frames = {
        table.name: _scans(table, captures, names)
        if table.scanned
        else _concatenated(table, tracked, told.frames.get(table.name, ()))
        for table in raw_tables()
    }
    frames |= {name: frame.lazy() for name, frame in compared.frames.items()}
    return Incident(frames, tuple(sources), {name: frame.height for name, frame in compared.frames.items()})


def _joined(captures: Sequence[Found], report: Progress, options: Options) -> tuple[Found, ...]:
    """The files of each rotation as one capture."""
    spans: dict[Path, Span] = {}

    def span_of(item: Found) -> Span | None:
        report(str(item.label), 0, 0)
        span = None if item.growing else capture.span_of(item.path, options)
        return spans.setdefault(item.path, span) if span else None

    return tuple(
        group[0] if len(group) == 1 else together(group, [spans[item.path].frames for item in group])
        for group in joined(captures, lambda item: item.label, span_of)
    )


def _compared(
    captures: Sequence[Found],
    names: Sequence[str],
    tracked: Sequence[capture.Tracked],
    report: Progress,
    options: Options,
) -> taps.Compared:
    """What captures of the same time tell together; `capture_health` knows their times."""
    import polars as pl

    found = []
    for item, name, result in zip(captures, names, tracked, strict=True):
        health = result.frames["capture_health"]
        first, last = health.select(pl.col("first_ts", "last_ts").cast(pl.Int64)).row(0)
        requests, copies = result.frames["roce_qps"].select(pl.col("requests", "duplicates").sum()).row(0)
        found.append(taps.Tap(item.path, name, first, last, taps.mostly_doubled(requests, copies)))
    return taps.compare(found, report, options)


def _track(item: Found, name: str, report: Progress, options: Options) -> capture.Tracked:
    return capture.track(item.files, name, lambda done, size: report(name, done, size), options, growing=item.growing)


def _report(progress: Progress | None) -> Progress:
    """The caller's progress, with Cancelled raised where it returns False: so nobody on the way can forget to stop."""

    def report(what: str, done: int, size: int | None) -> bool:
        if progress is not None and not progress(what, done, size):
            raise Cancelled
        return True

    return report


def _concatenated(
    table: Table, tracked: Sequence[capture.Tracked], told: "Sequence[pl.DataFrame]" = ()
) -> "pl.LazyFrame":
    parts = [*(result.frames[table.name] for result in tracked if table.name in result.frames), *told]
    if not parts:
        return table.empty()
    import polars as pl

    return pl.concat(parts).lazy()


def _scans(table: Table, captures: Sequence[Found], names: Sequence[str]) -> "pl.LazyFrame":
    if not captures:
        return table.empty()
    import polars as pl

    pairs = zip(captures, names, strict=True)
    return pl.concat([capture.scan_capture(item.files, table.name, name) for item, name in pairs])
