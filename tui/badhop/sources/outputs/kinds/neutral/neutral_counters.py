"""Puts a stream of the neutral form into `counters`, long (a row is a reading) or wide (a row has many counters)."""

from collections.abc import Sequence
from pathlib import PurePath

import polars as pl

from badhop.sources.outputs import place
from badhop.sources.outputs.kinds.neutral.fields import NO_VALUE, Fields
from badhop.sources.outputs.kinds.neutral.known_names import meanings
from badhop.sources.outputs.kinds.neutral.stream import Stream
from badhop.sources.outputs.kinds.neutral.stream_times import times
from badhop.sources.outputs.kinds.neutral.thinning import MOST_ROWS, thinned
from badhop.sources.outputs.rows import Rows
from badhop.tables import counters

_SAID = {"priority": pl.UInt8(), "queue": pl.UInt16(), "direction": pl.String(), "unit": pl.String()}
"""Columns that a row may say itself; it knows better than the vocabulary."""


def tell_stream(rows: Rows, stream: Stream, fields: Fields, path: PurePath) -> None:
    """All readings of the stream, with what the vocabulary knows of their names."""
    frame = stream.frame
    first = stream.first_line
    lines = (
        pl.repeat(None, pl.len(), dtype=pl.UInt64)
        if first is None
        else pl.int_range(first, first + pl.len(), dtype=pl.UInt64)
    )
    at = frame.select(line=lines).with_columns(times(stream, fields.time, fields.unit_ns))
    at = pl.concat([at, _places(stream, fields, path)], how="horizontal")
    if (untimed := at["ts"].null_count()) > 0:
        rows.problem(None, f"{untimed} rows have no time that can be read", "they are kept without one")
    at = at.with_columns(ts_from=pl.when(pl.col("ts").is_not_null()).then(pl.lit("line")))
    if fields.name is None:
        _wide(rows, at, frame, fields)
    else:
        _long(rows, at, stream, fields)


def _wide(rows: Rows, at: pl.DataFrame, frame: pl.DataFrame, fields: Fields) -> None:
    names = list(fields.values)
    known = meanings(rows, names)
    at = pl.concat(
        [at.with_columns(sample=pl.int_range(1, pl.len() + 1).over("host", "device")), frame.select(names)],
        how="horizontal",
    )
    kept = thinned(rows, at, most=MOST_ROWS // len(names), each=len(names))
    same = ["line", "ts", "ts_from", "host", "device", "sample"]
    for index, name in enumerate(names):
        meaning = known.row(index, named=True)
        told = [pl.lit(value, known.schema[column]).alias(column) for column, value in meaning.items()]
        rows.add_frame(counters.TABLE, kept.select(*same, value=pl.col(name).cast(pl.Float64)).with_columns(told))


def _long(rows: Rows, at: pl.DataFrame, stream: Stream, fields: Fields) -> None:
    frame, name, value = stream.frame, fields.name or "", fields.value or ""
    said = {column: kind for column, kind in _SAID.items() if column in frame.columns}
    at = at.with_columns(
        _amounts(rows, stream, value).alias("value"),
        stream.text(name).alias("raw_name"),
        *(_said(stream, column, kind).alias(f"said_{column}") for column, kind in said.items()),
    ).filter(pl.col("raw_name").is_not_null())
    at = at.with_columns(
        sample=pl.int_range(1, pl.len() + 1).over("host", "device", "raw_name", *(f"said_{c}" for c in said))
    )
    kept = thinned(rows, at)
    key = ["host", "device", "raw_name"]
    series = kept.select(key).unique(maintain_order=True)
    known = pl.concat([_known(rows, part) for part in series.partition_by("host", "device", maintain_order=True)])
    whole = kept.join(known, on=key, how="left", nulls_equal=True, maintain_order="left")
    own = [pl.coalesce(f"said_{column}", column).alias(column) for column in said]
    rows.add_frame(counters.TABLE, whole.with_columns(own).select(pl.exclude("^said_.*$")))


def _amounts(rows: Rows, stream: Stream, field: str) -> pl.Series:
    if not stream.is_text(field):
        return stream.frame[field].cast(pl.Float64, strict=False)
    texts = stream.texts[field].str.strip_chars()
    amounts = texts.cast(pl.Float64, strict=False)
    odd = texts.filter(amounts.is_null() & texts.is_not_null() & ~texts.is_in(NO_VALUE))
    if not odd.is_empty():
        rows.problem(None, f"{odd.len()} values are no numbers: {odd[0][:40]!r} …", "their rows have no value")
    return amounts.gather(stream.frame[field])


def _said(stream: Stream, column: str, kind: pl.DataType) -> pl.Series:
    told = stream.text(column) if stream.is_text(column) or kind == pl.String else stream.frame[column]
    return told.cast(kind, strict=False)


def _known(rows: Rows, part: pl.DataFrame) -> pl.DataFrame:
    """The meanings of the names of one device."""
    return part.with_columns(meanings(rows, part["raw_name"].to_list()).select(pl.exclude("raw_name")))


def _places(stream: Stream, fields: Fields, path: PurePath) -> pl.DataFrame:
    """`host` and `device` of each row: `h12/mlx5_0` has both, `mlx5_0/1` is a device and its port."""
    field = fields.device or ""
    if stream.is_text(field):
        known = stream.texts[field].to_list()
        ids = stream.frame[field]
    else:
        told = stream.text(field)
        known, ids = told.to_list(), pl.int_range(len(told), eager=True)
    both = [_parted(text) for text in known]
    named = _gathered([host for host, _ in both], ids, "host"), _gathered([device for _, device in both], ids, "device")
    if fields.host is not None:
        named = stream.text(fields.host).alias("host"), _gathered(known, ids, "device")
    host = pl.col("host").fill_null(pl.lit(place.host_of(path), pl.String))
    return pl.DataFrame(list(named)).with_columns(host)


def _gathered(values: Sequence[str | None], ids: pl.Series, name: str) -> pl.Series:
    return pl.Series(name, values, dtype=pl.String).gather(ids)


def _parted(text: str | None) -> tuple[str | None, str | None]:
    if not text:
        return None, None
    host, slash, device = text.partition("/")
    if slash and host and device and place.device_of(PurePath(host)) is None:
        return host, device
    return None, text
