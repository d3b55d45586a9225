"""Requests that the far end refused for good: NAKs that end a queue pair. Software, never the network."""

import polars as pl

from badhop.analyses.finding import finding_table, first_frames
from badhop.analyses.wording import counted
from badhop.schema import Column

TABLE = finding_table(
    "refusals",
    "NAKs that end a queue pair (invalid request, remote access, remote operational error), by hosts and reason.",
    Column("src", "text", "", "Whose request was refused."),
    Column("dst", "text", "", "Who refused it."),
    Column("syndrome", "u8", "", "AETH syndrome of the first NAK: 0x61, 0x62, 0x63 or 0x64."),
    Column("naks", "u64", "packets", "Such NAKs."),
    Column("queue_pairs", "u32", "", "Queue pairs that ended so."),
)

_REASONS = {
    0x61: "invalid request: the operation is not allowed on that queue pair, or longer than what was posted",
    0x62: "remote access error: wrong memory key, address or length",
    0x63: "remote operational error: it could not finish the request itself",
    0x64: "invalid RD request",
}
"""IBTA vol. 1, 9.7.5.2.8: what each NAK code says."""

_RESPONDERS_OWN = 0x63
"""The one code by which the responder reports an error of its own; with the others it judges the request."""


def refusals(roce_qps: pl.LazyFrame) -> pl.LazyFrame:
    """One row for each capture, pair of hosts and reason. Times are those of the queue pairs."""
    syndrome = pl.col("syndrome")
    at_fault = pl.when(syndrome == _RESPONDERS_OWN).then(pl.col("dst")).otherwise(pl.col("src"))
    return (
        roce_qps.filter(pl.col("naks_fatal") > 0)
        .group_by("source", "src", "dst", pl.col("fatal_syndrome").alias("syndrome"))
        .agg(
            first_frames("fatal_frame"),
            naks=pl.col("naks_fatal").sum(),
            queue_pairs=pl.len().cast(pl.UInt32),
            first_ts=pl.col("first_ts").min(),
            last_ts=pl.col("last_ts").max(),
        )
        .with_columns(
            hop=pl.format("{}/proc", at_fault),
            mode=pl.lit("mismatch"),
            strength=pl.col("queue_pairs").cast(pl.Float64),
            says=pl.format(
                "{} refused what {} asked for and ended {} ({})",
                pl.col("dst"),
                pl.col("src"),
                counted(pl.col("queue_pairs"), "queue pair", "queue pairs"),
                syndrome.cast(pl.Int64).replace_strict(
                    _REASONS, default="a NAK code that the standard does not know", return_dtype=pl.String
                ),
            ),
        )
        .select(column.name for column in TABLE.columns)
        .sort("naks", "source", "src", "dst", "syndrome", descending=[True, *[False] * 4])
    )
