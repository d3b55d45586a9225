"""What the tools of an InfiniBand fabric print, and of the RDMA devices at its ends."""

from badhop.sources.outputs.kind import Kind
from badhop.sources.outputs.kinds.fabric import devices, topology

KINDS: tuple[Kind, ...] = (
    *devices.KINDS,
    *topology.KINDS,
)
