"""`routes`: where a host or switch sends packets."""

from badhop.tables.place import told_table

TABLE = told_table("routes", "Where a host or switch sends packets.")
