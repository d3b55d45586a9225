"""What switches print: SONiC, EOS, NX-OS, Cumulus, Junos and others, and LLDP tools."""

from badhop.sources.outputs.kind import Kind
from badhop.sources.outputs.kinds.switch import (
    cumulus,
    display_interface,
    gnmi,
    headed,
    interface_blocks,
    junos,
    neighbourhood,
    nxos,
    port_status,
    routing,
    sonic,
    transceivers,
)

KINDS: tuple[Kind, ...] = (
    *sonic.KINDS,
    *neighbourhood.KINDS,
    *nxos.KINDS,
    headed.EOS,
    headed.NXOS,
    port_status.KIND,
    interface_blocks.EOS,
    interface_blocks.NXOS,
    cumulus.KIND,
    cumulus.JSON,
    *junos.KINDS,
    display_interface.KIND,
    transceivers.EOS,
    transceivers.NXOS,
    gnmi.KIND,
    *routing.KINDS,
)
