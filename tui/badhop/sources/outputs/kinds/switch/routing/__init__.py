"""Where hosts and switches send packets."""

from badhop.sources.outputs.kind import Kind
from badhop.sources.outputs.kinds.switch.routing import ip_route, kernel_table, show_ip_route

KINDS: tuple[Kind, ...] = (
    ip_route.KIND,
    ip_route.JSON,
    kernel_table.KIND,
    kernel_table.PROC,
    show_ip_route.KIND,
)
