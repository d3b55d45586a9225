"""The formats in which rows and reports are written: names only, so that `--help` needs nothing heavy."""

from enum import StrEnum
from pathlib import Path


class RowFormat(StrEnum):
    """How `badhop query` writes its rows."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"
    PARQUET = "parquet"

    @classmethod
    def of(cls, path: Path | None) -> "RowFormat":
        """The format that the ending of a file asks for; a table for any other file, and for none."""
        ending = "" if path is None else path.suffix.lower().removeprefix(".")
        return next((form for form in cls if form.value == ending), cls.TABLE)


REPORT_ENDINGS = (".md", ".html", ".json", ".txt")
"""Endings of the files that `badhop diagnose --report` writes; each tells the format."""
