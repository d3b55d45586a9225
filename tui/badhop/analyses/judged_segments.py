"""The pieces of the way between two captures that can testify to loss: both captures were audited and lost nothing."""

import polars as pl

from badhop.schema import Column, Table

TABLE = Table(
    "judged_segments",
    "Pieces of the way between two captures, in the direction of the packets, on which loss of RDMA packets can be "
    "judged: both captures were audited for drops of their own, and have none.",
    (
        Column("tap_a", "text", "", "Capture before the segment."),
        Column("tap_b", "text", "", "Capture after it."),
        Column("sent", "u64", "packets", "RDMA packets that passed tap_a on their way to tap_b."),
        Column("matched", "u64", "packets", "Those of them that were seen at both."),
        Column("lost", "u64", "packets", "Those of them that were lost in between."),
        Column("witnessed", "u64", "packets", "Lost ones that were sent again: the receiver missed them, too."),
        Column("damaged", "u64", "packets", "Those that came with a wrong ICRC, which was right before."),
        Column("one_of", "u64", "", "Of so many packets one was compared; all counts are of those that were."),
    ),
)


def judged_segments(segments: pl.LazyFrame, capture_audit: pl.LazyFrame) -> pl.LazyFrame:
    """One row for each pair of neighbouring taps and direction, busiest first."""
    audited = capture_audit.filter(pl.col("share") == 0).select("source")  # null: nothing could have told
    return (
        segments.filter(pl.col("traffic") == "rdma")
        .group_by("tap_a", "tap_b")
        .agg(
            pl.col("sent", "matched", "lost", "witnessed", "damaged", "missing_a", "missing_b").sum(),
            one_of=pl.col("one_of").max(),
            by_mirror=(pl.col("order_by") == "mirror").any(),
        )
        .with_columns(first=capture_of("tap_a", "by_mirror"), second=capture_of("tap_b", "by_mirror"))
        .join(audited, left_on="first", right_on="source", how="semi")
        .join(audited, left_on="second", right_on="source", how="semi")
        .filter((pl.col("matched") > 0) & (pl.col("missing_a") == 0) & (pl.col("missing_b") == 0))
        .select(column.name for column in TABLE.columns)
        .sort("sent", "tap_a", "tap_b", descending=[True, False, False])
    )


def capture_of(tap: str, by_mirror: str) -> pl.Expr:
    """The capture that a tap belongs to: the two halves of a mirror of ingress and egress are one capture."""
    half = pl.col(tap).str.replace("#(?:before|after)$", "")
    return pl.when(pl.col(by_mirror)).then(half).otherwise(pl.col(tap))
