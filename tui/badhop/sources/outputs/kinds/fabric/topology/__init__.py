"""What the tools of an InfiniBand fabric say of its cables and switches."""

from badhop.sources.outputs.kind import Kind
from badhop.sources.outputs.kinds.fabric.topology import iblinkinfo, ibnetdiscover, ibswinfo

KINDS: tuple[Kind, ...] = (
    iblinkinfo.KIND,
    ibnetdiscover.TOPOLOGY,
    ibnetdiscover.LIST,
    ibswinfo.KIND,
)
