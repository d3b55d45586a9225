"""What the tools of a NIC print: counters, settings, optics."""

from badhop.sources.outputs.kind import Kind
from badhop.sources.outputs.kinds.nic import ethtool_statistics, rdma_statistic, sysfs_dump, sysfs_value

KINDS: tuple[Kind, ...] = (
    ethtool_statistics.KIND,
    rdma_statistic.KIND,
    sysfs_value.KIND,
    sysfs_dump.KIND,
)
