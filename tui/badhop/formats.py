"""The formats in which rows and reports are written: names only, so that `--help` needs nothing heavy."""

from enum import StrEnum


class RowFormat(StrEnum):
    """How `badhop query` writes its rows."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"
    PARQUET = "parquet"


REPORT_ENDINGS = (".md", ".html", ".json", ".txt")
"""Endings of the files that `badhop diagnose --report` writes; each tells the format."""
