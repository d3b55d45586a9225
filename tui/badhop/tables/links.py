"""`links`: what each port says of its link: speed, width, state, FEC, optics, flaps."""

from badhop.tables.place import told_table

TABLE = told_table("links", "What each port says of its link: speed, width, state, FEC, optics, flaps.")
