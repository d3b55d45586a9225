"""`gpus`: the state of each GPU, its NVLinks, and Xid and SXid events."""

from badhop.tables.place import told_table

TABLE = told_table("gpus", "The state of each GPU, its NVLinks, and Xid and SXid events.")
