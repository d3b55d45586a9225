"""Answers that were sent and lost before the tap, though a later one covered them and nobody had to send again."""

import polars as pl

from badhop.analyses.finding import WAYS, finding_table, no_frames, ways
from badhop.analyses.wording import counted, hosts, percent
from badhop.schema import Column

TABLE = finding_table(
    "missing_answers",
    "Acknowledgements that were sent and never came by, by capture and responder, beyond what the capture may lose.",
    Column("answerer", "text", "", "Who sent them."),
    Column("answers_missing", "u64", "packets", "Acknowledgements lost before this tap."),
    Column("share", "f64", "0 to 1", "Of all acknowledgements that this host sent."),
    Column("queue_pairs", "u32", "", "Queue pairs that miss some."),
    WAYS,
)

CAPTURE_MAY_LOSE = 3.0
"""How many times its own audited drop rate a capture may lose of the answers: mirrors drop in bursts."""


def missing_answers(roce_qps: pl.LazyFrame, capture_health: pl.LazyFrame) -> pl.LazyFrame:
    """One row for each capture and responder that has more missing answers than the capture itself explains."""
    missing, sent = pl.col("answers_missing"), pl.col("answers_missing") + pl.col("acks")
    audited = capture_health.select("source", own_loss=pl.col("unseen_share").fill_null(0.0))
    return (
        roce_qps.group_by("source", answerer=pl.col("dst"))
        .agg(
            missing.sum(),
            share=missing.sum() / sent.sum(),
            sent=sent.sum(),
            queue_pairs=(missing > 0).sum().cast(pl.UInt32),
            first_ts=pl.col("first_ts").min(),
            last_ts=pl.col("last_ts").max(),
            askers=hosts("src"),
            ways=ways("dst", "src"),
        )
        .join(audited, on="source", how="left")
        .with_columns(
            no_frames(),
            hop=pl.format("side:source@{}", pl.col("source")),
            mode=pl.lit("graydrop"),
            strength=missing - CAPTURE_MAY_LOSE * pl.col("own_loss").fill_null(0.0) * pl.col("sent"),
            says=pl.format(
                "{} ({}) that {} sent to {} never reached this tap: they were lost before it, on the way back; a later"
                " one covered each, so nobody had to send again",
                counted(missing, "acknowledgement", "acknowledgements"),
                percent(pl.col("share")),
                pl.col("answerer"),
                pl.col("askers"),
            ),
        )
        .filter((missing > 0) & (pl.col("strength") > 0))
        .select(column.name for column in TABLE.columns)
        .sort("answers_missing", "source", "answerer", descending=[True, False, False])
    )
