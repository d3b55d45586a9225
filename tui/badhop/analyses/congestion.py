"""Congestion by its marks: CE seen at the tap lies before it; CNPs without CE at the tap, after it."""

import polars as pl

from badhop.analyses.finding import WAYS, finding_table, first_frames, ways
from badhop.analyses.wording import counted, hosts, percent
from badhop.schema import Column

TABLE = finding_table(
    "congestion",
    "Queue pairs slowed by ECN, by capture and side of the tap: CE marks tell of a queue before it, CNPs of one after.",
    Column("side", "text", "", "`source` or `destination`, as seen by the requests."),
    Column("queue_pairs", "u32", "", "How many queue pairs."),
    Column("ce", "u64", "packets", "Requests marked CE."),
    Column("ce_share", "f64", "0 to 1", "CE over all ECN capable requests; null without one."),
    Column("cnps", "u64", "packets", "CNPs on their way to the senders."),
    WAYS,
)


def congestion(roce_qps: pl.LazyFrame) -> pl.LazyFrame:
    """At most two rows for each capture. Times are those of the queue pairs."""
    ce, cnps, capable = pl.col("ce"), pl.col("cnps"), pl.col("capable")
    return (
        roce_qps.filter((ce > 0) | (cnps > 0))
        .with_columns(
            side=pl.when(ce > 0).then(pl.lit("source")).otherwise(pl.lit("destination")),
            marked=pl.when(ce > 0).then(pl.col("ce_frame")).otherwise(pl.col("cnp_frame")),
        )
        .group_by("source", "side")
        .agg(
            first_frames("marked"),
            queue_pairs=pl.len().cast(pl.UInt32),
            ce=ce.sum(),
            capable=(pl.col("ect") + ce).sum(),
            cnps=cnps.sum(),
            first_ts=pl.col("first_ts").min(),
            last_ts=pl.col("last_ts").max(),
            sources=hosts("src"),
            answerers=hosts("dst"),
            ways=ways("src", "dst"),
        )
        .with_columns(
            hop=pl.format("side:{}@{}", pl.col("side"), pl.col("source")),
            mode=pl.lit("incast"),
            ce_share=ce / pl.when(capable > 0).then(capable),
            strength=pl.when(ce > 0).then(ce).otherwise(cnps).cast(pl.Float64),
            says=pl.when(ce > 0)
            .then(
                pl.format(
                    "{} from {} to {} carried a CE mark at this tap ({}): a queue before the tap was filling",
                    counted(ce, "packet", "packets"),
                    pl.col("sources"),
                    pl.col("answerers"),
                    percent(ce / capable),
                )
            )
            .otherwise(
                pl.format(
                    "{} told {} to slow down, yet no mark was seen here: a queue between this tap and {} was filling",
                    counted(cnps, "CNP", "CNPs"),
                    pl.col("sources"),
                    pl.col("answerers"),
                )
            ),
        )
        .select(column.name for column in TABLE.columns)
        .sort("source", "strength", descending=[False, True])
    )
