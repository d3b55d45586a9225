"""`watchdog`: what the watchdog of PyTorch said."""

from badhop.schema import Column
from badhop.tables.place import told_table

TABLE = told_table(
    "watchdog",
    "One row for each line of the watchdog of PyTorch's process groups. A timeout is on the victims: the culprit is "
    "the rank whose last enqueued number is lowest, or the one that said nothing.",
    Column(
        "kind",
        "text",
        "",
        "timeout (of one operation), status (how far a group came), dump signal (another rank timed out first), stuck "
        "(the watchdog itself), aborted, terminated, desync, dump, or note.",
    ),
    Column(
        "rank",
        "u32",
        "",
        "Rank in the job: of the line's [rank3]: prefix, or where it is known to be the default group.",
    ),
    Column(
        "pg_rank", "u32", "", "Rank in the process group, as the message has it; in the default group that of the job."
    ),
    Column("pg_id", "text", "", "Local number of the process group."),
    Column("pg", "text", "", "Name of the process group (PG GUID)."),
    Column("pg_desc", "text", "", "What the program calls the group: default_pg."),
    Column("seq", "u64", "", "Sequence number of the operation that timed out or failed."),
    Column("op", "text", "", "Its type as printed: ALLREDUCE, _ALLGATHER_BASE."),
    Column("input_elements", "u64", "", "NumelIn; 1 is a barrier or a flag: look at what came before."),
    Column("output_elements", "u64", "", "NumelOut."),
    Column("tensor_shape", "text", "", "Shape as older versions print it: [1024, 512]."),
    Column("timeout_ms", "u64", "ms", "Limit of the operation."),
    Column("ran_ms", "u64", "ms", "How long it ran: it began that long before this line."),
    Column("last_enqueued", "i64", "", "Sequence number of the last operation that this rank enqueued; -1 is none."),
    Column("last_started", "i64", "", "The last one that started; null where it is not printed or not followed (-1)."),
    Column(
        "last_completed",
        "i64",
        "",
        "The last one that completed; -1 is none; null for numbers beyond the enqueued one.",
    ),
    Column("first_rank", "u32", "", "Rank whose timeout made the others dump: the first victim, not the culprit."),
    Column("suspect_ranks", "list[u64]", "", "Ranks that the desync report itself names."),
    Column("stuck_s", "f64", "s", "How long the watchdog made no progress."),
    Column("severity", "text", "", "E, W, I or F of the line; null where it has none."),
    Column("place", "text", "", "Source file and line: ProcessGroupNCCL.cpp:616."),
    Column("message", "text", "", "The text of the line after its prefixes."),
)
