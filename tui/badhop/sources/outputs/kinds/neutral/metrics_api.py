"""What Prometheus' query API answers: `query` and `query_range`, one or more series with their values."""

import json
from typing import Any

import polars as pl

from badhop.sources.outputs import place
from badhop.sources.outputs.content import Content
from badhop.sources.outputs.kind import Bulk
from badhop.sources.outputs.kinds.neutral.scrapes import add_samples, described
from badhop.sources.outputs.kinds.neutral.series_labels import WANTED
from badhop.sources.outputs.kinds.neutral.thinning import thinned
from badhop.sources.outputs.rows import Rows
from badhop.tables import counters, metrics

_KEYS = (b'"resultType"', b'"result"', b'"status"')
_Row = tuple[int, int, int, float | None]
"""Series, sample, ns, value."""

_LAST = 9_200_000_000
"""The last second whose nanoseconds fit 64 bits."""


def _recognise(content: Content) -> bool:
    """By the keys with which every answer begins, whatever blanks are between."""
    head = content.head[:1024].lstrip()
    return head.startswith(b"{") and all(key in head for key in _KEYS)


def _read(content: Content, rows: Rows) -> bool:
    try:
        answer = json.loads(content.whole())
    except (ValueError, RecursionError) as error:
        rows.problem(None, f"no whole JSON: {str(error)[:80]}", "ask Prometheus again and save the whole answer")
        return True
    data = answer.get("data") if isinstance(answer, dict) else None
    results = data.get("result") if isinstance(data, dict) else None
    if not isinstance(results, list):
        return False
    series: list[dict[str, Any]] = []
    samples: list[_Row] = []
    odd = 0
    for result in results:
        labels = _labels(result)
        if labels is None:
            odd += 1
            continue
        values = result.get("values", [result["value"]] if "value" in result else [])
        for sample, pair in enumerate(values if isinstance(values, list) else [], 1):
            if (read := _sample(pair)) is None:
                odd += 1
            else:
                samples.append((len(series), sample, *read))
        series.append(_series(labels))
    if odd:
        rows.problem(None, f"{odd} series or samples are not of the form of the API")
    if samples:
        _tell(rows, series, samples, place.host_of(content.path))
    return True


def _tell(rows: Rows, series: list[dict[str, Any]], samples: list[_Row], host: str | None) -> None:
    schema = {"series": pl.UInt32, "sample": pl.UInt64, "ts": pl.Int64, "value": pl.Float64}
    kept = thinned(rows, pl.DataFrame(samples, schema=schema, orient="row"))
    at = kept.select(
        "sample",
        "value",
        line=pl.repeat(None, pl.len(), dtype=pl.UInt64),
        ts=pl.col("ts").cast(pl.Datetime("ns")),
        ts_from=pl.repeat("line", pl.len()),
    )
    columns = {name: pl.String() for name in ("name", "labels", "type", "unit", *(f"label_{name}" for name in WANTED))}
    add_samples(rows, at, kept["series"], described(pl.DataFrame(series, schema=columns)), host)


def _labels(result: object) -> dict[str, str] | None:
    labels = result.get("metric") if isinstance(result, dict) else None
    return {str(key): str(value) for key, value in labels.items()} if isinstance(labels, dict) else None


def _series(labels: dict[str, str]) -> dict[str, Any]:
    """A result of a function (`rate(…)`) has no name of its own: it gets none."""
    name = labels.pop("__name__", None)
    text = ",".join(f'{key}="{_escaped(value)}"' for key, value in sorted(labels.items()))
    return {"name": name, "labels": text} | {f"label_{key}": labels.get(key) or None for key in WANTED}


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _sample(pair: object) -> tuple[int, float | None] | None:
    """`[1764547200.123, "17"]` as ns and a number; NaN is None."""
    if not isinstance(pair, list) or len(pair) != 2 or type(pair[0]) not in (int, float):
        return None
    try:
        seconds, value = float(pair[0]), float(pair[1])
    except (TypeError, ValueError, OverflowError):
        return None
    if not abs(seconds) <= _LAST:
        return None
    return round(seconds * 1000) * 10**6, None if value != value else value


KIND = Bulk("Prometheus API answer", (metrics.TABLE, counters.TABLE), _recognise, _read)
