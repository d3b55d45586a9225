"""PCIe links: what lspci and sysfs say of them."""

from badhop.sources.outputs.kind import Kind
from badhop.sources.outputs.kinds.hardware.pcie import inventory, lspci, lspci_records, lspci_tree

KINDS: tuple[Kind, ...] = (
    lspci.KIND,
    lspci_records.KIND,
    lspci_tree.KIND,
    inventory.KIND,
)
