"""Words that several analyses share: how a sentence names hosts and counts, and the columns of every finding."""

import polars as pl

from badhop.schema import Column

SOURCE = Column("source", "text", "", "Which capture.")
HOP = Column("hop", "text", "", "The hop that the row speaks about.")
MODE = Column("mode", "text", "", "What is wrong there, in the words of the verdict.")
STRENGTH = Column("strength", "f64", "", "Number of pieces of evidence behind the row.")
FIRST_TS = Column("first_ts", "time", "UTC", "The first of them.")
LAST_TS = Column("last_ts", "time", "UTC", "The last of them.")
FRAMES = Column(
    "frames", "list[u64]", "", "The first eight of them as packet numbers; empty when only counts are known."
)
SAYS = Column("says", "text", "", "The row as one plain sentence.")

SHOWN_FRAMES = 8
"""Enough to look some up by hand; more would only fill the screen."""


def hosts(column: str) -> pl.Expr:
    """The distinct addresses of a group as a phrase: `a`, `a and b`, or `a, b and 3 more`. For use in `agg`."""
    names = pl.col(column).unique().sort()
    return (
        pl.when(names.len() == 1)
        .then(names.first())
        .when(names.len() == 2)
        .then(pl.format("{} and {}", names.first(), names.last()))
        .otherwise(pl.format("{}, {} and {} more", names.first(), names.get(1, null_on_oob=True), names.len() - 2))
    )


def first_frames(column: str) -> pl.Expr:
    """The column `frames` of a group: the first packets that `column` names. For use in `agg`."""
    return pl.col(column).drop_nulls().sort().head(SHOWN_FRAMES).alias("frames")


def counted(number: pl.Expr, one: str, many: str) -> pl.Expr:
    """`1 loss`, `2 losses`."""
    return pl.format("{} {}", number, pl.when(number == 1).then(pl.lit(one)).otherwise(pl.lit(many)))


def times(number: pl.Expr) -> pl.Expr:
    """`once`, `twice`, `3 times`."""
    return (
        pl.when(number == 1)
        .then(pl.lit("once"))
        .when(number == 2)
        .then(pl.lit("twice"))
        .otherwise(pl.format("{} times", number))
    )


def percent(share: pl.Expr) -> pl.Expr:
    """A share from 0 to 1 as `12.5 %`; below a hundredth of a percent as `under 0.01 %`."""
    return (
        pl.when((share > 0) & (share < 0.0001))
        .then(pl.lit("under 0.01 %"))
        .otherwise(pl.format("{} %", (share * 100).round(2)))
    )


def no_frames() -> pl.Expr:
    """An empty list of frames, where the table behind keeps counts only."""
    return pl.lit([], dtype=pl.List(pl.UInt64)).alias("frames")
