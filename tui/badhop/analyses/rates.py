"""What two readings of a counter tell together: its rate, and why there sometimes is none."""

import polars as pl

from badhop.analyses.rate_series import with_series
from badhop.schema import Column, Table

TABLE = Table(
    "rates",
    "One row for each two readings of a counter that follow one another. A total that was read once has none. Gauges, "
    "high-water marks and percentages have none either: their values stand in `counters`.",
    (
        Column("source", "text", "", "File of the later reading."),
        Column("line", "u64", "", "Line of the later reading; null where it has none."),
        Column("host", "text", "", "The machine or switch it is about; null when nothing tells."),
        Column("device", "text", "", "NIC, port or interface; null when nothing tells."),
        Column("priority", "u8", "", "Traffic class 0 to 7 where it counts one, else null."),
        Column("queue", "u16", "", "Queue or priority group where it counts one, else null."),
        Column("direction", "text", "", "rx or tx as this device sees it; null when it has none or nothing tells."),
        Column("name", "text", "", "Canonical name (see the vocabulary); null when the vendor's name is not known."),
        Column("raw_name", "text", "", "The name as the tool printed it."),
        Column("dialect", "text", "", "Whose names these are; null when nothing tells."),
        Column("from_ts", "time", "UTC", "When the earlier reading was taken."),
        Column("ts", "time", "UTC", "When the later one was taken."),
        Column("seconds", "f64", "s", "Between them; 0 or less where the clock did not go on."),
        Column("from_value", "f64", "", "What it stood at before."),
        Column("value", "f64", "", "What it stood at then."),
        Column("change", "f64", "", "How much it counted between them; null where that is not known."),
        Column("rate", "f64", "", "That, by second; null where it is not known. `unit` has its unit."),
        Column("unit", "text", "", "Of the rate: packets/s, bytes/s, us/s …; null when the name is not known."),
        Column(
            "flag",
            "text",
            "",
            "ok; wrap: it passed its width once, and that is added; mtime: a rate whose times are those of files, "
            "which copying may change. Without a rate: reset (it was cleared, or its driver came anew), stale (it "
            "stood while its twin in bytes or packets moved: an old value), gap (so long that it may have wrapped more "
            "than once), saturated (it stands at its largest value: at least that), clock (time did not go on between "
            "them), unknown (it fell, and no vocabulary says what it is).",
        ),
    ),
)

_MARGIN = 1.1
"""How far above the fastest plausible rate a wrap is still believed: clocks and polls jitter."""

_MOVED = 10
"""A twin must have moved by more packets than this: the two are not read at the same instant."""

_LARGEST = 10_000
"""Bytes of a packet, at least: what a twin in bytes moves for each."""


def rates(counters: pl.LazyFrame) -> pl.LazyFrame:
    """Every two readings that follow one another, by series, in the order of their times.

    Within a file its own order counts, for a clock may be set back; files follow one another by their first times.
    """
    schema = TABLE.schema()
    return counters.map_batches(_rates, schema=schema, predicate_pushdown=False, projection_pushdown=False)


def _rates(counters: pl.DataFrame) -> pl.DataFrame:
    read = counters.with_row_index("row").filter(pl.col("ts").is_not_null() & pl.col("value").is_not_null())
    readings, series = with_series(read)
    reads = pl.col("reads")
    how = series.select(
        "width",
        "fastest",
        "on",
        "twins",
        rated=reads.is_null() | reads.is_in(["counter", "saturating"]),
        known=reads.is_not_null(),
        saturating=(reads == "saturating").fill_null(False),
        in_bytes=pl.col("unit").is_in(["bytes", "words4"]).fill_null(False),
    )
    # Texts stay behind until the end: sorting carries every column along.
    begun, of_file = pl.col("ts").min().over("source"), pl.col("ts_from") == "mtime"
    pairs = readings.select("row", "ts", "value", "series", of_file=of_file.fill_null(False), begun=begun)
    pairs = (
        pairs.filter(how["rated"].gather(pairs["series"]))
        .sort("series", "begun", "row")
        .drop("begun")
        .with_columns(_before())
        .filter(~((pl.col("seconds") == 0) & (pl.col("change") == 0)).fill_null(False))
    )
    pairs = pairs.with_columns(how.select(pl.all().gather(pairs["series"]))).with_columns(stale=_is_stale())
    stale = pairs.filter("stale").with_columns(flag=pl.lit("stale"))
    fresh = pairs.filter(~pl.col("stale")).with_columns(_before()).filter(pl.col("seconds").is_not_null())
    told = pl.concat([_flagged(fresh), stale], how="diagonal").sort("ts", "series", "row")
    counted = pl.col("flag").is_in(["ok", "wrap", "mtime"])
    wrapped = pl.when(pl.col("change") < 0).then(pl.col("change") + _top()).otherwise(pl.col("change"))
    named = series.select("host", "device", "priority", "queue", "direction", "name", "raw_name", "dialect", "unit")
    placed = counters.select(pl.col("source", "line").gather(told["row"]))
    return (
        pl.concat([told, named.select(pl.all().gather(told["series"])), placed], how="horizontal")
        .with_columns(change=pl.when(counted).then(wrapped), unit=pl.col("unit") + "/s")
        .with_columns(rate=pl.when(counted).then(pl.col("change") / pl.col("seconds")))
        .select(pl.col(name).cast(kind) for name, kind in TABLE.schema().items())
    )


def _before() -> list[pl.Expr]:
    """What the reading before the same one in the series was; null for the first."""
    same = pl.col("series") == pl.col("series").shift()
    ts, value = pl.col("ts").shift(), pl.col("value").shift()
    return [
        pl.when(same).then(ts).alias("from_ts"),
        pl.when(same).then(value).alias("from_value"),
        pl.when(same).then(pl.col("of_file").shift()).alias("from_file"),
        pl.when(same).then((pl.col("ts") - ts).dt.total_nanoseconds() / 1e9).alias("seconds"),
        pl.when(same).then(pl.col("value") - value).alias("change"),
    ]


def _is_stale() -> pl.Expr:
    """It stood still while the other counter of the same traffic moved."""
    moved = pl.when("in_bytes").then(pl.col("change") / _LARGEST).otherwise(pl.col("change"))
    twin = moved.max().over("twins", "ts")
    still = (pl.col("change") == 0) & (pl.col("seconds") > 0) & pl.col("twins").is_not_null()
    return (still & (twin > _MOVED)).fill_null(False)


def _top() -> pl.Expr:
    return pl.lit(2.0).pow(pl.col("width"))


def _flagged(pairs: pl.DataFrame) -> pl.DataFrame:
    """What each change is worth. A reset of the whole device goes before a wrap: two narrow counters that pass their
    width in the same moment are rarer than a reload of the driver, and a wrap that was none adds four billion.
    """
    seconds, change = pl.col("seconds"), pl.col("change")
    narrow = ~pl.col("saturating") & (pl.col("width") < 64)
    fell = change < 0
    too_long = narrow & (seconds > _top() / pl.col("fastest"))
    may_wrap = narrow & fell & ((change + _top()) / seconds <= _MARGIN * pl.col("fastest"))
    known = pl.col("known")
    told = pairs.with_columns(
        may_wrap=may_wrap.fill_null(False), too_long=too_long.fill_null(False), fell=fell & known & (seconds > 0)
    )
    together = {
        "resets": (pl.col("fell") & ~pl.col("may_wrap")).sum(),
        "fallen": pl.col("fell").sum(),
        "grown": (change > 0).sum(),
    }
    told = told.with_columns(count.over("on", "ts").cast(pl.Int64).alias(name) for name, count in together.items())
    others = pl.col("resets") - (pl.col("fell") & ~pl.col("may_wrap")).cast(pl.Int64)
    cleared = (pl.col("resets") >= 2) | ((pl.col("fallen") >= 2) & (pl.col("grown") == 0))
    saturated = pl.col("saturating") & (pl.col("value") >= _top() - 1)
    return told.with_columns(
        flag=pl.when(seconds <= 0)
        .then(pl.lit("clock"))
        .when(saturated)
        .then(pl.lit("saturated"))
        .when(known & (cleared | (pl.col("fell") & (others > 0))))
        .then(pl.lit("reset"))
        .when(pl.col("too_long"))
        .then(pl.lit("gap"))
        .when(fell & ~known)
        .then(pl.lit("unknown"))
        .when(fell & ~pl.col("may_wrap"))
        .then(pl.lit("reset"))
        .when(pl.col("of_file") | pl.col("from_file"))
        .then(pl.lit("mtime"))
        .when(fell)
        .then(pl.lit("wrap"))
        .otherwise(pl.lit("ok"))
    )
