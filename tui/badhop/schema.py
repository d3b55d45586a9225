"""Tables and their columns as declared: one class for those that Rust makes and those that analyses derive.

Importing this module does not import polars, so that help and listings stay fast.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal, cast, get_args

from badhop import _core

if TYPE_CHECKING:
    import polars as pl

Type = Literal["bool", "u8", "u16", "u32", "u64", "i64", "f64", "time", "duration", "text", "list[u64]", "list[text]"]
"""What a column can hold. `time` is UTC in nanoseconds without a zone, `duration` is in nanoseconds."""


@dataclass(frozen=True)
class Column:
    """A column: its name in SQL, type, unit ("" when it has none) and one sentence."""

    name: str
    type: Type
    unit: str
    doc: str

    def __post_init__(self) -> None:
        if self.type not in get_args(Type):
            raise ValueError(f"column {self.name}: unknown type {self.type!r}")


@dataclass(frozen=True)
class Table:
    """A table: its name in SQL, one sentence, its columns, and whether it is scanned from the files when asked."""

    name: str
    doc: str
    columns: tuple[Column, ...]
    scanned: bool = False

    def schema(self) -> "dict[str, pl.DataType]":
        """Names and polars types of the columns, in order."""
        return {column.name: _polars_type(column.type) for column in self.columns}

    def empty(self) -> "pl.LazyFrame":
        """The table without rows: enough to check a query, and honest when nothing fills it."""
        import polars as pl

        return pl.LazyFrame(schema=self.schema())


def captured(name: str) -> Table:
    """The table of this name that Rust makes."""
    return next(table for table in captured_tables() if table.name == name)


@cache
def captured_tables() -> tuple[Table, ...]:
    """The tables that Rust makes of captures, in the order in which they are shown."""
    return tuple(
        Table(
            name=table["name"],
            doc=table["doc"],
            columns=_columns(table["columns"]),
            scanned=table["scanned"],
        )
        for table in _core.tables()
    )


def _columns(declared: Sequence[tuple[str, str, str, str]]) -> tuple[Column, ...]:
    return tuple(Column(name, cast(Type, kind), unit, doc) for name, kind, unit, doc in declared)


@cache
def _polars_type(word: Type) -> "pl.DataType":
    import polars as pl

    types: dict[Type, pl.DataType] = {
        "bool": pl.Boolean(),
        "u8": pl.UInt8(),
        "u16": pl.UInt16(),
        "u32": pl.UInt32(),
        "u64": pl.UInt64(),
        "i64": pl.Int64(),
        "f64": pl.Float64(),
        "time": pl.Datetime("ns"),
        "duration": pl.Duration("ns"),
        "text": pl.String(),
        "list[u64]": pl.List(pl.UInt64()),
        "list[text]": pl.List(pl.String()),
    }
    return types[word]
