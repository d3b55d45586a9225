"""Packets that were changed on the way: their ICRC is wrong at the tap."""

import polars as pl

from badhop.analyses.finding import finding_table, first_frames
from badhop.analyses.wording import counted, hosts
from badhop.schema import Column

TABLE = finding_table(
    "damage",
    "Packets whose ICRC is wrong, counted by capture: something before the tap changed them.",
    Column("bad_icrc", "u64", "packets", "Whole packets with a wrong ICRC."),
    Column("share", "f64", "0 to 1", "Of all packets of the queue pairs concerned."),
    Column("queue_pairs", "u32", "", "How many queue pairs they belong to."),
)


def damage(roce_qps: pl.LazyFrame) -> pl.LazyFrame:
    """One row for each capture with damaged packets. `first_ts` and `last_ts` are those of the queue pairs."""
    packets = pl.sum_horizontal("requests", "acks", "naks_sequence", "naks_rnr", "naks_fatal", "read_responses")
    return (
        roce_qps.filter(pl.col("bad_icrc") > 0)
        .group_by("source")
        .agg(
            first_frames("bad_icrc_frame"),
            bad_icrc=pl.col("bad_icrc").sum(),
            share=pl.col("bad_icrc").sum() / packets.sum(),
            queue_pairs=pl.len().cast(pl.UInt32),
            first_ts=pl.col("first_ts").min(),
            last_ts=pl.col("last_ts").max(),
            sources=hosts("src"),
            answerers=hosts("dst"),
        )
        .with_columns(
            hop=pl.format("side:source@{}", pl.col("source")),
            mode=pl.lit("corrupt"),
            strength=pl.col("bad_icrc").cast(pl.Float64),
            says=pl.format(
                "{} between {} and {} reached this tap with a wrong ICRC: a device before the tap changed them",
                counted(pl.col("bad_icrc"), "packet", "packets"),
                pl.col("sources"),
                pl.col("answerers"),
            ),
        )
        .select(column.name for column in TABLE.columns)
        .sort("bad_icrc", "source", descending=[True, False])
    )
