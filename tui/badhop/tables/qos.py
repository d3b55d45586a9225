"""`qos`: how priorities are mapped, paused and scheduled."""

from badhop.tables.place import told_table

TABLE = told_table("qos", "How priorities are mapped, paused and scheduled.")
