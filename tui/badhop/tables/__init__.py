"""Every raw table: those that Rust makes of captures, and those that tools' outputs and logs fill, one a file here.

To add one, write a file with a `TABLE` and add it to `TOLD`.
"""

from badhop.schema import Table, captured_tables
from badhop.tables import (
    collectives,
    counters,
    engine_log,
    gateway,
    gpus,
    host_events,
    links,
    metrics,
    nccl_edges,
    nccl_errors,
    nccl_ranks,
    pcie,
    probes,
    process_groups,
    qos,
    ras,
    rdma_devices,
    routes,
    steps,
    storage,
    watchdog,
)

TOLD: tuple[Table, ...] = (
    counters.TABLE,
    links.TABLE,
    pcie.TABLE,
    gpus.TABLE,
    rdma_devices.TABLE,
    qos.TABLE,
    routes.TABLE,
    nccl_ranks.TABLE,
    nccl_edges.TABLE,
    nccl_errors.TABLE,
    collectives.TABLE,
    process_groups.TABLE,
    watchdog.TABLE,
    ras.TABLE,
    steps.TABLE,
    storage.TABLE,
    host_events.TABLE,
    probes.TABLE,
    metrics.TABLE,
    engine_log.TABLE,
    gateway.TABLE,
)
"""What tools and logs tell, in the order in which they are shown."""


def raw_tables() -> tuple[Table, ...]:
    """The tables that evidence fills directly, in the order in which they are shown."""
    return (*captured_tables(), *TOLD)
