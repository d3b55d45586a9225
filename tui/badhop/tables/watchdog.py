"""`watchdog`: what the watchdog of PyTorch said."""

from badhop.tables.place import told_table

TABLE = told_table("watchdog", "What the watchdog of PyTorch said.")
