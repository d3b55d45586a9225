"""`collectives`: each collective operation that a dump or log knows."""

from badhop.schema import Column
from badhop.tables.place import told_table

TABLE = told_table(
    "collectives",
    "One row for each collective or point-to-point operation that a flight-recorder dump, an NCCL log (subsystem COLL) "
    "or the inspector knows of a rank. A dump is a ring buffer: what fell out of it is not here.",
    Column(
        "rank", "u32", "", "Rank in the job; from the file's name for dumps, which do not hold it; null when not told."
    ),
    Column("record", "u64", "", "Number of the entry in its dump, from the first that the process ever made."),
    Column("pg_id", "text", "", "Local number of the process group: tells groups of one process apart, no more."),
    Column("pg", "text", "", "Name of the process group, the same on all its ranks; join with `process_groups`."),
    Column("pg_desc", "text", "", "What the program calls the group: default_pg, TENSOR_MODEL_PARALLEL_GROUP."),
    Column("comm_id", "text", "", "NCCL communicator: commId of the inspector, pointer (0x…) of an NCCL log."),
    Column("seq", "u64", "", "Sequence number of collectives in the group: joins ranks. Inspector: coll_sn."),
    Column("p2p_seq", "u64", "", "Sequence number of sends and receives in the group."),
    Column("op_id", "u64", "", "Number over all operations, also those inside a coalesced one; NCCL log: opCount."),
    Column("op", "text", "", "all_reduce, send, …: lower case, without library and ranks."),
    Column("profiling_name", "text", "", "As recorded: nccl:all_reduce, nccl:send 0->1, AllReduce."),
    Column("is_p2p", "bool", "", "Whether it is a send or receive."),
    Column(
        "src_rank", "u32", "", "Sender in the group, of a send or receive; root of a broadcast or reduce in NCCL logs."
    ),
    Column("dst_rank", "u32", "", "Receiver in the group."),
    Column("input_sizes", "list[text]", "", "Shape of each input: 4096x1x5120."),
    Column("output_sizes", "list[text]", "", "Shape of each output."),
    Column("input_dtypes", "list[text]", "", "Type of each input as recorded: BFloat16, Float; NCCL logs: bf16, f32."),
    Column("output_dtypes", "list[text]", "", "Type of each output."),
    Column("input_elements", "u64", "", "Elements of all inputs: what a watchdog line calls NumelIn."),
    Column("output_elements", "u64", "", "Elements of all outputs: NumelOut."),
    Column("bytes", "u64", "bytes", "Size of the message, where it is printed."),
    Column("state", "text", "", "scheduled, started or completed: how far this rank's watchdog knew it to be."),
    Column("created", "time", "UTC", "When the program called it, by that host's clock."),
    Column("started", "time", "UTC", "When the watchdog noticed that it runs on the GPU; null when not noticed."),
    Column("completed", "time", "UTC", "When the watchdog noticed its end; null when not noticed."),
    Column("duration_ms", "f64", "ms", "Run time on the GPU, where timing was on. The shortest in a group came last."),
    Column("timeout_ms", "u64", "ms", "After how long the watchdog gives up."),
    Column("retired", "bool", "", "Whether the watchdog no longer waits for it."),
    Column("algorithm_gbs", "f64", "GB/s", "Bytes by time (algbw), 1e9 bytes."),
    Column("bus_gbs", "f64", "GB/s", "The same in terms of the wire (busbw)."),
    Column("nranks", "u32", "", "Ranks of the communicator, where it is printed."),
    Column("pid", "u64", "", "Process, where it is printed."),
    Column("gpu", "u32", "", "CUDA device, where it is printed."),
    Column("thread", "text", "", "Name of the thread that called it, or its number."),
    Column("frames", "list[text]", "", "Innermost calls first: function at file:line; at most eight."),
)
