"""`host_events`: what the kernel of a host logged."""

from badhop.tables.place import told_table

TABLE = told_table("host_events", "What the kernel of a host logged.")
