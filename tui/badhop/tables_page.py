"""The reference of all tables: for a person, as Markdown page, or as JSON."""

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from badhop.printable import printable
from badhop.schema import Table

WIDTH = 80


class Read(Protocol):
    """A source that was read, as `badhop.sources` has it."""

    @property
    def path(self) -> Path: ...
    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def rows(self) -> Mapping[str, int]: ...
    @property
    def problems(self) -> tuple[str, ...]: ...


def filled(sources: Sequence[Read], tables: Iterable[Table], rows: Mapping[str, int]) -> str:
    """What each source is and which tables it fills; then every table, those with rows first and by how many."""
    known = tuple(tables)
    told = [line for source in sources for line in _source(source, known)]
    some, none = ([table for table in known if bool(rows[table.name]) is has] for has in (True, False))
    return "\n".join(told) + "\n\n" + text((*some, *none), rows)


def _source(source: Read, tables: Iterable[Table]) -> list[str]:
    gives = ", ".join(f"{count} {table.name}" for table in tables if (count := source.rows.get(table.name)))
    line = f"{source.name}  {source.kind}" + (f": {gives}" if gives else "")
    return [printable(line), *(printable(f"  [!] {problem}") for problem in source.problems)]


def text(tables: Iterable[Table], rows: Mapping[str, int] | None = None) -> str:
    """Name, sentence and columns of each table; with `rows` also how many rows it has."""
    parts = []
    for table in tables:
        count = "" if rows is None else f"  {rows[table.name] or 'no'} {'row' if rows[table.name] == 1 else 'rows'}"
        columns = ", ".join(column.name for column in table.columns)
        lines = [
            f"{table.name}{count}",
            *textwrap.wrap(table.doc, WIDTH, initial_indent="  ", subsequent_indent="  "),
            *textwrap.wrap(f"Columns: {columns}", WIDTH, initial_indent="  ", subsequent_indent="    "),
        ]
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


def markdown(tables: Iterable[Table]) -> str:
    """The reference page: every column with type, unit and meaning."""
    parts = [
        "# Tables",
        "Made by `badhop tables --markdown`; do not edit. Times are UTC. An unknown value is null, never 0 or empty.",
    ]
    for table in tables:
        kind = " Scanned from the files when a query asks." if table.scanned else ""
        rows = [
            f"| `{column.name}` | {column.type} | {_cell(column.unit)} | {_cell(column.doc)} |"
            for column in table.columns
        ]
        head = ["| column | type | unit | meaning |", "|---|---|---|---|"]
        parts += [f"## {table.name}", table.doc + kind, "\n".join([*head, *rows])]
    return "\n\n".join(parts) + "\n"


def json_object(
    tables: Iterable[Table], rows: Mapping[str, int] | None = None, sources: Sequence[Read] | None = None
) -> dict[str, Any]:
    """The same for a program; `rows` and `sources` are null when no source was given."""
    return {
        "schema": 1,
        "sources": None
        if sources is None
        else [
            {
                "path": str(source.path),
                "name": source.name,
                "kind": source.kind,
                "rows": {table: count for table, count in source.rows.items() if count},
                "problems": list(source.problems),
            }
            for source in sources
        ],
        "tables": [
            {
                "name": table.name,
                "doc": table.doc,
                "scanned": table.scanned,
                "rows": None if rows is None else rows[table.name],
                "columns": [
                    {"name": column.name, "type": column.type, "unit": column.unit, "doc": column.doc}
                    for column in table.columns
                ],
            }
            for table in tables
        ],
    }


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
