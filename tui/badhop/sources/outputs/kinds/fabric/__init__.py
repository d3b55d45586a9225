"""What the tools of an InfiniBand fabric print, and of the RDMA devices at its ends."""

from badhop.sources.outputs.kind import Kind

KINDS: tuple[Kind, ...] = ()
