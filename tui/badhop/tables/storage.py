"""`storage`: what disks, NFS mounts, Lustre targets and waiting processes say of the speed of storage."""

from badhop.schema import Column
from badhop.tables.place import told_table

TABLE = told_table(
    "storage",
    "One row for each disk, mount, target or waiting process in each reading, by operation where they tell them apart. "
    "Means since boot say nothing of an incident: `since_boot` tells them from those of an interval.",
    Column("kind", "text", "", "disk, nfs, lustre, pressure or process."),
    Column("device", "text", "", "Disk, mount point, Lustre target, or the name of a process."),
    Column("server", "text", "", "Server and export of a mount; null when it is local or not said."),
    Column("operation", "text", "", "read, write, flush, or the operation of NFS; null where it is for all."),
    Column("sample", "u64", "", "Which reading of its file, from 1."),
    Column("since_boot", "bool", "", "Whether it is a total or mean since boot or mount, and not of an interval."),
    Column("operations", "u64", "", "Operations in all."),
    Column("rate", "f64", "1/s", "Operations a second."),
    Column("bytes", "u64", "bytes", "Bytes in all."),
    Column("throughput", "f64", "B/s", "Bytes a second."),
    Column("latency", "f64", "ms", "Mean time of an operation from its start to its end."),
    Column("service", "f64", "ms", "Of it the time on the network and at the server, of NFS."),
    Column("queue", "f64", "ms", "Of it the time before it was sent, of NFS: the client has no slot free."),
    Column("queued", "f64", "", "Operations under way, on average."),
    Column("busy", "f64", "0 to 1", "Share of the time with an operation under way; many disks in one reach 1 early."),
    Column("stalled", "f64", "0 to 1", "Share of the last 10 s in which somebody (or everybody, by operation) waited."),
    Column("timeouts", "u64", "", "Operations that took too long, in all."),
    Column("errors", "u64", "", "Operations that failed, in all."),
    Column("state", "text", "", "State of a Lustre import (FULL is healthy), or of a process (D waits for storage)."),
)
