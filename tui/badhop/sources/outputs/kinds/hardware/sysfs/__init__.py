"""What sysfs says of PCIe links, RDMA ports and interfaces."""

from badhop.sources.outputs.kind import Kind
from badhop.sources.outputs.kinds.hardware.sysfs import copies

KINDS: tuple[Kind, ...] = (copies.JSON, copies.GREP, copies.FILE)
