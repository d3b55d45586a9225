"""PCIe links: what lspci and sysfs say of them."""
