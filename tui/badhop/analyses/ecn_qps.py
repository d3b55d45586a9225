"""The queue pairs that can testify to congestion: their packets let switches mark them (ECN), or CNPs came back."""

import polars as pl

from badhop.analyses.finding import SOURCE
from badhop.schema import Column, Table

TABLE = Table(
    "ecn_qps",
    "Queue pair directions whose requests are ECN capable or that got CNPs: only these show congestion by marks.",
    (
        SOURCE,
        Column("qp", "u32", "", "As in `roce_qps`."),
        Column("src", "text", "", "Who sends the requests."),
        Column("dst", "text", "", "Who answers them."),
        Column("ect", "u64", "packets", "Requests marked ECN capable and not CE."),
        Column("ce", "u64", "packets", "Requests marked CE."),
        Column("cnps", "u64", "packets", "CNPs on their way to `src`."),
        Column("ce_share", "f64", "0 to 1", "CE over all ECN capable requests; null without one."),
    ),
)


def ecn_qps(roce_qps: pl.LazyFrame) -> pl.LazyFrame:
    """One row for each such queue pair direction, most marked first."""
    capable = pl.col("ect") + pl.col("ce")
    return (
        roce_qps.filter((capable > 0) | (pl.col("cnps") > 0))
        .with_columns(ce_share=pl.col("ce") / pl.when(capable > 0).then(capable))
        .select(column.name for column in TABLE.columns)
        .sort("ce", "cnps", "source", "qp", descending=[True, True, False, False])
    )
