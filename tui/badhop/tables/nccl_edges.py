"""`nccl_edges`: which rank talks to which, over what."""

from badhop.schema import Column
from badhop.tables.place import told_table

TABLE = told_table(
    "nccl_edges",
    "One row for each connection, ring or tree edge, and queue pair that a rank's NCCL log tells of. Both ends tell "
    "the same edge: `told_by` says which one did.",
    Column("comm_id", "text", "", "Communicator as in `nccl_ranks`; null when the log does not tell which."),
    Column("comm", "text", "", "Pointer of the communicator in the process that told it."),
    Column("told_by", "u32", "", "Rank whose log it is; null when the log begins too late to tell."),
    Column("pid", "u64", "", "Process that told it."),
    Column("gpu", "u32", "", "CUDA device of the thread that told it."),
    Column(
        "kind",
        "text",
        "",
        "ring, tree, p2p, nvls or collnet; qp for a queue pair set up on a NIC, whose ranks are not told; null for a "
        "connection that may be of a ring or a tree.",
    ),
    Column("channel", "u32", "", "Channel, from 0."),
    Column("from_rank", "u32", "", "Rank that sends; of a tree edge the child."),
    Column("to_rank", "u32", "", "Rank that receives; of a tree edge the parent."),
    Column(
        "from_gpu", "text", "", "What stands in brackets behind the sender: CUDA index, before 2.18.3 PCIe address."
    ),
    Column("to_gpu", "text", "", "The same of the receiver."),
    Column("direction", "text", "", "send or receive as the teller sees it; null where the line has none."),
    Column(
        "transport",
        "text",
        "",
        "NET/IB, NET/Socket, P2P/CUMEM, P2P/IPC, SHM/direct, NVLS …; null for ring and tree lines.",
    ),
    Column("nic_index", "u32", "", "NCCL's index of the NIC."),
    Column(
        "nic",
        "text",
        "",
        "The NIC's name, from the list in the same process: mlx5_5; null when that is not in the log.",
    ),
    Column("proxy_rank", "u32", "", "Rank whose NIC is used instead of its own (PXN)."),
    Column("gdr", "bool", "", "Whether GPUDirect RDMA is used; null where the transport is not the network."),
    Column("shared", "bool", "", "Whether the buffers are shared between connections; null where not the network."),
    Column("qpn", "u32", "", "Local queue pair number; for kind qp."),
    Column("gid_index", "u32", "", "Index of the GID used; for kind qp on RoCE."),
    Column("gid", "text", "", "Local GID as printed; for kind qp on RoCE."),
    Column("lid", "u32", "", "Local LID; for kind qp on InfiniBand."),
    Column("mtu", "u32", "bytes", "Path MTU of the queue pair."),
)
