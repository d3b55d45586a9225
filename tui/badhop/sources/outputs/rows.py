"""Rows that a reader finds, checked against their table and completed with source, line, host and time."""

from collections import Counter
from typing import Any

import polars as pl

from badhop.schema import Table
from badhop.sources.outputs.passage import Moment, Passage

LONGEST_TEXT = 4096
"""Characters of a text value: a longer one is cut, for no screen shows it and a hostile file could fill memory."""

MOST_PROBLEMS = 100
"""Problems that a file may tell before they are only counted."""


class Rows:
    """What is found in one file. The only place where text readers write to."""

    def __init__(self, source: str, host: str | None = None) -> None:
        self.source = source
        self._host = host
        self._rows: dict[str, list[dict[str, Any]]] = {}
        self._frames: dict[str, list[pl.DataFrame]] = {}
        self._tables: dict[str, Table] = {}
        self._problems: list[dict[str, Any]] = []
        self._more_problems = 0
        self._unknown: Counter[str] = Counter()
        self._samples: Counter[tuple[object, ...]] = Counter()

    def add(self, table: Table, passage: Passage, line: int | None, *, at: Moment | None = None, **values: Any) -> None:
        """A row that stands in `line` of the passage's file.

        Host and time are the passage's (or those that a log collector wrote before the line) unless given: `host=`,
        and `at=` for the time that the output itself tells. Values are by column name; those left out are null.
        """
        moment = at or (passage.taken if line is None else passage.stamp(line))
        row: dict[str, Any] = {
            "source": self.source,
            "line": line,
            "host": passage.host if line is None else passage.said_by(line),
        }
        if moment is not None:
            row |= {"ts": moment.ts, "ts_from": moment.found}
        if str(values.get("host") or "").startswith("localhost"):
            del values["host"]  # the name of every machine and of none
        known = {column.name for column in table.columns}
        if not values.keys() <= known:
            raise ValueError(f"{table.name} has no column {', '.join(sorted(values.keys() - known))}")
        row |= {name: _short(value) for name, value in values.items() if value is not None}
        self._tables[table.name] = table
        self._rows.setdefault(table.name, []).append({name: value for name, value in row.items() if name in known})

    def add_frame(self, table: Table, frame: pl.DataFrame) -> None:
        """Many rows at once, with the table's columns or some of them; `source` is ours, and a host if none tells."""
        self._tables[table.name] = table
        given = frame.with_columns(source=pl.lit(self.source))
        schema = table.schema()
        missing = [pl.lit(None, kind).alias(name) for name, kind in schema.items() if name not in given.columns]
        whole = given.with_columns(missing).select(pl.col(name).cast(kind) for name, kind in schema.items())
        if self._host is not None and "host" in schema:
            whole = whole.with_columns(pl.col("host").fill_null(self._host))
        self._frames.setdefault(table.name, []).append(whole)

    def problem(self, line: int | None, what: str, next_step: str = "the rest was read") -> None:
        """A line that looks like ours and cannot be read, or a limit that was hit."""
        if len(self._problems) >= MOST_PROBLEMS:
            self._more_problems += 1
            return
        self._problems.append({"source": self.source, "line": line, "what": _short(what), "next": next_step})

    def unknown(self, name: str) -> None:
        """A counter whose name no vocabulary has: its row is kept, and the names are counted as one problem."""
        self._unknown[name[:80]] += 1

    def sample(self, *thing: object) -> int:
        """The number of this reading of a thing in the file, from 1: a file may hold the same output many times."""
        self._samples[thing] += 1
        return self._samples[thing]

    def counts(self) -> dict[str, int]:
        """Rows by table."""
        counted = {name: len(rows) for name, rows in self._rows.items()}
        for name, frames in self._frames.items():
            counted[name] = counted.get(name, 0) + sum(frame.height for frame in frames)
        return counted

    def frames(self) -> dict[str, pl.DataFrame]:
        """The tables that got rows."""
        made = {}
        for name, table in self._tables.items():
            rows = self._rows.get(name)
            parts = list(self._frames.get(name, ()))
            if rows:
                parts.append(pl.DataFrame(rows, schema=table.schema(), strict=True))
            if parts:
                made[name] = pl.concat(parts)
        return made

    def problems(self) -> list[dict[str, Any]]:
        """Rows of `problems`: source, line, what, next."""
        told = list(self._problems)
        if self._more_problems:
            told.append(self._note(f"{self._more_problems} more lines could not be read", "the rest was read"))
        if self._unknown:
            names = ", ".join(name for name, _ in self._unknown.most_common(5))
            count = len(self._unknown)
            plural = "name is" if count == 1 else "names are"
            told.append(
                self._note(f"{count} counter {plural} not in the vocabulary: {names}", "kept with raw_name only")
            )
        return told

    def _note(self, what: str, next_step: str) -> dict[str, Any]:
        return {"source": self.source, "line": None, "what": what, "next": next_step}


def _short(value: Any) -> Any:
    return value[: LONGEST_TEXT - 1] + "…" if isinstance(value, str) and len(value) > LONGEST_TEXT else value
