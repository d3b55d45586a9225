"""What every finding carries beside its own columns: hop, mode, weight, times, packets, and a sentence."""

import polars as pl

from badhop.schema import Column, Table

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

WAYS = Column(
    "ways",
    "list[text]",
    "",
    "Between whom the packets went that it is about, as `sender>receiver`; empty when that is not known or too many.",
)
"""For findings about a side of a tap: with several taps it takes the direction to say what that side is."""

MOST_WAYS = 64
"""More pairs of hosts have no one direction past the taps that a list of them could tell."""

SHOWN_FRAMES = 8
"""Enough to look some up by hand; more would only fill the screen."""


def finding_table(name: str, doc: str, *columns: Column) -> Table:
    """The declaration of a table whose rows are findings: `columns` between those that all findings have."""
    return Table(name, doc, (SOURCE, HOP, MODE, *columns, STRENGTH, FIRST_TS, LAST_TS, FRAMES, SAYS))


def first_frames(column: str) -> pl.Expr:
    """The column `frames` of a group: the first packets that `column` names. For use in `agg`."""
    return pl.col(column).drop_nulls().sort().head(SHOWN_FRAMES).alias("frames")


def ways(sender: str, receiver: str) -> pl.Expr:
    """The column `ways` of a group, of the columns that hold both addresses. For use in `agg`."""
    pairs = pl.format("{}>{}", pl.col(sender), pl.col(receiver)).drop_nulls().unique().sort()
    return pl.when(pairs.len() <= MOST_WAYS).then(pairs.implode()).otherwise(pl.lit([], dtype=pl.List(pl.String)))


def no_frames() -> pl.Expr:
    """An empty list of frames, where the table behind keeps counts only."""
    return pl.lit([], dtype=pl.List(pl.UInt64)).alias("frames")
