"""What the tools of a host say of its RDMA devices."""

from badhop.sources.outputs.kind import Kind
from badhop.sources.outputs.kinds.fabric.devices import device_lists, ibstat, ibv_devinfo, rdma_link, show_gids

KINDS: tuple[Kind, ...] = (
    ibstat.IBSTAT,
    ibstat.IBSTATUS,
    ibv_devinfo.KIND,
    show_gids.KIND,
    rdma_link.LINK,
    rdma_link.JSON,
    rdma_link.DEVICE,
    device_lists.PAIRS,
    device_lists.LIST,
)
