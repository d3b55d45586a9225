"""`process_groups`: the groups of a job as each rank's flight recorder knew them, and how far each came."""

from badhop.schema import Column
from badhop.tables.place import told_table

TABLE = told_table(
    "process_groups",
    "One row for each process group in a flight-recorder dump: its members, and the last operation that this rank "
    "enqueued, saw started and saw completed. A member whose last enqueued number is behind never called the rest.",
    Column("rank", "u32", "", "Rank whose dump it is, from the file's name; null when that does not tell."),
    Column(
        "pg_id", "text", "", "Local number of the group, as entries have it; null where no entry joins it to the name."
    ),
    Column(
        "pg", "text", "", "Name of the group, the same on all its ranks; null where no entry joins it to the number."
    ),
    Column("pg_desc", "text", "", "What the program calls the group."),
    Column("members", "list[u64]", "", "Ranks of the job in this group; null when not told."),
    Column("last_enqueued", "i64", "", "Sequence number of the last operation enqueued; -1 is none yet."),
    Column(
        "last_started", "i64", "", "The last one noticed as running; null where the watchdog does not follow starts."
    ),
    Column("last_completed", "i64", "", "The last one noticed as finished; -1 is none yet."),
    Column("version", "text", "", "Version of the dump's format."),
    Column("library", "text", "", "Version of NCCL or the other library, where the dump has it."),
)
