"""`nccl_ranks`: who takes part in a job: rank, host, pid, GPU, NICs."""

from badhop.schema import Column
from badhop.tables.place import told_table

TABLE = told_table(
    "nccl_ranks",
    "One row for each rank of each communicator that an NCCL log tells of: where it runs, over which NICs, and how far "
    "its initialisation came. Started without complete is a rank that hangs there.",
    Column("last_line", "u64", "", "Last line that told something of it; `line` is the first."),
    Column("comm_id", "text", "", "commId as printed, the same on all ranks of a communicator; null before NCCL 2.16."),
    Column("comm", "text", "", "Pointer of the communicator: tells communicators of one process apart, no more."),
    Column("parent", "text", "", "Pointer of the communicator that it was split from; null when it was not."),
    Column("rank", "u32", "", "Rank in this communicator."),
    Column("nranks", "u32", "", "Ranks of this communicator."),
    Column("nnodes", "u32", "", "Hosts of this communicator; null where the version does not print it."),
    Column("local_rank", "u32", "", "Rank among those of the host."),
    Column("pid", "u64", "", "Process."),
    Column("gpu", "u32", "", "CUDA device index in its process (cudaDev)."),
    Column("nvml_gpu", "u32", "", "Index as nvidia-smi has it (nvmlDev); null before NCCL 2.18.3."),
    Column("bus_id", "text", "", "PCIe address of the GPU as printed, in hex without leading zeros: 6000 is 06:00.0."),
    Column("state", "text", "", "seen, init started, init complete, destroyed or aborted: the last one told."),
    Column("init_s", "f64", "s", "How long its initialisation took in all."),
    Column("bootstrap_s", "f64", "s", "Part of it: meeting the other ranks over TCP."),
    Column("connect_s", "f64", "s", "Part of it: connecting, for RDMA setting up queue pairs."),
    Column("version", "text", "", "NCCL version of its process: 2.26.2."),
    Column("cuda_driver", "u32", "", "CUDA driver version as NCCL prints it: 12040."),
    Column("network", "text", "", "What carries traffic between hosts: IB, Socket, or a plug-in's name."),
    Column(
        "nics", "list[text]", "", "NICs that NCCL uses in the order of its indices: mlx5_5:1/RoCE, eth0:10.0.0.7<0>."
    ),
    Column(
        "gdr_nics",
        "list[text]",
        "",
        "NICs for which it said that GPUDirect RDMA is enabled; null when it said nothing.",
    ),
    Column("no_gdr_nics", "list[text]", "", "NICs for which it said that GPUDirect RDMA is disabled."),
    Column("out_of_band", "text", "", "Interface and address of the bootstrap: eno7np0:169.254.103.56<0>."),
    Column("env", "list[text]", "", "NCCL_* settings that its process named, as name=value, in the order of the log."),
)
