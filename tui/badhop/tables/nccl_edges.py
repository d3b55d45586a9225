"""`nccl_edges`: which rank talks to which, over what."""

from badhop.tables.place import told_table

TABLE = told_table("nccl_edges", "Which rank talks to which, over what.")
