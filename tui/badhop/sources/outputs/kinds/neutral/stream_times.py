"""The times of a stream, in whatever form they are written, as ns since 1970."""

import polars as pl

from badhop.sources.outputs import clock
from badhop.sources.outputs.kinds.neutral.stream import Stream

_LAST = 9_200_000_000_000_000_000
"""The largest time that is believed, in ns: the year 2261."""

_UNITS = ((10**9, 10**8), (10**6, 10**11), (10**3, 10**14), (1, 10**17))
"""ns of a unit, and the least number of it that is a time: 1973. A smaller one may count from anything."""


def times(stream: Stream, field: str, unit_ns: int | None) -> pl.Series:
    """One for each row; null where it is none. `unit_ns` is the unit where the field's name says it."""
    if stream.is_text(field):
        known = [None if text is None else _read(text) for text in stream.texts[field]]
        return _naive(pl.Series(known, dtype=pl.Int64).gather(stream.frame[field]))
    values = stream.frame[field]
    if values.dtype == pl.Date or isinstance(values.dtype, pl.Datetime):
        moments = values.cast(pl.Datetime("ns", getattr(values.dtype, "time_zone", None)), strict=False)
        return _naive(moments.dt.timestamp("ns"))
    value = pl.col("value")
    units = [pair for pair in _UNITS if unit_ns in (None, pair[0])]
    ns = pl.coalesce(
        pl.when(value.is_between(least, _LAST // unit)).then((value * unit).round().cast(pl.Int64, strict=False))
        for unit, least in reversed(units)
    )
    return _naive(
        pl.select(ns).to_series() if values.is_empty() else pl.DataFrame({"value": values}).select(ns).to_series()
    )


def _read(text: str) -> int | None:
    for read in (clock.rfc3339, clock.epoch, clock.date_line):
        if (ts := read(text)) is not None:
            return ts if abs(ts) <= _LAST else None
    return None


def _naive(ns: pl.Series) -> pl.Series:
    return ns.cast(pl.Int64).cast(pl.Datetime("ns")).alias("ts")
