"""Host, device and time as a path tells them: `h12/ethtool_eth2.txt`, `leaf4/pfc_2026-11-30T12-00-05.txt`."""

import re
from pathlib import PurePath

from badhop.sources.outputs.clock import rfc3339

_HOST = re.compile(r"(?=[^\d]*\d)[A-Za-z][A-Za-z0-9.-]{0,62}")
"""A name with a digit, as nodes and switches have: h12, gpu-node-03, leaf4.pod2."""

_NO_HOST = re.compile(
    r"(?:eth|en[ospx]|ib|bond|mlx5|mlx4|bnxt|rocep|roce|swp|ethernet|ipv|pci|cpu|gpu|rank|node_exporter|port|run|step|"
    r"test|sample|dump|log|tmp|day|part|ticket|case|incident|inc|bug|job|exp|v|20)[_.-]?\d",
    re.IGNORECASE,
)
"""Names with a digit that are devices, or say when and not where."""

_KERNEL = frozenset({"sys", "proc", "class"})

_DEVICE = re.compile(
    r"(?<![A-Za-z0-9])((?:mlx[45]_(?:bond_)?\d+|bnxt_re\d+|irdma\d+|rocep?\w*\d|en[ospx]\w*\d\w*|eth\d+|ibp?\w*\d|"
    r"bond\d+|swp\d+\w*|Ethernet\d+(?:[_/]\d+)*))(?![A-Za-z0-9])"
)
_TIME = re.compile(
    r"(20\d\d)-?([01]\d)-?([0-3]\d)[T_ -]?([0-2]\d)[-:.]?([0-5]\d)[-:.]?([0-5]\d)(?:\.(\d{1,9})(?!\d))?(?!\d)"
)
_EPOCH = re.compile(r"(?<!\d)(1[5-9]\d{8})(?:\.(\d{1,9}))?(?!\d)")


_SOS = re.compile(r"sosreport-([A-Za-z0-9][\w.-]*?)(?:-[0-9]{5,})?-20[0-9]{2}-[0-9]{2}-[0-9]{2}-[a-z]+")
"""The folder of a report of `sos`: host, perhaps a ticket, day, random letters."""


def command_of(path: PurePath) -> str | None:
    """The command that printed a file, where its name is that: `sos_commands/networking/ethtool_-S_eth0`."""
    return path.name.replace("_", " ") if "sos_commands" in path.parts[:-1] else None


def host_of(path: PurePath) -> str | None:
    """The innermost folder whose name is that of a host; a name that could be a device says nothing.

    What stands below the root of a copied sysfs or procfs are devices and processes.
    """
    parts = path.parts[:-1]
    inside = next((index for index, name in enumerate(parts) if name in _KERNEL), len(parts))
    for name in reversed(parts[:inside]):
        if found := _SOS.fullmatch(name):
            return found[1]
        if _HOST.fullmatch(name) and not _NO_HOST.match(name):
            return name
    return None


def device_of(path: PurePath) -> str | None:
    """The one NIC or port that the file's own name holds; two of them say nothing."""
    found = set(_DEVICE.findall(path.name.rsplit(".", 1)[0] if "." in path.name else path.name))
    return found.pop() if len(found) == 1 else None


def time_of(path: PurePath) -> int | None:
    """The time that the file's own name holds, to the second at least: ns since 1970."""
    if found := _TIME.search(path.name):
        fraction = f".{found[7]}" if found[7] else ""
        return rfc3339(f"{found[1]}-{found[2]}-{found[3]}T{found[4]}:{found[5]}:{found[6]}{fraction}Z")
    if found := _EPOCH.search(path.name):
        return int(found[1]) * 10**9 + int((found[2] or "").ljust(9, "0") or 0)
    return None
