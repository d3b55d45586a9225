"""What the tests of the readers of outputs share: a file of the corpus or a text, read as badhop reads it."""

from pathlib import Path, PurePath
from typing import Any

import polars as pl

from badhop.schema import Table
from badhop.sources.outputs import Told, read_output
from badhop.sources.outputs.content import member, on_disk


def of_file(path: Path, inside: str | None = None) -> Told | None:
    """A file, with the path that it has inside the evidence: by default only its name."""
    return read_output(on_disk(path, PurePath(inside or path.name), path.name))


def of_text(text: str | bytes, inside: str = "pasted.txt", host: str | None = None) -> Told | None:
    """A text as if it were a file of this path."""
    content = text.encode() if isinstance(text, str) else text
    return read_output(member("evidence.tar", PurePath(inside), content, None), host)


def rows(told: Told | None, table: Table, *columns: str) -> list[tuple[Any, ...]]:
    """The rows of a table as tuples of these columns; none where nothing was recognised."""
    frame = told.frames.get(table.name) if told else None
    return [] if frame is None else frame.select(pl.col(list(columns))).rows()
