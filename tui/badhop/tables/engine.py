"""`engine`: the state of an inference engine."""

from badhop.tables.place import told_table

TABLE = told_table("engine", "The state of an inference engine.")
