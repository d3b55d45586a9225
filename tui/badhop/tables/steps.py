"""`steps`: how long the iterations of a trainer took."""

from badhop.tables.place import told_table

TABLE = told_table("steps", "How long the iterations of a trainer took.")
