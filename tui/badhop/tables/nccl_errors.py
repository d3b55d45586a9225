"""`nccl_errors`: what NCCL reported as errors, joined over the lines."""

from badhop.schema import Column
from badhop.tables.place import told_table

TABLE = told_table(
    "nccl_errors",
    "One row for each error of an NCCL log, with what later lines add to it. The host that logs it is often the "
    "victim: status 12 names a pair of NICs and the path between them.",
    Column("lines", "list[u64]", "", "Every line that is in this row; `line` is the first."),
    Column(
        "kind",
        "text",
        "",
        "completion, async event, fatal async event, connection closed, connect failed, verbs call, mismatch, "
        "truncated, version mismatch, cuda, aborted, timeout, warning, or result: a code without the line that says "
        "why, or an exception of a framework, which repeats what a WARN line said before.",
    ),
    Column("level", "text", "", "WARN or INFO."),
    Column("pid", "u64", "", "Process that logged it."),
    Column("tid", "u64", "", "Thread that logged it."),
    Column("gpu", "u32", "", "CUDA device of the thread."),
    Column(
        "rank",
        "u32",
        "",
        "Rank in the largest communicator of this GPU, mostly that of the job; of an exception by its [rank3]:.",
    ),
    Column("comm_id", "text", "", "The communicator of this GPU as in `nccl_ranks`; null where it has several."),
    Column(
        "status", "u32", "", "ibv_wc_status of a failed completion: 12 is retries exceeded, 5 a flush (a consequence)."
    ),
    Column("status_name", "text", "", "The same as verbs name it: RETRY_EXC_ERR."),
    Column("opcode", "u32", "", "As printed; verbs leaves it undefined for a failed completion."),
    Column("vendor_error", "u32", "", "The NIC's own code: 129 is transport retry exceeded on mlx5."),
    Column("request", "text", "", "Send, Recv, Flush …: which of NCCL's requests it was."),
    Column("peer", "text", "", "TCP address of the other process, as the bootstrap knows it."),
    Column("nic", "text", "", "Local NIC: mlx5_3."),
    Column("port", "u32", "", "Its port."),
    Column("local_gid", "text", "", "GID of the local end."),
    Column("remote_gid", "text", "", "GID of the remote end."),
    Column(
        "local_qpn", "u32", "", "Queue pair of the local end; from another line only if no other pair has this GID."
    ),
    Column("remote_qpn", "u32", "", "Queue pair of the remote end."),
    Column("event", "text", "", "Text of the asynchronous event: port error, GID table change …"),
    Column("errno", "u32", "", "Error number of a failed call: 110 is timed out."),
    Column(
        "result",
        "u32",
        "",
        "ncclResult_t that the callers returned: 1 CUDA, 2 system, 3 internal, 4 argument, 5 usage, 6 remote "
        "process or network.",
    ),
    Column("place", "text", "", "Source file and line of NCCL: transport/net_ib.cc:1295."),
    Column("message", "text", "", "The text after NCCL WARN or NCCL INFO."),
)
