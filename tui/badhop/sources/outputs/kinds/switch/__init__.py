"""What switches print: SONiC, EOS, NX-OS, Cumulus, Junos and others, and LLDP tools."""

from badhop.sources.outputs.kind import Kind
from badhop.sources.outputs.kinds.switch import neighbourhood, sonic

KINDS: tuple[Kind, ...] = (*sonic.KINDS, *neighbourhood.KINDS)
