"""Packet captures: the big tables as polars scans, the tracked tables as frames, one file at a time."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from badhop import _core
from badhop.errors import Cancelled, Unreadable
from badhop.schema import Table, captured_tables
from badhop.sources import cache
from badhop.sources.options import DEFAULT, Options
from badhop.sources.rotation import Span
from badhop.sources.taps import TABLES

if TYPE_CHECKING:
    import polars as pl

BATCH_ROWS = 1 << 17
"""Rows in a batch when polars names no size: large enough that a call costs nothing, small enough to stop early."""

_LONGEST_RECORD = (1 << 18) + 64
"""Bytes of the longest packet that capture tools write (MAXIMUM_SNAPLEN of libpcap) with what stands around it."""


@dataclass(frozen=True, eq=False)
class Tracked:
    """What one pass over a capture gives: its format, the tracked tables, and what of it could not be read."""

    kind: str
    frames: "Mapping[str, pl.DataFrame]"
    rows: Mapping[str, int]
    problems: tuple[str, ...]


def kind_of(path: Path) -> str:
    """`pcap` or `pcapng`, with `+gzip`, `+zstd` and so on, by content. Raises Unreadable for anything else."""
    try:
        return _core.container(path)
    except _core.CaptureError as error:
        raise unreadable(error) from error


def begins(path: Path) -> int | None:
    """Time of the first packet in ns since 1970, UTC; None where there is none or it has no time. Raises Unreadable."""
    try:
        return _core.packet(path, 1).ts
    except IndexError:
        return None
    except _core.CaptureError as error:
        raise unreadable(error) from error


def scan_capture(
    path: Path | str | Sequence[Path], table: str = "packets", source: str | None = None
) -> "pl.LazyFrame":
    """The packets of a pcap or pcapng file, plain or compressed, as a lazy frame; times are UTC.

    The files of one rotation, in the order of time, are one capture, whose frames are numbered through.

    `table` is `packets` (every packet), `roce` (RDMA packets) or `pauses` (pause frames); `badhop tables` tells their
    columns. `source` is what the column of that name says, by default the file name. Columns, filters and row limits
    of a query are pushed into the reader, and nothing is read before `collect`. A damaged packet is a row with a
    reason; of a cut file the rows before the damage come.

    Raises Unreadable when the file is no capture, ValueError for another table name.
    """
    import polars as pl  # first, and then what is in it: see `meanwhile`
    from polars.io.plugins import register_io_source

    files = (Path(path),) if isinstance(path, Path | str) else tuple(path)
    declared = _scanned_table(table)
    kind_of(files[0])
    name = files[0].name if source is None else source

    def read(
        columns: list[str] | None, predicate: pl.Expr | None, rows: int | None, batch_rows: int | None
    ) -> Iterator[pl.DataFrame]:
        # polars counts `rows` after the filter, so only an unfiltered scan can tell the reader where to stop.
        limit = rows if predicate is None else None
        left = rows
        for frame in _core.scan(_given(files), declared.name, name, columns, batch_rows or BATCH_ROWS, limit):
            batch = pl.DataFrame(frame)
            if predicate is not None:
                batch = batch.filter(predicate)
            if left is not None:
                batch = batch.head(left)
                left -= batch.height
            yield batch
            if left == 0:
                return

    return register_io_source(
        read,
        schema=declared.schema(),
        is_pure=True,  # the same file gives the same rows: a query that names a table twice reads it once
        explain_name="badhop",
        explain_detail=f"{table} of {name!r}",  # a name may hold anything, also line ends
    )


def track(
    files: Sequence[Path],
    source: str,
    progress: Callable[[int, int | None], bool] | None = None,
    options: Options = DEFAULT,
    *,
    growing: bool = False,
) -> Tracked:
    """The tracked tables of a capture, in one pass that keeps no packet, or from the cache.

    `files` is one file, or those of a rotation in the order of time. `progress(bytes, size or None)` returns False to
    stop. With `growing` a last packet that is there in part is no damage: the rest of it is still to come.

    Raises Unreadable, Cancelled.
    """
    kind = kind_of(files[0])
    tables = [table for table in captured_tables() if not table.scanned and table.name not in TABLES]

    def schemas() -> "dict[str, dict[str, pl.DataType]]":
        # Without their name: the same capture may have another one the next time.
        return {
            table.name: {name: kind for name, kind in table.schema().items() if name != "source"} for table in tables
        }

    def passed() -> "dict[str, pl.DataFrame]":
        try:
            tracked = _core.track(
                _given(files),
                source,
                progress,
                link_speed=options.link_speed,
                link_speeds=dict(options.nic_speeds),
            )
        except _core.CaptureError as error:
            raise unreadable(error) from error
        except _core.Cancelled as error:
            raise Cancelled from error
        import polars as pl  # not before: loading it takes as long as a pass over a million packets

        frames = {name: pl.DataFrame(frame) for name, frame in tracked.items()}
        for frame in frames.values():
            frame.drop_in_place("source")  # at once, where `drop` is a query
        return frames

    asked = f"track {options.link_speed} {sorted(options.nic_speeds)}"  # pauses are counted in bit times
    kept = cache.through(files, asked, schemas, passed, options)
    frames = {name: _named(frame, source) for name, frame in kept.items()}
    size = sum(path.stat().st_size for path in files)
    if progress is not None and not progress(size, size):
        raise Cancelled
    if growing and "+" not in kind:
        frames = _without_the_last_packet(frames, size)
    return Tracked(kind, frames, _rows(frames), _problems(frames["problems"]))


def span_of(path: Path, options: Options = DEFAULT) -> Span | None:
    """Times, link types and frames of a file, from a walk that decodes no packet; None where no packet has a time.

    Raises Unreadable.
    """
    import polars as pl

    kept = {"first": pl.Datetime("ns"), "last": pl.Datetime("ns"), "frames": pl.UInt64()}
    columns: dict[str, pl.DataType] = {**kept, "link_types": pl.List(pl.UInt64())}

    def walked() -> dict[str, pl.DataFrame]:
        plan = scan_capture(path).select(
            first=pl.col("ts").min(),
            last=pl.col("ts").max(),
            frames=pl.col("frame").max(),
            link_types=pl.col("link_type").unique().sort().cast(pl.UInt64).implode(),
        )
        return {"span": plan.collect()}

    span = cache.through((path,), "span", lambda: {"span": columns}, walked, options)["span"]
    first, last, frames, link_types = span.cast({"first": pl.Int64, "last": pl.Int64}).row(0)
    return None if first is None else Span(first, last, frames, frozenset(link_types))


def _given(files: Sequence[Path]) -> Path | list[Path]:
    """As the reader takes it: a path, or the files of a rotation."""
    return files[0] if len(files) == 1 else list(files)


def _named(frame: "pl.DataFrame", source: str) -> "pl.DataFrame":
    import polars as pl

    return frame.insert_column(0, pl.Series("source", [source]).new_from_index(0, frame.height))


def _without_the_last_packet(frames: "Mapping[str, pl.DataFrame]", size: int) -> "dict[str, pl.DataFrame]":
    """Takes the packet that was still being written out of the problems, and the damage back if there was no other."""
    import polars as pl

    problems, health = frames["problems"], frames["capture_health"]
    of_the_file = pl.col("offset") > 0  # the trackers' own limits have no place in it
    last = (pl.col("frame") == health["packets"].sum()) & (pl.col("offset") + _LONGEST_RECORD >= size)
    left = problems.filter(~(of_the_file & last))
    if left.height == problems.height:
        return dict(frames)
    health = health.with_columns(damaged=pl.lit(not left.filter(of_the_file).is_empty()))
    return dict(frames) | {"problems": left, "capture_health": health}


def unreadable(error: _core.CaptureError) -> Unreadable:
    """The reader's error in the words of `badhop.errors`."""
    place = "" if error.offset is None else f"byte {error.offset}"
    return Unreadable(Path(error.path), place, error.what, error.next)


def _scanned_table(name: str) -> Table:
    scanned = {table.name: table for table in captured_tables() if table.scanned}
    if name not in scanned:
        raise ValueError(f"{name!r} is no table of packets; these are: {', '.join(scanned)}")
    return scanned[name]


def _rows(frames: "Mapping[str, pl.DataFrame]") -> dict[str, int]:
    """Rows that the capture gives to each table; for those that are scanned, the pass has counted them."""
    health = frames["capture_health"]
    counted = {"packets": "packets", "roce": "roce_packets", "pauses": "pause_frames"}
    return {name: frame.height for name, frame in frames.items()} | {
        table: int(health[column].sum()) for table, column in counted.items()
    }


def _problems(problems: "pl.DataFrame") -> tuple[str, ...]:
    return tuple(
        f"byte {row['offset']}, after frame {row['frame']}: {row['what']}; {row['next']}"
        for row in problems.iter_rows(named=True)
    )
