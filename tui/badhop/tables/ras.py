"""`ras`: what NCCL RAS knows of a job."""

from badhop.tables.place import told_table

TABLE = told_table("ras", "What NCCL RAS knows of a job.")
