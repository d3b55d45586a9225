"""Which readings are of the same counter, and what the vocabulary says of how it is to be read."""

import polars as pl

from badhop import vocabulary
from badhop.analyses.rate_limits import FASTEST

KEY = ("of_source", "host", "device", "dialect", "raw_name", "priority", "queue", "direction")
"""What makes a series. Host and device join the files of a machine; where one of them is not known, only files whose
names differ by a time are of one series."""

_TIME = r"20\d\d-?[01]\d-?[0-3]\d[T_ -]?[0-2]\d[-:.]?[0-5]\d[-:.]?[0-5]\d(\.\d{1,9})?Z?|1[5-9]\d{8}(\.\d{1,9})?"
"""A time in the name of a file."""

_TRAFFIC = "bytes|octets|packets|pkts|data"
"""Words in which the names of two counters of the same traffic differ: rx_prio3_bytes and rx_prio3_packets."""


def with_series(readings: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The readings with `series`, the place of their series in the second frame.

    That has `KEY`, `name`, `unit`, `reads` and `width` (null where no vocabulary says them), `fastest` (units a second;
    null without a known limit), `on` (a number for its device) and `twins` (a number that two counters of the same
    traffic share; null where it has no twin).
    """
    known_place = pl.col("host").is_not_null() & pl.col("device").is_not_null()
    readings = readings.with_columns(
        of_source=pl.when(~known_place).then(pl.col("source").str.replace_all(_TIME, "")).otherwise(pl.lit(""))
    )
    series = (
        readings.unique(KEY, keep="first", maintain_order=True).select(*KEY, "name", "unit").with_row_index("series")
    )
    readings = readings.join(
        series.select("series", *KEY), on=KEY, how="left", nulls_equal=True, maintain_order="left"
    ).drop(KEY)
    how = [
        vocabulary.look_up(raw, dialect) if dialect else None
        for raw, dialect in series.select("raw_name", "dialect").rows()
    ]
    series = series.with_columns(
        reads=pl.Series([meaning.reads if meaning else None for meaning in how], dtype=pl.String),
        width=pl.Series([meaning.width if meaning else None for meaning in how], dtype=pl.Int64),
        fastest=pl.col("unit").replace_strict(FASTEST, default=None, return_dtype=pl.Float64),
        stem=pl.col("raw_name").str.replace_all(_TRAFFIC, "#"),
    )
    series = _numbered(series, "on", ("of_source", "host", "device"))
    series = _numbered(
        series, "twins", ("of_source", "host", "device", "dialect", "stem", "priority", "queue", "direction")
    )
    alone = pl.len().over("twins") < 2
    return readings, series.with_columns(twins=pl.when(~alone & (pl.col("stem") != pl.col("raw_name"))).then("twins"))


def _numbered(series: pl.DataFrame, number: str, by: tuple[str, ...]) -> pl.DataFrame:
    groups = series.select(by).unique(maintain_order=True).with_row_index(number)
    return series.join(groups, on=by, how="left", nulls_equal=True, maintain_order="left")
