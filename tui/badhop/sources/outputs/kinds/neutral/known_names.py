"""What the vocabulary knows of many names at once: each name is looked up once and joined to its readings."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any

import polars as pl

from badhop import vocabulary
from badhop.sources.outputs.rows import Rows
from badhop.tables import counters
from badhop.vocabulary import Meaning

_TOLD = tuple(
    column.name for column in counters.TABLE.columns if column.name in {field.name for field in fields(Meaning)}
)
"""Columns of `counters` that a meaning fills."""


def meanings(rows: Rows, raw_names: Sequence[str], dialects: Iterable[str] | None = None) -> pl.DataFrame:
    """One row for each name, in order: `raw_name` and all that `counters` tells of its meaning.

    Names of one device are given together: the dialect that knows most of them is theirs, and a name that it lacks is
    taken from another only where exactly one has it. Unknown names are counted in `problems`.
    """
    among = tuple(vocabulary.dialects()) if dialects is None else tuple(dialects)
    chosen = vocabulary.dialect_of(raw_names, among)
    return table(raw_names, [_told(rows, name, chosen, among) for name in raw_names])


def table(raw_names: Sequence[str], told: Sequence[Mapping[str, Any]]) -> pl.DataFrame:
    """The same for meanings that are looked up already."""
    schema = {name: kind for name, kind in counters.TABLE.schema().items() if name in _TOLD}
    whole = [{name: found.get(name) for name in schema} for found in told]
    return pl.DataFrame(whole, schema=schema).with_columns(raw_name=pl.Series(raw_names, dtype=pl.String))


def columns_of(meaning: Meaning) -> dict[str, Any]:
    """A meaning as columns of `counters`."""
    return {name: getattr(meaning, name) for name in _TOLD}


def _told(rows: Rows, name: str, chosen: str | None, among: Sequence[str]) -> dict[str, Any]:
    meaning = vocabulary.look_up(name, chosen) if chosen else None
    if meaning is None:
        others = [found for dialect in among if (found := vocabulary.look_up(name, dialect)) is not None]
        meaning = others[0] if len(others) == 1 else None
    if meaning is None:
        rows.unknown(name)
        return {"dialect": chosen}
    return columns_of(meaning)
