"""The state of each inference engine between two scrapes: queue, cache, rates, and where the time of a request goes."""

import polars as pl

from badhop.analyses.engine_names import KNOWN
from badhop.schema import Column, Table

TABLE = Table(
    "engine",
    "One row for each engine (vLLM, SGLang, TGI, Triton, llama.cpp, Dynamo) in each scrape of its metrics. Times and "
    "counts are those since the scrape before, never since the start; with one scrape they are null.",
    (
        Column("source", "text", "", "File of the scrape."),
        Column("host", "text", "", "The machine; null when nothing tells."),
        Column("instance", "text", "", "host:port that was scraped; null when nothing tells."),
        Column("engine", "text", "", "vllm, sglang, tgi, triton, llama.cpp or dynamo."),
        Column("model", "text", "", "Name of the model; null when no label says it."),
        Column("replica", "text", "", "Which engine of the process; null when no label says it."),
        Column("from_ts", "time", "UTC", "The scrape before; null for the first."),
        Column("ts", "time", "UTC", "This scrape; null when nothing tells."),
        Column("running", "f64", "", "Requests in the batch."),
        Column("waiting", "f64", "", "Requests that wait to be scheduled."),
        Column("kv_used", "f64", "0 to 1", "Share of the KV cache in use."),
        Column("preemptions", "f64", "", "Requests that lost their place and began again."),
        Column("requests", "f64", "", "Requests that ended."),
        Column("transfers_failed", "f64", "", "Transfers of KV caches that failed."),
        Column("prompt_rate", "f64", "tokens/s", "Prompt tokens a second."),
        Column("generation_rate", "f64", "tokens/s", "Tokens made a second; 0 with requests running is a hang."),
        Column("ttft", "f64", "s", "Mean time to the first token."),
        Column("ttft_p50", "f64", "s", "Half of them took at most this: the upper end of a bucket, no finer."),
        Column("ttft_p99", "f64", "s", "99 of 100 took at most this; infinite above the largest bucket."),
        Column("queue", "f64", "s", "Mean time until a request was scheduled."),
        Column("prefill", "f64", "s", "Mean time from there to the first token."),
        Column("decode", "f64", "s", "Mean time from the first token to the last."),
        Column("itl", "f64", "s", "Mean time between tokens."),
        Column("itl_p99", "f64", "s", "99 of 100 gaps took at most this; the upper end of a bucket."),
        Column("e2e", "f64", "s", "Mean time of a request in the engine."),
    ),
)

_KEY = ["host", "instance", "engine", "model", "replica"]
_SCRAPE = ["source", "sample", "ts"]
_SERIES = [*_KEY, "quantity", "part", "le"]


def engine(metrics: pl.LazyFrame) -> pl.LazyFrame:
    """Scrapes by engine, in the order of their times; those without a time in the order of their files."""
    known = pl.LazyFrame(
        [[one.name, one.engine, one.quantity, one.part, one.scale, one.label] for one in KNOWN],
        schema=["name", "engine", "quantity", "part", "scale", "label"],
        orient="row",
    )
    values = (
        metrics.with_columns(name=pl.col("metric").str.replace(":", "_", literal=True).str.strip_suffix("_total"))
        .join(known, on="name")
        .filter((pl.col("label") == "") | pl.col("labels").str.contains(pl.col("label"), literal=True))
        .with_columns(
            value=pl.col("value") * pl.col("scale"),
            model=_label("model_name").fill_null(_label("model")),
            replica=_label("engine").fill_null(_label("tp_rank")),
        )
        .group_by(*_SERIES, *_SCRAPE)
        .agg(value=pl.when(pl.col("quantity").first() == "kv_used").then(pl.col("value").max()).otherwise(_total()))
        .sort("ts", "source", "sample", nulls_last=True)
        .with_columns(
            from_ts=pl.col("ts").shift().over(_SERIES),
            delta=pl.col("value") - pl.col("value").shift().over(_SERIES),
        )
        .with_columns(delta=pl.when(pl.col("delta") >= 0).then("delta"))  # less than before: it was started anew
    )
    seconds = (pl.col("ts") - pl.col("from_ts")).dt.total_nanoseconds() / 1e9
    return (
        values.group_by(*_KEY, *_SCRAPE, maintain_order=True)
        .agg(
            pl.col("from_ts").max(),
            *(_gauge(name) for name in ("running", "waiting", "kv_used")),
            *(_change(name, "total").alias(name) for name in ("preemptions", "requests", "transfers_failed")),
            _change("prompted", "total").alias("prompted"),
            _change("generated", "total").alias("generated"),
            _gauge("generation_rate"),
            *(_mean(name) for name in ("ttft", "queue", "prefill", "decode", "itl", "e2e")),
            _quantile("ttft", 0.5).alias("ttft_p50"),
            _quantile("ttft", 0.99).alias("ttft_p99"),
            _quantile("itl", 0.99).alias("itl_p99"),
        )
        .with_columns(seconds=pl.when(seconds > 0).then(seconds))
        .with_columns(
            prompt_rate=pl.col("prompted") / pl.col("seconds"),
            generation_rate=pl.coalesce("generation_rate", pl.col("generated") / pl.col("seconds")),
        )
        .select(pl.col(name).cast(kind) for name, kind in TABLE.schema().items())
    )


def _label(name: str) -> pl.Expr:
    return pl.col("labels").str.extract(rf'(?:^|,){name}="((?:[^"\\]|\\.)*)"')


def _total() -> pl.Expr:
    """Null where every part is, and not 0."""
    return pl.when(pl.col("value").count() > 0).then(pl.col("value").sum())


def _is(quantity: str, part: str) -> pl.Expr:
    return (pl.col("quantity") == quantity) & (pl.col("part") == part)


def _gauge(quantity: str) -> pl.Expr:
    return pl.col("value").filter(_is(quantity, "gauge")).max().alias(quantity)


def _change(quantity: str, part: str) -> pl.Expr:
    return pl.col("delta").filter(_is(quantity, part)).max()


def _mean(quantity: str) -> pl.Expr:
    count = _change(quantity, "count")
    return pl.when(count > 0).then(_change(quantity, "sum") / count).alias(quantity)


def _quantile(quantity: str, share: float) -> pl.Expr:
    """The upper end of the bucket in which this share of the observations lies."""
    bucket = _is(quantity, "bucket")
    all_of_them = pl.col("delta").filter(bucket).max()
    enough = bucket & (pl.col("delta") >= share * all_of_them)
    return pl.when(all_of_them > 0).then(pl.col("le").filter(enough).min())
