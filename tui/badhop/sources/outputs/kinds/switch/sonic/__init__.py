"""What SONiC prints: tables under rulers of dashes, JSON of the same, and its databases."""

from badhop.sources.outputs.kind import Kind
from badhop.sources.outputs.kinds.switch.sonic import (
    occupancy,
    pfc_counters,
    pfc_history,
    pfc_settings,
    pfc_watchdog,
    port_counters,
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
)

KINDS: tuple[Kind, ...] = kinds_of(_PRINTED)
