"""The rows of a query as a table for people, as CSV, JSON or Parquet.

Times are ISO 8601 in UTC with nanoseconds. Text is escaped in everything that may land on a terminal; Parquet and files
hold it as it is.
"""

import io
import json
import re
from pathlib import Path
from typing import TextIO

import polars as pl
from polars import selectors

from badhop.formats import RowFormat
from badhop.printable import printable

_PAGE = 4096
"""Rows that are formatted at a time, so that a large result needs no second copy in memory."""

_TIME = "%Y-%m-%dT%H:%M:%S%.9fZ"


def write(frame: pl.DataFrame, form: RowFormat, stream: TextIO) -> None:
    """Write the rows as text. Parquet is no text: see `save`."""
    if form is RowFormat.CSV:
        stream.write(_escaped(_flat(frame.clear())).write_csv())
        for page in frame.iter_slices(_PAGE):
            stream.write(_escaped(_flat(page)).write_csv(include_header=False))
    elif form is RowFormat.JSON:
        _write_json(frame, stream)
    else:
        _write_table(frame, stream)


def save(frame: pl.DataFrame, form: RowFormat, path: Path) -> None:
    """Write the rows into a file. Raises OSError."""
    if form is RowFormat.PARQUET:
        try:
            frame.write_parquet(path)
        except pl.exceptions.ComputeError as error:  # how polars tells of a full disk
            raise OSError(str(error)) from error
    elif form is RowFormat.CSV:
        _flat(frame).write_csv(path)
    else:
        with path.open("w", encoding="utf-8") as stream:
            write(frame, form, stream)


def _write_json(frame: pl.DataFrame, stream: TextIO) -> None:
    """One array of row objects. Durations are whole nanoseconds; what is no number in JSON (NaN) is null."""
    ready = frame.with_columns(
        selectors.datetime().dt.to_string(_TIME),
        selectors.duration().dt.total_nanoseconds(),
        selectors.float().replace([float("nan"), float("inf"), float("-inf")], None),
        selectors.decimal().cast(pl.Float64),
        selectors.binary().bin.encode("hex"),
    )
    between = "[\n  "
    for page in ready.iter_slices(_PAGE):
        lines = io.BytesIO()
        page.write_ndjson(lines)
        text = lines.getvalue().decode().rstrip("\n")
        stream.write(between + _ascii(text).replace("\n", ",\n  "))
        between = ",\n  "
    stream.write("[]\n" if frame.is_empty() else "\n]\n")


def _ascii(text: str) -> str:
    """JSON text with everything outside printable ASCII escaped; such characters stand only inside its strings."""
    return re.sub(r"[^\n -~]", lambda match: json.dumps(match[0])[1:-1].replace("\x7f", r"\u007f"), text)


def _write_table(frame: pl.DataFrame, stream: TextIO) -> None:
    if not frame.columns:
        return
    names = [printable(name) for name in frame.columns]
    widths = [len(name) for name in names]
    for page in frame.iter_slices(_PAGE):
        longest = _cells(page).select(pl.all().str.len_chars().max()).row(0)
        widths = [max(width, length) for width, length in zip(widths, longest, strict=True)]
    right = [dtype.is_numeric() or dtype == pl.Duration for dtype in frame.dtypes]
    columns = list(zip(frame.columns, names, widths, right, strict=True))
    header = "  ".join(name.rjust(width) if to_right else name.ljust(width) for _, name, width, to_right in columns)
    stream.write(header.rstrip() + "\n" + "  ".join("-" * width for width in widths) + "\n")
    line = pl.concat_str(
        [
            pl.col(column).str.pad_start(width) if to_right else pl.col(column).str.pad_end(width)
            for column, _, width, to_right in columns
        ],
        separator="  ",
    ).str.strip_chars_end(" ")
    for page in frame.iter_slices(_PAGE):
        stream.write("\n".join(_cells(page).select(line).to_series()) + "\n")


def _cells(page: pl.DataFrame) -> pl.DataFrame:
    """Each value as the text that a person reads; unknown is `null`."""
    return page.select(_cell_text(name, dtype).fill_null("null").alias(name) for name, dtype in page.schema.items())


def _cell_text(name: str, dtype: pl.DataType) -> pl.Expr:
    column = pl.col(name)
    if dtype == pl.Datetime:
        return column.dt.to_string(_TIME)
    if dtype == pl.Duration:
        return column.dt.total_nanoseconds().map_elements(duration, pl.String)
    if dtype == pl.Boolean or dtype.is_integer():
        return column.cast(pl.String)
    if dtype == pl.String:
        return (
            pl.when(column.str.contains("^[ -~]*$")).then(column).otherwise(column.map_elements(printable, pl.String))
        )
    if dtype == pl.Binary:
        return column.bin.encode("hex")
    if dtype == pl.Null:
        return column.cast(pl.String)
    return column.map_elements(_cell, pl.String)


def _cell(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, (list, pl.Series)):
        return "[" + ", ".join(_cell(item) for item in value) + "]"
    return printable(str(value))


def duration(nanoseconds: float) -> str:
    """A time span in the unit that leaves it above 1: `67.1 ms`."""
    size = abs(nanoseconds)
    for unit, name in ((1e9, "s"), (1e6, "ms"), (1e3, "us")):
        if size >= unit:
            return f"{nanoseconds / unit:.4g} {name}" if size < 1e13 else f"{nanoseconds / unit:.0f} {name}"
    return f"{nanoseconds:.0f} ns"


def _flat(frame: pl.DataFrame) -> pl.DataFrame:
    """Without lists, structs and bytes, which CSV cannot hold."""
    nested = [name for name, dtype in frame.schema.items() if dtype.is_nested()]
    return frame.with_columns(
        selectors.datetime().dt.to_string(_TIME),
        selectors.duration().dt.total_nanoseconds(),
        selectors.binary().bin.encode("hex"),
        *(pl.col(name).map_elements(_nested_text, pl.String) for name in nested),
    )


def _nested_text(value: object) -> str:
    """A list or struct as JSON."""
    return json.dumps(value.to_list() if isinstance(value, pl.Series) else value, default=str)


def _escaped(frame: pl.DataFrame) -> pl.DataFrame:
    """Text and column names made safe for a terminal."""
    safe = frame.with_columns(
        selectors.string().map_elements(printable, pl.String),
    )
    return safe.rename({name: printable(name) for name in safe.columns})
