"""Which messages of the kernel matter, one declaration each: a text that it contains, its form, and the event it is.

Forms are those of the kernel's sources (drivers/net/ethernet/mellanox/mlx5, drivers/pci/pcie/aer.c, kernel/hung_task.c,
net/sunrpc/clnt.c, fs/lustre, mm/oom_kill.c, kernel/watchdog.c, drivers/edac) and of NVIDIA's driver.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from badhop.sources.outputs.kinds.system.xids import XIDS

_MODULE = r"Port module event: module (?P<number>\d+)"
_BDF = r"(?P<device>[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7])"


@dataclass(frozen=True)
class Event:
    """`mark` is tested first, for nearly no line has it. Named groups of `form` become columns of the same names."""

    name: str
    mark: str
    form: re.Pattern[str]
    more: Callable[[Mapping[str, Any]], Mapping[str, Any]] = lambda found: {}


def _event(name: str, mark: str, form: str, **fixed: Any) -> Event:
    return Event(name, mark, re.compile(form), lambda found: fixed)


def _xid(found: Mapping[str, Any]) -> Mapping[str, Any]:
    known = XIDS.get(int(found["number"]))
    return {"meaning": known.meaning, "action": known.action} if known else {}


_AER_BITS = {
    ("correctable", 0): "receiver error: the signal of this link",
    ("correctable", 6): "bad TLP: a packet arrived damaged on this link",
    ("correctable", 7): "bad DLLP: a control packet arrived damaged on this link",
    ("correctable", 8): "replay number rollover: the same packet again and again",
    ("correctable", 12): "replay timer timeout: no acknowledgement in time",
    ("correctable", 13): "advisory non-fatal error",
    ("", 4): "data link protocol error",
    ("", 5): "surprise down: the link went away",
    ("", 12): "poisoned TLP",
    ("", 14): "completion timeout",
    ("", 15): "completer abort",
    ("", 18): "malformed TLP",
    ("", 20): "unsupported request",
    ("", 21): "ACS violation",
}
"""PCI Express Base Specification, section 7.8.4; the names are printed as `[ 6] BadTLP`."""

_BIT_NAMES = {"RxErr", "BadTLP", "BadDLLP", "Rollover", "Timeout", "NonFatalErr"}


def _bit(found: Mapping[str, Any]) -> Mapping[str, Any]:
    kind = "correctable" if found["name"] in _BIT_NAMES else ""
    severity = {"severity": "correctable"} if kind else {}
    meaning = _AER_BITS.get((kind, int(found["number"])))
    return severity | ({"meaning": meaning} if meaning else {})


_SEVERITIES = {"Corrected": "correctable", "Correctable": "correctable"}


def _severity(found: Mapping[str, Any]) -> Mapping[str, Any]:
    said = str(found["said"])
    return {"severity": "fatal" if "(Fatal)" in said else "non-fatal" if "Non-Fatal" in said else _SEVERITIES.get(said)}


EVENTS: tuple[Event, ...] = (
    Event(
        "xid",
        "NVRM: Xid",
        re.compile(
            r"NVRM: Xid \((?:PCI:)?(?P<device>[0-9a-fA-F:.]+)\): (?P<number>\d{1,5})"
            r"(?:, pid='?(?P<pid>\d{1,9})?[^,]*, name=(?P<process>[^,<]*)?)?"
        ),
        _xid,
    ),
    _event("sxid", "SXid", r"nvidia-nvswitch.*SXid \((?:PCI:)?(?P<device>[0-9a-fA-F:.]+)\): (?P<number>\d{1,6})"),
    _event("gpu-uuid", "NVRM: GPU at", r"NVRM: GPU at (?:PCI:)?(?P<device>[0-9a-fA-F:.]+): GPU-"),
    _event("gpu-driver", "NVRM:", r"NVRM: (?:GPU .*(?:lost|failed)|.*RmInitAdapter failed|The NVIDIA GPU )"),
    _event("peermem", "nvidia-peermem", r"nvidia-peermem .*(?:ERROR|error|invalid)"),
    _event("link-down", "Link down", r"mlx[45]_core \S+ (?P<device>\S+): Link down"),
    _event("link-up", "Link up", r"mlx[45]_core \S+ (?P<device>\S+): Link up"),
    _event("link-down", "is Down", r"(?:\S+ \S+ )?(?P<device>[a-z]\S*): (?:NIC )?[Ll]ink is Down"),
    _event("link-up", "is Up", r"(?:\S+ \S+ )?(?P<device>[a-z]\S*): (?:NIC )?[Ll]ink is Up"),
    _event("carrier-lost", "Lost carrier", r"(?P<device>[\w.@-]+): Lost carrier"),
    _event("module-unplugged", "Cable unplugged", rf"mlx5_core {_BDF}: {_MODULE}, Cable unplugged"),
    _event("module-plugged", "Cable plugged", rf"mlx5_core {_BDF}: {_MODULE}, Cable plugged"),
    _event("module-error", "[error]", rf"mlx5_core {_BDF}: Port module event\[error\]: module (?P<number>\d+)"),
    _event("nic-dead", "health compromised", rf"mlx5_core {_BDF}: .*health compromised"),
    _event("nic-dead", "fatal", rf"mlx5_core {_BDF}: .*(?:fatal reset|fatal error)"),
    _event("nic-hang", "leak of a command", rf"mlx5_core {_BDF}: .*timeout"),
    _event("nic-power", "insufficient power", rf"mlx5_core {_BDF}: .*insufficient power"),
    _event("nic-hot", "High temperature", rf"mlx5_core {_BDF}: .*High temperature"),
    _event("nic-reset", "firmware recovery", rf"mlx5_core {_BDF}: .*firmware recovery"),
    _event(
        "tx-timeout",
        "transmit queue",
        r"(?:NETDEV WATCHDOG: )?(?P<device>\S+) \([^)]*\): transmit queue (?P<number>\d{1,5}) timed out",
    ),
    _event("tx-timeout", "TX timeout", rf"mlx5_core {_BDF} .*TX timeout"),
    _event("pcie-bandwidth", "PCIe bandwidth, limited by", rf"\S+ {_BDF}: [\d.]+ Gb/s available PCIe bandwidth"),
    Event(
        "aer",
        "PCIe Bus Error",
        re.compile(rf"\S+ {_BDF}: PCIe Bus Error: severity=(?P<said>[^,]+), type="),
        _severity,
    ),
    Event("aer-bit", "] ", re.compile(rf"\S+ {_BDF}: +\[ ?(?P<number>\d{{1,2}})\] +(?P<name>\w+)"), _bit),
    _event("hung-task", "blocked for more than", r"INFO: task (?P<process>.+):(?P<pid>\d{1,9}) blocked for more"),
    _event(
        "lockup",
        "soft lockup",
        r".*soft lockup - CPU#(?P<number>\d{1,5}) stuck for \d+s!(?: \[(?P<process>[^\]:]+):(?P<pid>\d{1,9})\])?",
    ),
    _event("lockup", "hard LOCKUP", r".*hard LOCKUP on cpu (?P<number>\d{1,5})"),
    _event("rcu-stall", "detected stall", r".*rcu.*detected stall"),
    _event("storage-stalled", "not responding", r"nfs: server (?P<device>\S+) not responding"),
    _event("storage-back", " OK", r"nfs: server (?P<device>\S+) OK"),
    _event("storage-stalled", "was lost", r"Lustre(?:Error)?: .*Connection to (?P<device>\S+) .*was lost"),
    _event("storage-back", "restored", r"Lustre: .*restored to (?P<device>\S+)"),
    _event("storage-error", "LustreError", r"LustreError: "),
    _event("storage-error", "I/O error, dev", r"(?:blk_update_request: )?I/O error, dev (?P<device>\w+)"),
    _event("storage-error", "I/O error", r"[\w-]+(?: error)? \((?:device )?(?P<device>\w+)\): .*I/O error"),
    _event("storage-error", "nvme", r"nvme (?P<device>nvme\d+): I/O .*timeout"),
    _event(
        "oom",
        "ut of memory",
        r"(?:Memory cgroup out|Out) of memory: Killed process (?P<pid>\d{1,9}) \((?P<process>[^)]*)\)",
    ),
    _event("memory-error", "EDAC", r"EDAC .*\bUE\b", severity="uncorrected"),
    _event("memory-error", "EDAC", r"EDAC .*\bCE\b", severity="corrected"),
    _event("machine-check", "[Hardware Error]", r".*\[Hardware Error\]"),
    _event("iommu-fault", "DMAR", r"DMAR: .*fault"),
    _event("iommu-fault", "IO_PAGE_FAULT", r".*(?:AMD-Vi|iommu).*IO_PAGE_FAULT"),
    _event("segfault", "segfault at", r"(?P<process>[^\[]+)\[(?P<pid>\d{1,9})\]: segfault at"),
    _event("thermal", "temperature above", r"CPU(?P<number>\d{1,5}): .*temperature above threshold"),
    _event("bond", "bond", r"(?P<device>bond\d+): .*(?:link status definitely down|now running without any active)"),
    _event("panic", "Kernel panic", r"Kernel panic"),
)


def event_of(message: str) -> tuple[str, dict[str, Any]] | None:
    """The event that a message is, and its columns; None for one that does not matter."""
    for event in EVENTS:
        if event.mark in message and (found := event.form.match(message)):
            said = found.groupdict()
            values: dict[str, Any] = {name: said[name] for name in ("device", "process") if said.get(name)}
            values |= {name: int(said[name]) for name in ("number", "pid") if said.get(name)}
            return event.name, values | {key: value for key, value in event.more(said).items() if value is not None}
    return None
