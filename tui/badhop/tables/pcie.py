"""`pcie`: each PCIe link between a GPU or NIC and the root."""

from badhop.schema import Column
from badhop.tables.place import told_table

TABLE = told_table(
    "pcie",
    "Each PCIe device and the link above it. The way to the root are the rows of `path`. What a link does now against "
    "what it can do is judged only where it is not idle: GPUs slow their links to save power.",
    Column("device", "text", "", "PCI address with domain: 0000:3b:00.0; as short as printed where nothing tells it."),
    Column("kind", "text", "", "gpu, nic, nvme, bridge, nvswitch or other, by its class and maker."),
    Column("name", "text", "", "As printed."),
    Column("driver", "text", "", "Kernel driver in use."),
    Column(
        "part", "text", "", "endpoint, root-port, upstream-port, downstream-port …: its place on the way to the root."
    ),
    Column("upstream", "text", "", "PCI address of the port above it."),
    Column("path", "list[text]", "", "The ports above it, nearest first, up to the root."),
    Column("speed_gts", "f64", "GT/s", "Speed of each lane now."),
    Column("speed_max_gts", "f64", "GT/s", "The fastest that the device can."),
    Column("width", "u8", "lanes", "Lanes in use."),
    Column("width_max", "u8", "lanes", "Lanes that the device has."),
    Column("upstream_speed_max_gts", "f64", "GT/s", "The fastest that the port above can."),
    Column("upstream_width_max", "u8", "lanes", "Lanes that the port above has."),
    Column("bytes_per_second", "f64", "B/s", "What the link carries at most each way now, before packet headers."),
    Column(
        "bytes_per_second_max",
        "f64",
        "B/s",
        "What it could carry: the smaller of both ends; of one where one is known.",
    ),
    Column("idle", "bool", "", "Whether the device slept when it was looked at; null when nothing tells."),
    Column(
        "downgraded", "bool", "", "Whether it is slower or narrower than both ends can; null when that may be idling."
    ),
    Column("mps", "u16", "B", "Max payload size set."),
    Column("mps_max", "u16", "B", "Max payload size that it can."),
    Column("mrrs", "u16", "B", "Max read request size set."),
    Column("acs", "list[text]", "", "ACS controls that are on; an empty list when all are off."),
    Column("iommu_group", "text", "", "Group of the IOMMU."),
    Column("numa", "i64", "", "NUMA node; null when the system does not tell (-1)."),
    Column("aer_corrected", "list[text]", "", "Correctable AER bits that are set (CESta)."),
    Column("aer_uncorrected", "list[text]", "", "Uncorrectable AER bits that are set (UESta)."),
    Column("errors", "list[text]", "", "Bits of DevSta that are set: CorrErr, NonFatalErr, FatalErr, UnsupReq."),
    Column("replays", "u64", "", "How often the link had to send again, as the tool counts."),
)
