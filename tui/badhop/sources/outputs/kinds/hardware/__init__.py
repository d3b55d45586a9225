"""What tools print about GPUs, PCIe and the machine itself."""

from badhop.sources.outputs.kind import Kind

KINDS: tuple[Kind, ...] = ()
