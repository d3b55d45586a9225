"""`probes`: what was sent to see what comes back."""

from badhop.tables.place import told_table

TABLE = told_table("probes", "What was sent to see what comes back.")
