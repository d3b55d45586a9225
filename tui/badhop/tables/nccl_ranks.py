"""`nccl_ranks`: who takes part in a job: rank, host, pid, GPU, NICs."""

from badhop.tables.place import told_table

TABLE = told_table("nccl_ranks", "Who takes part in a job: rank, host, pid, GPU, NICs.")
