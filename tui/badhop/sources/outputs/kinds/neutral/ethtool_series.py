"""Snapshots of `ethtool -S` after one another, with a time before each: read at once."""

import polars as pl

from badhop import _core
from badhop.sources.outputs import place
from badhop.sources.outputs.content import HEAD, Content
from badhop.sources.outputs.kind import Bulk
from badhop.sources.outputs.kinds.neutral.known_names import meanings
from badhop.sources.outputs.kinds.neutral.marks import mark
from badhop.sources.outputs.kinds.neutral.spreading import spread
from badhop.sources.outputs.kinds.neutral.stated import tell_problems
from badhop.sources.outputs.kinds.neutral.thinning import MOST_READ, thinned
from badhop.sources.outputs.kinds.neutral.threads import THREADS
from badhop.sources.outputs.rows import Rows
from badhop.tables import counters

_HEADING = "NIC statistics:"


def _recognise(content: Content) -> bool:
    """A time, the heading and a counter, in this order, and a second snapshot unless the first fills the head."""
    texts = [text for line in content.head.decode("utf-8", "replace").split("\n") if (text := line.strip())]
    if len(texts) < 3 or mark(texts[0]) is None or texts[1] != _HEADING or ": " not in texts[2]:
        return False
    return _HEADING in texts[2:] or (content.size is None or content.size > HEAD)


def _read(content: Content, rows: Rows) -> bool:
    found = _core.ethtool_series(content.on_disk or content.whole(), MOST_READ, THREADS)
    readings, names = pl.DataFrame(found["readings"]), pl.DataFrame(found["series"])["name"]
    if readings.is_empty() or (last := readings["sample"][-1]) == 1:
        return False
    between = [mark for mark in found["between"] if mark[0] <= last]  # a cut line may stand at the end
    samples = _samples(between, place.device_of(content.path))
    if samples is None:
        return False
    tell_problems(rows, found, "name and value")
    kept = thinned(rows, readings)
    series = meanings(rows, names.to_list())
    at = spread(samples, kept["sample"] - 1)
    named = spread(series, kept["series"])
    host = pl.lit(place.host_of(content.path), pl.String)
    rows.add_frame(
        counters.TABLE,
        pl.concat([kept.select("line", "sample", "value"), at, named], how="horizontal").with_columns(host=host),
    )
    return True


def _samples(between: list[tuple[int, int, str]], device: str | None) -> pl.DataFrame | None:
    """`ts`, `ts_from` and `device` of each sample in order; None when something else than snapshots stands there.

    A time holds until the next one: several interfaces may be read after one `date`.
    """
    ts: int | None = None
    named = device
    told: dict[int, tuple[int | None, str | None]] = {}
    for sample, _, text in between:
        if text.strip() != _HEADING:
            moment = mark(text)
            if moment is None:
                return None
            ts, after = moment
            named = after or device
        told[sample] = (ts, named)
    last = max(told, default=0)
    if set(told) != set(range(1, last + 1)):
        return None  # readings before anything that tells when they were taken
    ordered = [told[sample] for sample in range(1, last + 1)]
    return pl.DataFrame(
        {"ts": [ts for ts, _ in ordered], "device": [name for _, name in ordered]},
        schema={"ts": pl.Datetime("ns"), "device": pl.String},
    ).with_columns(ts_from=pl.when(pl.col("ts").is_not_null()).then(pl.lit("date")))


KIND = Bulk("ethtool -S series", (counters.TABLE,), _recognise, _read)
