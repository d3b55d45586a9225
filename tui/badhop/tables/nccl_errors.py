"""`nccl_errors`: what NCCL reported as errors, joined over the lines."""

from badhop.tables.place import told_table

TABLE = told_table("nccl_errors", "What NCCL reported as errors, joined over the lines.")
