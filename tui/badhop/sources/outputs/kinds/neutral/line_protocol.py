"""The line protocol of Influx, as Telegraf writes it to files."""

import re

import polars as pl

from badhop import _core
from badhop.sources.outputs import place
from badhop.sources.outputs.content import Content
from badhop.sources.outputs.kind import Bulk
from badhop.sources.outputs.kinds.neutral import known_names
from badhop.sources.outputs.kinds.neutral.scrapes import add_samples, described
from badhop.sources.outputs.kinds.neutral.series_labels import WANTED
from badhop.sources.outputs.kinds.neutral.stated import tell_problems
from badhop.sources.outputs.kinds.neutral.stream import Stream
from badhop.sources.outputs.kinds.neutral.stream_times import times
from badhop.sources.outputs.kinds.neutral.thinning import MOST_READ, thinned
from badhop.sources.outputs.rows import Rows
from badhop.tables import counters, metrics

_POINT = re.compile(r'[A-Za-z_][\w.-]*(?:,[\w.-]+=[^\s,=]+)+ [\w./%-]+=(?:-?\d|t|f|T|F|").* \d{10,19}')
"""A point with at least one tag, and its time: less could be a line of any log."""

_RAW = ("ethtool", "infiniband")
"""Measurements of Telegraf whose fields are the names of the kernel or the driver."""


def _recognise(content: Content) -> bool:
    head = content.head.decode("utf-8", "replace").split("\n")
    first = [text for line in head[:50] if (text := line.strip()) and text[0] != "#"][:4]
    whole = first[:-1] if len(first) > 1 else first  # the last of the head may be cut
    return bool(whole) and all(len(text) < 1 << 14 and _POINT.fullmatch(text) for text in whole)


def _read(content: Content, rows: Rows) -> bool:
    found = _core.line_protocol(content.on_disk or content.whole(), WANTED, MOST_READ)
    points = pl.DataFrame(found["readings"])
    if points.is_empty():
        return False
    tell_problems(rows, found, "point")
    names = pl.DataFrame(found["series"])
    series = names.with_columns(type=pl.lit(None, pl.String), unit=pl.lit(None, pl.String))
    stream = Stream(points, {}, 1)
    kept = thinned(
        rows,
        points.with_columns(times(stream, "time", None), sample=pl.int_range(1, pl.len() + 1).over("series")),
    )
    at = kept.select("line", "sample", "value", "ts", ts_from=pl.when(pl.col("ts").is_not_null()).then(pl.lit("line")))
    host = place.host_of(content.path)
    told = described(series)
    add_samples(rows, at, kept["series"], told, host)
    raw = names.with_row_index("series").filter(pl.col("measurement").is_in(_RAW))
    if not raw.is_empty():
        known = known_names.meanings(rows, raw["field"].to_list())
        counted = raw.select("series").with_columns(known)
        placed = told.select(pl.col("own_host").fill_null(pl.lit(host, pl.String)).alias("host"), "device")
        whole = pl.concat([at, kept.select("series"), placed.select(pl.all().gather(kept["series"]))], how="horizontal")
        rows.add_frame(counters.TABLE, whole.join(counted, on="series", maintain_order="left").drop("series"))
    return True


KIND = Bulk("Influx line protocol", (metrics.TABLE, counters.TABLE), _recognise, _read)
