"""What SONiC prints: tables under rulers of dashes, JSON of the same, and its databases."""

from badhop.sources.outputs.kind import Kind
from badhop.sources.outputs.kinds.switch.sonic import (
    buffers,
    counters_as_json,
    database,
    lldp_table,
    occupancy,
    one_port,
    pfc_counters,
    pfc_history,
    pfc_settings,
    pfc_watchdog,
    port_counters,
    port_status,
    queue_counters,
)
from badhop.sources.outputs.kinds.switch.sonic.printed import kinds_of

_PRINTED = (
    pfc_counters.RECEIVED,
    pfc_counters.SENT,
    pfc_history.PRINTED,
    pfc_settings.PRIORITIES,
    pfc_settings.ASYMMETRIC,
    pfc_watchdog.STATS,
    pfc_watchdog.CONFIG,
    occupancy.GROUPS,
    occupancy.UNICAST,
    occupancy.MULTICAST,
    occupancy.MULTICAST_OF_8,
    occupancy.ALL,
    occupancy.ALL_OF_8,
    occupancy.POOLS,
    queue_counters.QUEUES,
    queue_counters.VIRTUAL,
    queue_counters.SUMMARY,
    port_counters.COUNTERS,
    port_counters.FEC,
    port_counters.DROPS,
    port_counters.TRIM,
    port_counters.ROUTED,
    port_counters.SWITCH_DROPS,
    port_status.STATUS,
    port_status.DESCRIPTION,
    port_status.FEC,
    port_status.NEGOTIATION,
    port_status.FLAPS,
    port_status.EXPECTED,
    one_port.ERRORS,
    one_port.HISTOGRAM,
    lldp_table.PRINTED,
)

KINDS: tuple[Kind, ...] = (
    *kinds_of(_PRINTED),
    one_port.ROUTED,
    one_port.DETAILED,
    counters_as_json.KIND,
    database.KIND,
    buffers.KIND,
)
