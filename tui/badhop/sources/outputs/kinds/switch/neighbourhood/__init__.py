"""Who stands next to whom, as LLDP daemons, switches and kernels tell it."""

from badhop.sources.outputs.kind import Kind
from badhop.sources.outputs.kinds.switch.neighbourhood import address_table, detail, lldpd, lldpd_json, summary

KINDS: tuple[Kind, ...] = (
    lldpd_json.KIND,
    lldpd.TEXT,
    lldpd.KEYS,
    detail.LLDP,
    detail.CDP,
    summary.RULED,
    summary.SPACED,
    summary.NXOS,
    address_table.NEIGH,
    address_table.JSON,
    address_table.BSD,
    address_table.HEADED,
)
