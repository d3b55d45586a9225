"""`collectives`: each collective operation that a dump or log knows."""

from badhop.tables.place import told_table

TABLE = told_table("collectives", "Each collective operation that a dump or log knows.")
