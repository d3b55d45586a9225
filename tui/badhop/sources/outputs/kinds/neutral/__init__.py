"""Streams of counters in the neutral forms: CSV, JSON lines, Parquet, Prometheus text, Influx line protocol."""

from badhop.sources.outputs.kind import Kind

KINDS: tuple[Kind, ...] = ()
