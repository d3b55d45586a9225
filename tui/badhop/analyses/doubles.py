"""Packets that came twice without having been sent twice: a mirror or the network doubled them."""

import polars as pl

from badhop.analyses.finding import WAYS, finding_table, first_frames, ways
from badhop.analyses.wording import counted, hosts, percent
from badhop.schema import Column

TABLE = finding_table(
    "doubles",
    "Copies of one transmission (same PSN and IP identification), counted by capture.",
    Column("duplicates", "u64", "packets", "Copies."),
    Column("share", "f64", "0 to 1", "Of all request packets of the queue pairs concerned."),
    Column("queue_pairs", "u32", "", "How many queue pairs they belong to."),
    WAYS,
)


def doubles(roce_qps: pl.LazyFrame) -> pl.LazyFrame:
    """One row for each capture with copies. Times are those of the queue pairs."""
    return (
        roce_qps.filter(pl.col("duplicates") > 0)
        .group_by("source")
        .agg(
            first_frames("duplicate_frame"),
            duplicates=pl.col("duplicates").sum(),
            share=pl.col("duplicates").sum() / pl.col("requests").sum(),
            queue_pairs=pl.len().cast(pl.UInt32),
            first_ts=pl.col("first_ts").min(),
            last_ts=pl.col("last_ts").max(),
            sources=hosts("src"),
            answerers=hosts("dst"),
            ways=ways("src", "dst"),
        )
        .with_columns(
            hop=pl.format("side:source@{}", pl.col("source")),
            mode=pl.lit("duplicate"),
            strength=pl.col("duplicates").cast(pl.Float64),
            says=pl.format(
                "{} ({}) from {} to {} came by twice with one IP identification: sent once, doubled before this tap",
                counted(pl.col("duplicates"), "packet", "packets"),
                percent(pl.col("share")),
                pl.col("sources"),
                pl.col("answerers"),
            ),
        )
        .select(column.name for column in TABLE.columns)
        .sort("duplicates", "source", descending=[True, False])
    )
