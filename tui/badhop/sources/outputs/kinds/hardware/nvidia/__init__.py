"""What `nvidia-smi` prints."""

from badhop.sources.outputs.kind import Kind
from badhop.sources.outputs.kinds.hardware.nvidia import listing, monitor, query, report, table, topology

KINDS: tuple[Kind, ...] = (
    table.KIND,
    report.TEXT,
    report.XML,
    query.QUERY,
    query.LOST,
    monitor.KIND,
    listing.LIST,
    listing.NVLINK,
    topology.KIND,
)
