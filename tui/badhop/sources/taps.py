"""Captures that were taken at the same time, compared with each other: the table `segments`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from badhop import _core
from badhop.errors import Cancelled
from badhop.schema import captured_tables
from badhop.sources import cache
from badhop.sources.options import Options

if TYPE_CHECKING:
    import polars as pl

TABLES = ("segments", "segment_losses", "tap_clocks")
"""What several captures of one traffic tell together. None of these tables belongs to a single source."""

Report = Callable[[str, int, int | None], bool]


@dataclass(frozen=True)
class Tap:
    """A capture by its name, and its first and last packet in ns; None where it has none with a time.

    `doubled` means that it holds most packets twice: a mirror of ingress and egress, which is two taps in one file.
    """

    path: Path
    name: str
    first: int | None
    last: int | None
    doubled: bool = False


@dataclass(frozen=True, eq=False)
class Compared:
    """The tables, none where nothing can be compared, and by the name of a capture why it was left out."""

    frames: "Mapping[str, pl.DataFrame]" = field(default_factory=dict)
    left_out: Mapping[str, str] = field(default_factory=dict)


def compare(taps: Sequence[Tap], report: Report, options: Options) -> Compared:
    """Matches the packets of captures whose times overlap, and those of a mirror with their own copies.

    A capture that cannot be read does not lose the rest.

    `report(name, bytes, size or None)` returns False to stop. Raises Cancelled.
    """
    left_out: dict[str, str] = {}
    while together := _overlapping([tap for tap in taps if tap.name not in left_out]):
        try:
            return Compared(_matched(together, report, options), left_out)
        except _core.CaptureError as error:
            gone = _unreadable(together) or dict.fromkeys((tap.name for tap in together), error.what)
            left_out |= {name: f"not compared with the other captures: {what}" for name, what in gone.items()}
    return Compared({}, left_out)


def mostly_doubled(packets: int, copies: int) -> bool:
    """Whether so many packets of a capture are copies that it may be of a mirror of ingress and egress.

    Half of all packets are copies then; comparing it with itself costs a second reading, and tells for sure.
    """
    return packets > 0 and 3 * copies >= packets


def _unreadable(taps: Sequence[Tap]) -> dict[str, str]:
    """Those that cannot even be opened, with the reason: a comparison that fails need not say which one it was."""
    gone = {}
    for tap in taps:
        try:
            _core.container(tap.path)
        except _core.CaptureError as error:
            gone[tap.name] = error.what
    return gone


def _overlapping(taps: Sequence[Tap]) -> tuple[Tap, ...]:
    """Those that have a packet at a time that another one covers, and those that are two taps themselves."""
    return tuple(one for one in taps if one.doubled or any(one is not other and _overlap(one, other) for other in taps))


def _overlap(one: Tap, other: Tap) -> bool:
    if one.first is None or one.last is None or other.first is None or other.last is None:
        return False
    return one.first <= other.last and other.first <= one.last


def _matched(taps: Sequence[Tap], report: Report, options: Options) -> "dict[str, pl.DataFrame]":
    import polars as pl

    given = [(tap.path, tap.name) for tap in taps]
    schemas = {table.name: table.schema() for table in captured_tables() if table.name in TABLES}

    def made() -> "dict[str, pl.DataFrame]":
        try:
            compared = _core.compare_taps(given, report)
        except _core.Cancelled as error:
            raise Cancelled from error
        return {name: pl.DataFrame(frame) for name, frame in compared.items()}

    asked = f"taps {[tap.name for tap in taps]}"
    return cache.through([tap.path for tap in taps], asked, lambda: schemas, made, options)
