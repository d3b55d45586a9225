"""Captures that were taken at the same time, compared with each other: the table `segments`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from badhop import _core
from badhop.errors import Cancelled
from badhop.schema import raw_tables
from badhop.sources import cache
from badhop.sources.options import Options

TABLE = "segments"


@dataclass(frozen=True)
class Tap:
    """A capture by its name, and its first and last packet in ns; None where it has none with a time."""

    path: Path
    name: str
    first: int | None
    last: int | None


@dataclass(frozen=True, eq=False)
class Compared:
    """The table, None where nothing can be compared, and by the name of a capture why it was left out."""

    frame: pl.DataFrame | None = None
    left_out: Mapping[str, str] = field(default_factory=dict)


def is_compared() -> bool:
    """Whether the built reader compares captures at all."""
    return hasattr(_core, "segments") and any(table.name == TABLE for table in raw_tables())


def compare(taps: Sequence[Tap], report: Callable[[int, int | None], bool], options: Options) -> Compared:
    """Matches the packets of the captures whose times overlap. One that cannot be read does not lose the rest.

    `report(bytes, size or None)` returns False to stop. Raises Cancelled.
    """
    left_out: dict[str, str] = {}
    while len(together := _overlapping([tap for tap in taps if tap.name not in left_out])) > 1:
        try:
            return Compared(_matched(together, report, options), left_out)
        except _core.CaptureError as error:
            failed = next((tap for tap in together if str(tap.path) == str(error.path)), None)
            if failed is None:
                return Compared(None, dict.fromkeys((tap.name for tap in together), f"not compared: {error.what}"))
            left_out[failed.name] = f"not compared with the other captures: {error.what}"
    return Compared(None, left_out)


def _overlapping(taps: Sequence[Tap]) -> tuple[Tap, ...]:
    """Those that have a packet at a time that another one covers."""
    return tuple(one for one in taps if any(one is not other and _overlap(one, other) for other in taps))


def _overlap(one: Tap, other: Tap) -> bool:
    if one.first is None or one.last is None or other.first is None or other.last is None:
        return False
    return one.first <= other.last and other.first <= one.last


def _matched(taps: Sequence[Tap], report: Callable[[int, int | None], bool], options: Options) -> pl.DataFrame:
    paths, names = [tap.path for tap in taps], [tap.name for tap in taps]
    schema = next(table.schema() for table in raw_tables() if table.name == TABLE)

    def made() -> dict[str, pl.DataFrame]:
        try:
            return {TABLE: pl.DataFrame(_core.segments(paths, names, report))}  # type: ignore[attr-defined]
        except _core.Cancelled as error:
            raise Cancelled from error

    return cache.through(paths, f"{TABLE} of {names}", {TABLE: schema}, made, options)[TABLE]
