"""Streams of counters in the neutral form: CSV, JSON lines and Parquet, from any collector.

Rust reads what looks alike from line to line, which streams do; polars reads everything else.
"""

import csv
import json
import warnings
from codecs import BOM_UTF8
from io import BytesIO

import polars as pl
from polars.exceptions import PanicException, PolarsError

from badhop import _core
from badhop.sources.outputs.content import Content
from badhop.sources.outputs.kind import Bulk
from badhop.sources.outputs.kinds.neutral.fields import NO_VALUE, TIMES, Fields, long_form, wide_form
from badhop.sources.outputs.kinds.neutral.neutral_counters import tell_stream
from badhop.sources.outputs.kinds.neutral.stream import Stream, of_frame, of_records
from badhop.sources.outputs.kinds.neutral.thinning import MOST_READ
from badhop.sources.outputs.kinds.neutral.threads import THREADS
from badhop.sources.outputs.rows import Rows
from badhop.tables import counters

_REFUSED = (PolarsError, PanicException, OSError)
"""What polars raises on damaged files; on some Parquet it panics, which is no Exception in Python."""

_LONGEST_CUT = 1 << 16
"""Bytes of a last line that is cut; more that looks different is left to polars."""


def _form(fields: list[str], numbers: list[str], texts: list[str]) -> Fields | None:
    """The form of a file whose first row has these fields. A device that is a number is no device: a TCP port."""
    found = long_form(fields) or wide_form(fields, numbers)
    return found if found is not None and (found.device in texts or found.name in texts) else None


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return text.strip() in NO_VALUE
    return True


def _csv_fields(head: bytes) -> Fields | None:
    lines = head.decode("utf-8-sig", "replace").split("\n", 2)
    if len(lines) < 2 or "," not in lines[0]:
        return None
    try:
        names, first = (next(csv.reader([line.rstrip("\r")]), []) for line in lines[:2])
    except csv.Error:
        return None
    names = [name.strip() for name in names]
    if len(names) != len(first):
        return None
    numbers = [name for name, value in zip(names, first, strict=True) if _is_number(value)]
    return _form(names, numbers, [name for name in names if name not in numbers])


def _json_fields(head: bytes) -> Fields | None:
    line = head.split(b"\n", 1)[0].strip()
    if not line.startswith(b"{"):
        return None
    try:
        first = json.loads(line)
    except (ValueError, RecursionError):
        return None
    numbers = [name for name, value in first.items() if value is None or type(value) in (int, float)]
    return _form(list(first), numbers, [name for name, value in first.items() if isinstance(value, str)])


def _parquet_fields(content: Content) -> Fields | None:
    if not content.head.startswith(b"PAR1"):
        return None
    try:
        schema = pl.read_parquet_schema(content.on_disk or BytesIO(content.whole()))
    except _REFUSED:
        return None
    texts = [name for name, kind in schema.items() if kind in (pl.String, pl.Categorical, pl.Enum)]
    return _form(list(schema), [name for name, kind in schema.items() if kind.is_numeric()], texts)


def _alike(content: Content, form: str, rows: Rows) -> Stream | None:
    """What Rust reads of the file, if it is all of it up to a last line that is cut."""
    if content.head.startswith(BOM_UTF8):
        return None
    found = _core.records(content.on_disk or content.whole(), form, list(TIMES), THREADS)  # type: ignore[arg-type]
    if found is None or found["unread"] > _LONGEST_CUT:
        return None
    stream = of_records(found, 2 if form == "csv" else 1)
    if stream.frame.is_empty() or (found["unread"] and b"\n" in _ending(content, found["unread"])):
        return None
    if found["unread"]:
        rows.problem((stream.first_line or 1) + stream.frame.height, "the last line is cut")
    return stream


def _ending(content: Content, length: int) -> bytes:
    if content.on_disk is None:
        return content.whole()[-length:]
    with content.on_disk.open("rb") as file:
        file.seek(-length, 2)
        return file.read()


def _any_csv(content: Content) -> Stream:
    """Also with quotes, gaps, rows of other lengths, and the header again between them, as after `cat *.csv`."""
    whole = content.whole()
    header = whole[: whole.find(b"\n") + 1]
    body = whole[len(header) :].replace(header, b"")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of rows that are damaged: they have no values, and no place on the screen
        frame = pl.read_csv(
            header + body,
            infer_schema_length=1000,
            ignore_errors=True,
            truncate_ragged_lines=True,
            null_values=list(NO_VALUE),
        )
    frame = frame.rename({name: name.strip() for name in frame.columns})
    return of_frame(frame, 2 if frame.height == len(whole.splitlines()) - 1 else None)


def _any_json(content: Content) -> Stream:
    whole = content.whole()
    frame = pl.read_ndjson(whole, infer_schema_length=1000, ignore_errors=True)
    return of_frame(frame, 1 if frame.height == len(whole.splitlines()) else None)


def _read_csv(content: Content, rows: Rows) -> bool:
    fields = _csv_fields(content.head)
    try:
        return fields is not None and _tell(rows, _alike(content, "csv", rows) or _any_csv(content), fields, content)
    except _REFUSED:
        return False


def _read_json(content: Content, rows: Rows) -> bool:
    fields = _json_fields(content.head)
    try:
        return fields is not None and _tell(rows, _alike(content, "jsonl", rows) or _any_json(content), fields, content)
    except _REFUSED:
        return False


def _read_parquet(content: Content, rows: Rows) -> bool:
    fields = _parquet_fields(content)
    if fields is None:
        return False
    file = content.on_disk or BytesIO(content.whole())
    most = MOST_READ // max(8, len(fields.values))  # a row of the long form has eight columns
    try:
        frame = pl.scan_parquet(file).head(most).collect()
    except _REFUSED as error:
        rows.problem(None, f"damaged Parquet: {str(error)[:80]}", "copy the file again")
        return True
    if frame.height == most:
        rows.problem(None, f"more than {most:,} rows", "the rest was left out; split the file to read it")
    return _tell(rows, of_frame(frame, None), fields, content)


def _tell(rows: Rows, stream: Stream, fields: Fields, content: Content) -> bool:
    """False where later rows show that the fields are not what they seemed to be."""
    if stream.frame.is_empty() or not set(fields.values) <= set(stream.numbers()):
        return False
    tell_stream(rows, stream, fields, content.path)
    return True


_FILLS = (counters.TABLE,)
CSV = Bulk("counters as CSV", _FILLS, lambda content: _csv_fields(content.head) is not None, _read_csv)
JSON_LINES = Bulk("counters as JSON lines", _FILLS, lambda content: _json_fields(content.head) is not None, _read_json)
PARQUET = Bulk("counters as Parquet", _FILLS, lambda content: _parquet_fields(content) is not None, _read_parquet)
