"""What the tools of a NIC and of the kernel's network stack print: counters."""

from badhop.sources.outputs.kind import Kind
from badhop.sources.outputs.kinds.nic import (
    ethtool_statistics,
    ifconfig,
    interrupts,
    ip_statistics,
    mlnx_perf,
    netstat_interfaces,
    netstat_statistics,
    nstat,
    proc_net_dev,
    proc_net_snmp,
    qdisc_statistics,
    rdma_statistic,
    settings,
    socket_details,
    softnet_stat,
    sysfs_dump,
    sysfs_value,
)

KINDS: tuple[Kind, ...] = (
    ethtool_statistics.KIND,
    mlnx_perf.KIND,
    rdma_statistic.KIND,
    sysfs_value.KIND,
    sysfs_dump.KIND,
    ip_statistics.KIND,
    ifconfig.KIND,
    proc_net_dev.KIND,
    netstat_interfaces.KIND,
    nstat.KIND,
    proc_net_snmp.KIND,
    netstat_statistics.KIND,
    socket_details.KIND,
    softnet_stat.KIND,
    interrupts.KIND,
    qdisc_statistics.KIND,
    *settings.KINDS,
)
