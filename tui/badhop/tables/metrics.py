"""`metrics`: series of Prometheus and OpenMetrics."""

from badhop.schema import Column
from badhop.tables.place import told_table

TABLE = told_table(
    "metrics",
    "One row for each sample of a series: from the text of a Prometheus exporter, an answer of its query API, or the "
    "line protocol of Influx. "
    "Totals and histogram buckets count since the exporter started: only the difference of two samples says something.",
    Column(
        "sample",
        "u64",
        "",
        "Which scrape of its file it belongs to, from 1; of an API answer, its place in its series.",
    ),
    Column(
        "metric",
        "text",
        "",
        "Name as exposed, with _bucket, _sum, _count and _total: vllm:num_requests_running; of Influx, measurement and "
        "field. Null for what a function of the query language made.",
    ),
    Column(
        "labels",
        "text",
        "",
        'All labels as key="value", joined by commas, sorted by key, values escaped as in the exposition format; empty '
        "where there are none. Equal texts are the same series.",
    ),
    Column("type", "text", "", "counter, gauge, histogram, summary, … as exposed; null when the text does not say."),
    Column(
        "unit",
        "text",
        "",
        "As OpenMetrics tells it, else the base unit that the name ends in (seconds, bytes …); null otherwise, "
        "and for the buckets and counts of histograms, which count observations.",
    ),
    Column("value", "f64", "", "Null for NaN (no observation, stale) and the codes that DCGM has for `not supported`."),
    Column("le", "f64", "", "Upper bound of a histogram's bucket, which counts all observations up to it; else null."),
    Column("quantile", "f64", "0 to 1", "Which quantile of a summary; else null."),
    Column("job", "text", "", "Label job: what Prometheus calls the group of targets."),
    Column("instance", "text", "", "Label instance: host:port that was scraped."),
    Column(
        "device", "text", "", "Which part of the host, by its labels: eth2, mlx5_0/1, gpu3; null when none says so."
    ),
)
