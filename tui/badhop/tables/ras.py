"""`ras`: what NCCL RAS knows of a job."""

from badhop.schema import Column
from badhop.tables.place import told_table

TABLE = told_table(
    "ras",
    "What the client of NCCL RAS reports of a running job. An all-clear does not clear the network: RAS has its own "
    "TCP connections. Counts differ while a job runs: only what stands still in two reports is stuck.",
    Column("sample", "u64", "", "Which report of its file, from 1."),
    Column(
        "kind",
        "text",
        "",
        "job, group (of like communicators), communicator, rank, count (of one operation), missing, dead, gathering, "
        "or finding (a sentence of the report).",
    ),
    Column("group", "u32", "", "Number of the group of communicators in this report."),
    Column("comm_id", "text", "", "Hash of the communicator as printed."),
    Column("comms", "u32", "", "Communicators in the group, or in the job."),
    Column("nnodes", "u32", "", "Hosts of the job or communicator."),
    Column("processes", "u32", "", "Processes of the job."),
    Column("gpus", "u32", "", "GPUs of the job."),
    Column("nranks", "u32", "", "Ranks of the communicator; of a group those of each communicator in it."),
    Column("ranks_told", "u32", "", "Ranks that it is about: those that said the same, or those with data."),
    Column("missing_ranks", "u32", "", "Ranks or processes without data."),
    Column("rank", "u32", "", "Rank in the communicator."),
    Column("pid", "u64", "", "Process."),
    Column("gpu", "text", "", "GPU or GPUs of the process as printed: 0, or 0,1,2."),
    Column("node", "text", "", "Address or name of the node as printed."),
    Column("status", "text", "", "RUNNING, INIT, FINALIZE, ABORT, NOCOMM, as printed."),
    Column("errors", "text", "", "OK, MISMATCH, ERROR, INCOMPLETE, TIMEOUT, as printed."),
    Column("op", "text", "", "Operation that is counted: AllReduce."),
    Column("count", "u64", "", "How many of this operation were launched; 0 is none, null is not told."),
    Column("async_error", "text", "", "Asynchronous error of the rank, as printed."),
    Column("unresponsive", "bool", "", "Whether RAS could not reach the process."),
    Column("considered_dead", "bool", "", "Whether RAS has given the process up."),
    Column("timeouts", "u64", "", "Timeouts while the report was gathered."),
    Column("version", "text", "", "NCCL version."),
    Column("message", "text", "", "The sentence of the report."),
)
