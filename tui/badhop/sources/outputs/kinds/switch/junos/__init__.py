"""What Junos prints of its ports."""

from badhop.sources.outputs.kind import Kind
from badhop.sources.outputs.kinds.switch.junos import optics, ports

KINDS: tuple[Kind, ...] = (ports.KIND, optics.KIND)
