"""`counters`: every count that a NIC, a switch or a kernel printed, under its own name and ours."""

from badhop.schema import Column
from badhop.tables.place import told_table

TABLE = told_table(
    "counters",
    "One row for each reading of a counter or gauge of a device. A total since boot proves nothing by itself: `rates` "
    "has what two readings tell.",
    Column("sample", "u64", "", "Which reading of its file it belongs to, from 1."),
    Column("device", "text", "", "NIC, port or interface: eth2, mlx5_0/1, Ethernet12, swp3; null when nothing tells."),
    Column("priority", "u8", "", "Traffic class 0 to 7 where it counts one, else null."),
    Column("queue", "u16", "", "Queue or priority group where it counts one, else null."),
    Column("direction", "text", "", "rx or tx as this device sees it; null when it has none or nothing tells."),
    Column(
        "layer",
        "text",
        "",
        "Where it is counted: phy, mac, port, queue, function, roce, ib, pcie, host (the kernel's network stack, "
        "without RDMA) or socket; null when the name is not known. Bytes of two layers count the same traffic twice.",
    ),
    Column(
        "name",
        "text",
        "",
        "Canonical name (see the vocabulary); null for a driver's bookkeeping and unknown names.",
    ),
    Column("raw_name", "text", "", "The name as the tool printed it."),
    Column("value", "f64", "", "What it stood at; whole numbers are exact to 2^53. Null for N/A and unreadable."),
    Column("unit", "text", "", "What is counted: packets, bytes, us, events …; null when the name is not known."),
    Column(
        "reads",
        "text",
        "",
        "How it moves: counter (grows and wraps), saturating (stays at its largest value), gauge, high-water, percent "
        "(of the last second), delta (since the reading before), unknown (the tool may have printed totals or deltas); "
        "null when the name is not known. Only the first two have rates.",
    ),
    Column("reason", "text", "", "Why it discarded: no_buffer, no_wqe, link_down …; null where the name does not say."),
    Column("dialect", "text", "", "Whose names these are: mlx5, bnxt, sonic, eos …; null when nothing tells."),
)
