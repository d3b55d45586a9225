"""May each capture testify? What it lost itself, in one sentence a capture."""

import polars as pl

from badhop.analyses.finding import finding_table, no_frames
from badhop.analyses.wording import counted, percent
from badhop.schema import Column

TABLE = finding_table(
    "capture_audit",
    "One row for each capture: how many packets it lost itself, by its own report, by what was acknowledged unseen, "
    "and by the numbers of a mirror.",
    Column("unseen", "u64", "packets", "Acknowledged, though this capture never saw them."),
    Column("reported_drops", "u64", "packets", "Drops that the file itself reports; null when it does not say."),
    Column("mirror_gaps", "u64", "packets", "Numbered by a mirror and never here; null when no mirror numbers."),
    Column("dropped", "u64", "packets", "The largest of the three: the least that the capture lost."),
    Column("share", "f64", "0 to 1", "Estimated drop rate of the capture; null when nothing tells."),
)


def capture_audit(capture_health: pl.LazyFrame) -> pl.LazyFrame:
    """One row for each capture, those that lost most first."""
    unseen, reported, mirror = pl.col("unseen"), pl.col("reported_drops"), pl.col("mirror_gaps")
    told = pl.format("the file itself reports {}", counted(reported, "dropped packet", "dropped packets"))
    missed = pl.format(
        "{} never seen here, yet acknowledged and never sent again",
        counted(unseen, "packet was", "packets were"),
    )
    numbered = pl.format(
        "{} numbered by the mirror never came",
        counted(mirror, "packet", "packets"),
    )
    rate = pl.when(pl.col("share").is_null()).then(pl.lit("")).otherwise(pl.format(" ({})", percent(pl.col("share"))))
    return (
        capture_health.with_columns(
            hop=pl.format("capture:{}", pl.col("source")),
            mode=pl.lit("capdrop"),
            dropped=pl.max_horizontal(unseen, reported, mirror),
            share=pl.max_horizontal(pl.col("unseen_share"), *(_share_of(lost) for lost in (reported, mirror))),
        )
        .with_columns(
            no_frames(),
            strength=pl.col("dropped").cast(pl.Float64),
            says=pl.when(pl.col("dropped") > 0)
            .then(
                pl.format(
                    "this capture lost packets{}: {}",
                    rate,
                    pl.concat_str(
                        pl.when(unseen > 0).then(missed),
                        pl.when(reported > 0).then(told),
                        pl.when(mirror > 0).then(numbered),
                        separator=", and ",
                        ignore_nulls=True,
                    ),
                )
            )
            .otherwise(pl.lit("no packet of this capture is known to be missing")),
        )
        .select(column.name for column in TABLE.columns)
        .sort("dropped", "source", descending=[True, False])
    )


def _share_of(lost: pl.Expr) -> pl.Expr:
    return lost / (pl.col("packets") + lost).replace(0, None)
