"""What switches print: SONiC, EOS, NX-OS, Cumulus, Junos and others, and LLDP tools."""

from badhop.sources.outputs.kind import Kind

KINDS: tuple[Kind, ...] = ()
