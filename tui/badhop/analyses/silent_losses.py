"""Losses that nobody tells of: numbers of unreliable connections that never came by."""

import polars as pl

from badhop.analyses.finding import finding_table, no_frames
from badhop.analyses.wording import counted
from badhop.schema import Column

TABLE = finding_table(
    "silent_losses",
    "Gaps in the numbers of unreliable connections (UC), by capture: lost before the tap, or by the capture.",
    Column("unreliable_gaps", "u64", "packets", "PSNs that never came by."),
    Column("share", "f64", "0 to 1", "Of all packets of unreliable queue pairs that should have come by."),
)


def silent_losses(capture_health: pl.LazyFrame) -> pl.LazyFrame:
    """One row for each capture with such gaps. Times are those of the capture."""
    gaps, seen = pl.col("unreliable_gaps"), pl.col("unreliable_requests")
    return (
        capture_health.filter(gaps > 0)
        .with_columns(
            no_frames(),
            hop=pl.format("side:source@{}", pl.col("source")),
            mode=pl.lit("graydrop"),
            share=gaps / (gaps + seen),
            strength=gaps.cast(pl.Float64),
            says=pl.format(
                "{} of unreliable connections never reached this tap, and nobody will send them again",
                counted(gaps, "packet", "packets"),
            ),
        )
        .select(column.name for column in TABLE.columns)
        .sort("unreliable_gaps", "source", descending=[True, False])
    )
