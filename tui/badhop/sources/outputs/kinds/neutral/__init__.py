"""Streams of counters in the neutral forms: CSV, JSON lines, Parquet, Prometheus text, Influx line protocol."""

from badhop.sources.outputs.kind import Kind
from badhop.sources.outputs.kinds.neutral import ethtool_series, exposition

KINDS: tuple[Kind, ...] = (ethtool_series.KIND, exposition.FILE, exposition.PASSAGE)
