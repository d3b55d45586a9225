"""`metrics`: series of Prometheus and OpenMetrics."""

from badhop.tables.place import told_table

TABLE = told_table("metrics", "Series of Prometheus and OpenMetrics.")
