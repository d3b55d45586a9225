"""What the tools of an InfiniBand fabric print, and of the RDMA devices at its ends."""

from badhop.sources.outputs.kind import Kind
from badhop.sources.outputs.kinds.fabric import devices, ibqueryerrors, perfquery, topology

KINDS: tuple[Kind, ...] = (
    ibqueryerrors.KIND,
    perfquery.KIND,
    *devices.KINDS,
    *topology.KINDS,
)
