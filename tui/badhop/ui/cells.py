"""How a value looks in a cell: times, durations, lists and unknowns, the same in every table."""

from collections.abc import Callable
from datetime import UTC, datetime

import polars as pl

from badhop.printable import printable

UNKNOWN = "-"
_NS = 1_000_000_000


def page(frame: pl.DataFrame) -> list[tuple[str, ...]]:
    """The rows of a (small) frame as text, escaped."""
    return list(zip(*(_column(series) for series in frame.iter_columns()), strict=True))


def row(frame: pl.DataFrame, index: int) -> list[tuple[str, str]]:
    """(column, full text) of one row; times with their date."""
    one = frame.slice(index, 1)
    return [(printable(series.name), _column(series, time=full_time)[0]) for series in one.iter_columns()]


def is_number(dtype: pl.DataType) -> bool:
    """Numbers and durations stand to the right, so that digits line up."""
    return dtype.is_numeric() or isinstance(dtype, pl.Duration)


def clock(ns: int) -> str:
    """Nanoseconds since 1970 as the time of day, UTC."""
    second, rest = divmod(ns, _NS)
    return f"{datetime.fromtimestamp(second, UTC):%H:%M:%S}.{rest:09d}"


def full_time(ns: int) -> str:
    """Nanoseconds since 1970 as date and time, UTC."""
    second, rest = divmod(ns, _NS)
    return f"{datetime.fromtimestamp(second, UTC):%Y-%m-%d %H:%M:%S}.{rest:09d} UTC"


def duration(ns: int) -> str:
    """Nanoseconds in the unit that reads best."""
    size = abs(ns)
    if size < 1_000:
        return f"{ns} ns"
    if size < 1_000_000:
        return f"{ns / 1e3:.3f} us"
    if size < _NS:
        return f"{ns / 1e6:.3f} ms"
    return f"{ns / 1e9:.3f} s"


def _column(series: pl.Series, time: Callable[[int], str] = clock) -> list[str]:
    dtype = series.dtype
    if isinstance(dtype, pl.Datetime):
        return [_text(ns, time) for ns in _nanoseconds(series, dtype.time_unit)]
    if isinstance(dtype, pl.Duration):
        return [_text(ns, duration) for ns in _nanoseconds(series, dtype.time_unit)]
    return [_text(value, _plain) for value in series.to_list()]


def _nanoseconds(series: pl.Series, unit: str | None) -> list[int | None]:
    """Python's own datetime would lose the nanoseconds."""
    scale = {"ms": 1_000_000, "us": 1_000}.get(unit or "ns", 1)
    return [None if value is None else value * scale for value in series.to_physical().to_list()]


def _text(value: object, how: Callable[..., str]) -> str:
    if value is None:
        return UNKNOWN
    try:
        return how(value)
    except (OverflowError, ValueError, OSError):  # a time stamp beyond the year 9999
        return printable(str(value))


def _plain(value: object) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:.6g}"
        case list():
            return ", ".join(UNKNOWN if item is None else _plain(item) for item in value)
        case bytes():
            return value.hex()
        case _:
            return printable(str(value))
