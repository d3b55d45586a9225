"""What NX-OS prints of pauses and queues; what it shares with EOS stands beside this folder."""

from badhop.sources.outputs.kind import Kind
from badhop.sources.outputs.kinds.switch.nxos import priority_flow_control, queuing

KINDS: tuple[Kind, ...] = (priority_flow_control.KIND, priority_flow_control.JSON, queuing.KIND)
