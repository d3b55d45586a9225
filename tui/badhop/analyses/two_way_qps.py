"""The queue pairs that can testify to loss: reliable, with requests and answers both captured."""

import polars as pl

from badhop.analyses.finding import SOURCE
from badhop.schema import Column, Table

TABLE = Table(
    "two_way_qps",
    "Reliable queue pair directions of which this capture holds both requests and answers: only these show loss.",
    (
        SOURCE,
        Column("qp", "u32", "", "As in `roce_qps`."),
        Column("src", "text", "", "Who sends the requests."),
        Column("dst", "text", "", "Who answers them."),
        Column("requests", "u64", "packets", "Request packets, repeats included."),
        Column("answers", "u64", "packets", "ACKs, NAKs and READ responses."),
    ),
)

RELIABLE = ("RC", "XRC")
"""Transports that acknowledge (IBTA vol. 1, 9.7); the loss of others is silent."""


def two_way_qps(roce_qps: pl.LazyFrame) -> pl.LazyFrame:
    """One row for each such queue pair direction, busiest first."""
    return (
        roce_qps.filter(pl.col("transport").is_in(RELIABLE))
        .with_columns(answers=pl.sum_horizontal("acks", "naks_sequence", "naks_rnr", "naks_fatal", "read_responses"))
        .filter((pl.col("requests") > 0) & (pl.col("answers") > 0))
        .select(column.name for column in TABLE.columns)
        .sort("requests", "source", "qp", descending=[True, False, False])
    )
