"""`gateway`: requests as a gateway logged them, with the time of the upstream."""

from badhop.tables.place import told_table

TABLE = told_table("gateway", "Requests as a gateway logged them, with the time of the upstream.")
