"""The columns with which every table of outputs and logs begins: where a row stands, when and where it was so."""

from badhop.schema import Column, Table

PLACE = (
    Column("source", "text", "", "Which file."),
    Column("line", "u64", "", "Line of the file, from 1; null where it has none (Parquet, pickle)."),
    Column("host", "text", "", "The machine or switch it is about; null when nothing tells."),
    Column("ts", "time", "UTC", "When it was so; null when nothing tells."),
    Column(
        "ts_from",
        "text",
        "",
        "How the time was found: line (its own stamp), output (printed by the tool), date (a `date` line before it), "
        "watch, prompt, name (of the file), mtime (of the file, the weakest: copying may change it).",
    ),
)
"""Source, place and time. A reader may leave all of them to `Rows`, which knows them for the passage."""


def told_table(name: str, doc: str, *columns: Column) -> Table:
    """A table that tools and logs fill: `PLACE`, then its own columns."""
    return Table(name, doc, (*PLACE, *columns))
