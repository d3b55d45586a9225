"""Spreads what is said once, of a series or a sample, over all readings of it."""

import polars as pl


def spread(said: pl.DataFrame, places: pl.Series) -> pl.DataFrame:
    """Row `places[i]` of `said` for each i. A column that says the same everywhere is kept as one value."""
    same = [name for name in said.columns if said.height and said[name].n_unique() == 1]
    same = same[: said.width - 1]  # one column must tell how many rows there are
    once = [pl.lit(said[name][0], said.schema[name]).alias(name) for name in same]
    return said.select(pl.exclude(same).gather(places)).with_columns(once).select(said.columns)
