"""What the tools of a NIC print: counters, settings, optics."""

from badhop.sources.outputs.kind import Kind
from badhop.sources.outputs.kinds.nic import ethtool_statistics, settings

KINDS: tuple[Kind, ...] = (
    ethtool_statistics.KIND,
    *settings.KINDS,
)
