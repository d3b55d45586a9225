"""The captures that can testify to damage: their packets were stored whole, so that the ICRC could be checked."""

import polars as pl

from badhop.analyses.finding import SOURCE
from badhop.schema import Column, Table

TABLE = Table(
    "whole_captures",
    "Captures with RDMA packets, nearly all stored whole: only these let the ICRC be checked.",
    (
        SOURCE,
        Column("roce_packets", "u64", "packets", "RDMA packets."),
        Column("cut_packets", "u64", "packets", "Packets stored shorter than they were."),
        Column("snap_len", "u32", "B", "Longest stored packet that the file allows; null when it does not say."),
    ),
)

_ALLOWED_CUT = 0.01
"""Share of cut packets up to which the rest speaks for all; a snap length cuts the data packets or none."""


def whole_captures(capture_health: pl.LazyFrame) -> pl.LazyFrame:
    """One row for each such capture."""
    return (
        capture_health.filter(
            (pl.col("roce_packets") > 0) & (pl.col("cut_packets") <= _ALLOWED_CUT * pl.col("packets"))
        )
        .select(column.name for column in TABLE.columns)
        .sort("source")
    )
