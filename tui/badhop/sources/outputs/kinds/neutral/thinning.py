"""Keeps what a stream of counters becomes within memory: every so many samples are left out, evenly, and it is said."""

import polars as pl

from badhop.sources.outputs.rows import Rows

MOST_ROWS = 1 << 22
"""Readings that a file may add to a table: about 500 MB with their names. A total loses nothing but detail when samples
between are left out; the first or last part of an incident would be missed."""

MOST_READ = 1 << 26
"""Readings that are taken from a file at all, at 20 bytes each."""


def thinned(rows: Rows, readings: pl.DataFrame, most: int = MOST_ROWS, each: int = 1) -> pl.DataFrame:
    """At most about `most` rows: every k-th of each `sample`, which counts from 1. A row has `each` readings."""
    if readings.height <= most:
        return readings
    every = -(-readings.height // most)
    rows.problem(
        None,
        f"{readings.height * each:,} readings are more than {most * each:,}",
        f"every {every}th sample was kept; split the file to see the others",
    )
    return readings.filter((pl.col("sample") - 1) % every == 0)
