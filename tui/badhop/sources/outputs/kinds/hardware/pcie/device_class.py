"""What kind of thing a PCI device is, by its class and its maker."""

_BY_NAME = {
    "infiniband controller": "nic",
    "ethernet controller": "nic",
    "network controller": "nic",
    "non-volatile memory controller": "nvme",
    "pci bridge": "bridge",
}
_BY_NUMBER = {"0200": "nic", "0207": "nic", "0280": "nic", "0108": "nvme", "0604": "bridge"}
_DISPLAYS = frozenset(
    {"3d controller", "vga compatible controller", "display controller", "processing accelerators"}
    | {"0300", "0302", "0380", "1200"}
)
_GPU_MAKERS = ("nvidia", "amd", "advanced micro devices", "10de", "1002")
"""Other displays are consoles: Matrox, ASPEED."""


def kind_of(device_class: str, name: str) -> str:
    """gpu, nic, nvme, bridge, nvswitch or other; of names or of the numbers of `lspci -n`."""
    lowered, maker = device_class.strip().lower(), name.strip().lower()
    if lowered in _DISPLAYS:
        return "gpu" if maker.startswith(_GPU_MAKERS) else "other"
    if lowered in ("bridge", "0680") and maker.startswith(("nvidia", "10de")):
        return "nvswitch"
    return _BY_NAME.get(lowered) or _BY_NUMBER.get(lowered) or "other"


def never_slows_down(kind: str) -> bool:
    """Whether a device keeps its link at full speed when it has nothing to do; GPUs and the ports above them do not."""
    return kind in ("nic", "nvme")
