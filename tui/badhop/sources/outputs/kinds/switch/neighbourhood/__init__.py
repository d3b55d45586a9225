"""Who stands next to whom, as LLDP daemons and switches tell it."""

from badhop.sources.outputs.kind import Kind
from badhop.sources.outputs.kinds.switch.neighbourhood import detail, lldpd, lldpd_json, summary

KINDS: tuple[Kind, ...] = (
    lldpd_json.KIND,
    lldpd.TEXT,
    lldpd.KEYS,
    detail.LLDP,
    detail.CDP,
    summary.RULED,
    summary.SPACED,
    summary.NXOS,
)
