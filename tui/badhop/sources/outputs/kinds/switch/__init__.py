"""What switches print: SONiC, EOS, NX-OS, Cumulus, Junos and others, and LLDP tools."""

from badhop.sources.outputs.kind import Kind
from badhop.sources.outputs.kinds.switch import headed, neighbourhood, nxos, port_status, sonic

KINDS: tuple[Kind, ...] = (
    *sonic.KINDS,
    *neighbourhood.KINDS,
    *nxos.KINDS,
    headed.EOS,
    headed.NXOS,
    port_status.KIND,
)
