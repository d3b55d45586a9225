"""Turns what Rust read of an exposition into rows of `metrics`, and of `counters` where it is one of a device."""

from collections.abc import Mapping
from typing import Any

import polars as pl

from badhop.sources.outputs.kinds.neutral import exporter_counters, known_names
from badhop.sources.outputs.kinds.neutral.marks import mark
from badhop.sources.outputs.kinds.neutral.series_labels import WANTED, device_of, host_of, unit_of
from badhop.sources.outputs.kinds.neutral.spreading import spread
from badhop.sources.outputs.kinds.neutral.stated import tell_problems
from badhop.sources.outputs.kinds.neutral.thinning import thinned
from badhop.sources.outputs.passage import Moment
from badhop.sources.outputs.rows import Rows
from badhop.tables import counters, metrics


def tell_scrapes(
    rows: Rows, found: Mapping[str, Any], *, host: str | None, taken: Moment | None, first_line: int = 1
) -> bool:
    """Adds what was found in a text that begins at `first_line`; False when there is no sample in it.

    `taken` is the time of a text that tells none and has one scrape: that of several is not known.
    """
    readings = pl.DataFrame(found["readings"])
    if readings.is_empty():
        return False
    tell_problems(rows, found, "sample", first_line)
    kept = thinned(rows, readings)
    series = described(pl.DataFrame(found["series"]))
    at = kept.select(pl.col("line") + (first_line - 1), "sample", "value", *_times(kept, found["between"], taken))
    add_samples(rows, at, kept["series"], series, host)
    return True


def described(series: pl.DataFrame) -> pl.DataFrame:
    """The series as columns of `metrics`, from `name`, `labels`, `type`, `unit` and the labels that are looked at."""
    told = []
    for row in series.iter_rows(named=True):
        labels = {name: row.get(f"label_{name}") for name in WANTED}
        name, kind = row["name"] or "", row["type"]
        told.append((host_of(labels), device_of(labels), unit_of(name, kind, row["unit"])))
    schema = {"own_host": pl.String(), "device": pl.String(), "unit": pl.String()}
    return series.select(
        metric="name",
        labels="labels",
        type="type",
        le=_bound("label_le"),
        quantile=_bound("label_quantile"),
        job="label_job",
        instance="label_instance",
    ).with_columns(pl.DataFrame(told, schema=schema, orient="row"))


def add_samples(rows: Rows, at: pl.DataFrame, ids: pl.Series, series: pl.DataFrame, host: str | None) -> None:
    """Samples (`line`, `sample`, `value`, `ts`, `ts_from`) of the series whose places `ids` has."""
    named = spread(series, ids).with_columns(host=pl.col("own_host").fill_null(pl.lit(host, pl.String)))
    whole = pl.concat([at, named], how="horizontal")
    if series["metric"].str.starts_with("DCGM_").any():
        blank = exporter_counters.says_nothing(pl.col("metric"), pl.col("value"))
        whole = whole.with_columns(value=pl.when(~blank).then(pl.col("value")))
    rows.add_frame(metrics.TABLE, whole.select(pl.exclude("own_host")))
    names = series["metric"].unique(maintain_order=True).drop_nulls()
    meanings = {name: meaning for name in names if (meaning := exporter_counters.meaning_of(name)) is not None}
    if not meanings:
        return
    known = known_names.table(list(meanings), list(meanings.values()))
    counted = whole.filter(pl.col("metric").is_in(list(meanings)))
    counted = counted.select(*at.columns, "host", "device", raw_name="metric").join(
        known, on="raw_name", how="left", maintain_order="left"
    )
    rows.add_frame(counters.TABLE, counted)


def _times(kept: pl.DataFrame, between: list[tuple[int, int, str]], taken: Moment | None) -> tuple[pl.Expr, pl.Expr]:
    """`ts` and `ts_from` of each row: its own, else that of a comment before its scrape, else the text's."""
    told: dict[int, int] = {}
    for sample, _, text in between:
        if (moment := mark(text)) is not None:
            told[sample] = moment[0]
    last = int(kept["sample"].max() or 0)  # type: ignore[arg-type]
    word = "date"
    if taken is not None and last == 1 and not told:
        told, word = {1: taken.ts}, taken.found
    by_sample = pl.Series([told.get(sample) for sample in range(1, last + 1)], dtype=pl.Int64)
    marked = pl.lit(by_sample.gather(kept["sample"] - 1))
    own = pl.col("ts_ms") * 1_000_000 if "ts_ms" in kept.columns else pl.lit(None, pl.Int64)
    ts = pl.coalesce(own, marked)
    found = pl.when(own.is_not_null()).then(pl.lit("line")).when(marked.is_not_null()).then(pl.lit(word))
    return ts.cast(pl.Datetime("ns")).alias("ts"), found.alias("ts_from")


def _bound(column: str) -> pl.Expr:
    return pl.col(column).str.replace("+Inf", "inf", literal=True).cast(pl.Float64, strict=False)
