"""Streams of counters in the neutral forms: CSV, JSON lines, Parquet, Prometheus text, Influx line protocol."""

from badhop.sources.outputs.kind import Kind
from badhop.sources.outputs.kinds.neutral import counter_files, ethtool_series, exposition, line_protocol, metrics_api

KINDS: tuple[Kind, ...] = (
    ethtool_series.KIND,
    exposition.FILE,
    exposition.PASSAGE,
    counter_files.CSV,
    counter_files.JSON_LINES,
    counter_files.PARQUET,
    metrics_api.KIND,
    line_protocol.KIND,
)
