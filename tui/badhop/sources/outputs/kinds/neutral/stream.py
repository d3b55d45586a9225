"""A table of readings as it stands in a file: numbers as columns, texts as numbers of texts, each text once."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl


@dataclass(frozen=True, eq=False)
class Stream:
    """Rows in the order of the file."""

    frame: pl.DataFrame
    """Of a text field: the place of its text in `texts`; of any other its values."""
    texts: Mapping[str, pl.Series]
    first_line: int | None
    """Line of the first row, where each row has its own line after it; None where rows have no lines."""

    def is_text(self, field: str) -> bool:
        return field in self.texts

    def numbers(self) -> tuple[str, ...]:
        """The fields that hold numbers."""
        return tuple(name for name, kind in self.frame.schema.items() if name not in self.texts and kind.is_numeric())

    def text(self, field: str) -> pl.Series:
        """A field as text, row by row."""
        if field in self.texts:
            return self.texts[field].gather(self.frame[field])
        return self.frame[field].cast(pl.String)


def of_records(found: Mapping[str, Any], first_line: int) -> Stream:
    """What Rust read."""
    texts = {name: pl.Series(name, known, dtype=pl.String) for name, known in found["texts"]}
    return Stream(pl.DataFrame(found["rows"]), texts, first_line)


def of_frame(frame: pl.DataFrame, first_line: int | None) -> Stream:
    """What polars read."""
    texts: dict[str, pl.Series] = {}
    for name, kind in frame.schema.items():
        if kind in (pl.String, pl.Categorical, pl.Enum):
            whole = frame[name].cast(pl.String)
            texts[name] = whole.unique(maintain_order=True)
            numbered = texts[name].to_frame().with_row_index("number")
            ids = whole.to_frame().join(numbered, on=name, how="left", nulls_equal=True, maintain_order="left")[
                "number"
            ]
            frame = frame.with_columns(ids.alias(name))
    return Stream(frame, texts, first_line)
