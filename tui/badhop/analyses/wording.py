"""Words that several analyses share: how a sentence names hosts and counts."""

import polars as pl


def hosts(column: str) -> pl.Expr:
    """The distinct addresses of a group as a phrase: `a`, `a and b`, or `a, b and 3 more`. For use in `agg`."""
    names = pl.col(column).drop_nulls().unique().sort()
    return (
        pl.when(names.len() == 1)
        .then(names.first())
        .when(names.len() == 2)
        .then(pl.format("{} and {}", names.first(), names.last()))
        .otherwise(pl.format("{}, {} and {} more", names.first(), names.get(1, null_on_oob=True), names.len() - 2))
    )


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
