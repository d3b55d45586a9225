"""`host_events`: what the kernel of a host logged that can slow down or stop a job."""

from badhop.schema import Column
from badhop.tables.place import told_table

TABLE = told_table(
    "host_events",
    "One row for each line of a kernel log (dmesg, kmsg, journal, syslog) that tells of trouble with a link, a GPU, "
    "PCIe, memory, storage or scheduling. A host without rows logged none of them in the lines that were given.",
    Column("uptime", "duration", "ns", "Since the host booted; null when the line does not say."),
    Column("level", "text", "", "emerg, alert, crit, err, warn, notice, info or debug; null when it is not said."),
    Column(
        "event",
        "text",
        "",
        "xid, sxid, gpu-uuid, gpu-driver, peermem, link-up, link-down, carrier-lost, bond, module-plugged, "
        "module-unplugged, module-error, nic-dead, nic-hang, nic-power, nic-hot, nic-reset, tx-timeout, "
        "pcie-bandwidth, aer, aer-bit, hung-task, lockup, rcu-stall, storage-stalled, storage-back, storage-error, "
        "oom, memory-error, machine-check, iommu-fault, segfault, thermal or panic.",
    ),
    Column("device", "text", "", "Interface, PCI address, disk or server that it is about."),
    Column("number", "u32", "", "Xid or SXid, module, CPU, queue, AER bit: what the event counts by."),
    Column("severity", "text", "", "Of AER correctable, non-fatal or fatal; of memory corrected or uncorrected."),
    Column("pid", "u32", "", "Process that it names."),
    Column("process", "text", "", "Its name."),
    Column("meaning", "text", "", "Of an Xid or an AER bit: what it stands for."),
    Column("action", "text", "", "Of an Xid: what is usually done about it."),
    Column("text", "text", "", "The message."),
)
