"""Ports that asked their neighbour to stop sending: PFC and 802.3x pause, by capture and port."""

import polars as pl

from badhop.analyses.finding import finding_table
from badhop.analyses.wording import counted
from badhop.schema import Column

TABLE = finding_table(
    "pausing",
    "Ports that asked their neighbour to pause, by capture, most frames first.",
    Column("sender", "text", "", "MAC of the port that cannot take more."),
    Column("xoff_frames", "u64", "frames", "Requests to stop, added up over the priorities."),
    Column("priorities", "text", "", "PFC priorities concerned; `all` for 802.3x, which stops the whole link."),
    Column(
        "a_second",
        "f64",
        "frames/s",
        "Mean rate of those frames over the capture; null when its length is not known.",
    ),
)


def pausing(pause_time: pl.LazyFrame) -> pl.LazyFrame:
    """One row for each capture and port that sent at least one XOFF."""
    xoff = pl.col("xoff_frames")
    seconds = pl.col("capture_span").dt.total_nanoseconds() / 1e9
    priority = pl.col("priority").cast(pl.String).fill_null("all")
    name = pl.col("sender").fill_null("unknown")
    return (
        pause_time.filter(xoff > 0)
        .group_by("source", "sender")
        .agg(
            xoff_frames=xoff.sum(),
            priorities=priority.sort().unique(maintain_order=True).str.join(", "),
            a_second=xoff.sum() / pl.when(seconds.max() > 0).then(seconds.max()),
            first_ts=pl.col("first_ts").min(),
            last_ts=pl.col("last_ts").max(),
            frames=pl.concat_list(pl.col("first_frame").min(), pl.col("last_frame").max())
            .first()
            .list.unique(maintain_order=True),
        )
        .with_columns(
            hop=pl.format("mac:{}", name),
            mode=pl.lit("slowrx"),
            strength=xoff.cast(pl.Float64),
            says=pl.format(
                "the port {} asked its neighbour to stop: {}, priority {}{}",
                name,
                counted(xoff, "XOFF", "XOFFs"),
                pl.col("priorities"),
                pl.when(pl.col("a_second").is_null())
                .then(pl.lit(""))
                .otherwise(pl.format(", {} a second", pl.col("a_second").round(1))),
            ),
        )
        .select(column.name for column in TABLE.columns)
        .sort("xoff_frames", "source", "sender", descending=[True, False, False])
    )
