"""`storage`: operations, latency and throughput of storage."""

from badhop.tables.place import told_table

TABLE = told_table("storage", "Operations, latency and throughput of storage.")
