"""`lspci`: the PCI devices of a host; with -vv each link's speed and width now and at most, payload, ACS, AER bits."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.hardware.pcie.address import address
from badhop.sources.outputs.kinds.hardware.pcie.device_class import kind_of, never_slows_down
from badhop.sources.outputs.kinds.hardware.pcie.rate import judged
from badhop.sources.outputs.kinds.hardware.pcie.tree import path_to_root
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import pcie

_HEAD = re.compile(
    r"((?:[0-9a-f]{4,8}:)?[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]) ([A-Za-z0-9][^:\[]{2,60}?)(?: \[[0-9a-f]{4}\])?: (\S.*)"
)
_LABEL = re.compile(r"\s+([A-Za-z][\w ]{1,24}):\s*(.*)")
_EXPRESS = re.compile(r"Express (?:\(v\d+\) )?((?:Root|Upstream|Downstream|Legacy|PCI)?[\w /-]*?)(?: \(|,|$)")
_BUS = re.compile(r"primary=[0-9a-f]{2}, secondary=([0-9a-f]{2})")
_LINK = re.compile(r"Speed ([\d.]{1,5})GT/s(?: \(\w+\))?, Width x(\d{1,2})")
_SPEED = re.compile(r"Speed ([\d.]{1,5})GT/s")
_WIDTH = re.compile(r"Width x(\d{1,2})")
_PAYLOAD = re.compile(r"MaxPayload (\d{3,4}) bytes")
_REQUEST = re.compile(r"MaxReadReq (\d{3,4}) bytes")
_ERRORS = ("CorrErr", "NonFatalErr", "FatalErr", "UnsupReq")


@dataclass
class _Device:
    line: int
    slot: str
    device_class: str
    name: str
    values: dict[str, Any] = field(default_factory=dict)
    secondary: str | None = None
    speed: float | None = None
    width: int | None = None
    speed_max: float | None = None
    width_max: int | None = None


def _recognise(passage: Passage) -> bool:
    opening = [text for text in passage.opening if _HEAD.fullmatch(text)]
    return bool(opening) and (len(opening) >= 2 or len(passage.opening) <= 1 or passage.opening[0] == opening[0])


def _devices(passage: Passage) -> Iterator[_Device]:
    device: _Device | None = None
    for line, text in passage.numbered():
        if found := _HEAD.fullmatch(text.rstrip()[:1000]):
            if device:
                yield device
            slot = address(found[1])
            device = _Device(line, slot, found[2], found[3]) if slot else None
        elif device and text[:1].isspace():
            _detail(device, text[:1000])
    if device:
        yield device


def _detail(device: _Device, text: str) -> None:
    found = _LABEL.match(text)
    label, value = (found[1], found[2]) if found else ("", text.strip())
    values = device.values
    if label == "LnkCap":
        device.speed_max, device.width_max = _link(value)
    elif label == "LnkSta":
        device.speed, device.width = _link(value)
    elif label == "Capabilities" and (express := _EXPRESS.search(value)):
        values["part"] = express[1].strip().lower().replace(" ", "-") or None
    elif label == "Bus" and (bus := _BUS.search(value)):
        device.secondary = bus[1]
    elif label == "DevCap" and (payload := _PAYLOAD.search(value)):
        values["mps_max"] = int(payload[1])
    elif request := _REQUEST.search(value):
        payload = _PAYLOAD.search(value)
        values |= {"mps": int(payload[1]) if payload else None, "mrrs": int(request[1])}
    elif label == "DevSta":
        values["errors"] = [name for name in _set(value) if name in _ERRORS]
    elif label in ("CESta", "UESta"):
        values["aer_corrected" if label == "CESta" else "aer_uncorrected"] = _set(value)
    elif label == "ACSCtl":
        values["acs"] = _set(value)
    elif label == "Kernel driver in use":
        values["driver"] = value.strip() or None
    elif label == "IOMMU group":
        values["iommu_group"] = value.strip() or None
    elif label == "NUMA node" and re.fullmatch(r"\d{1,5}", value.strip()):
        values["numa"] = int(value)


def _link(value: str) -> tuple[float | None, int | None]:
    speed, width = _SPEED.search(value), _WIDTH.search(value)
    return (
        float(speed[1]) if speed and speed[1].count(".") < 2 and speed[1] != "." else None,
        int(width[1]) if width and width[1] != "0" else None,
    )


def _set(value: str) -> list[str]:
    """Of `RxErr- BadTLP+ …`, the names with a plus."""
    return [word[:-1] for word in value.split()[:64] if word.endswith("+")]


def _read(passage: Passage, rows: Rows) -> None:
    devices = list(_devices(passage))[:_MOST]
    by_slot = {device.slot: device for device in devices}
    above = {}
    for device in devices:
        if device.secondary:
            domain = device.slot.rpartition(":")[0].rpartition(":")[0]
            above[f"{domain}:{device.secondary}" if domain else device.secondary] = device.slot
    for device in devices:
        kind = kind_of(device.device_class, device.name)
        path = path_to_root(device.slot, above)
        if kind == "other" and device.speed is None:
            continue
        port = by_slot.get(path[0]) if path else None
        link = judged(
            speed=device.speed,
            width=device.width,
            speed_max=device.speed_max,
            width_max=device.width_max,
            upstream_speed_max=port.speed_max if port else None,
            upstream_width_max=port.width_max if port else None,
            idle=False if never_slows_down(kind) else None,
        )
        if never_slows_down(kind):
            link["idle"] = None  # nothing tells whether it worked, and it does not matter
        rows.add(
            pcie.TABLE,
            passage,
            device.line,
            device=device.slot,
            kind=kind,
            name=device.name,
            upstream=path[0] if path else None,
            path=path if above else None,
            **link,
            **device.values,
        )


_MOST = 1 << 16
"""Devices that a host can have on one PCI domain."""

KIND = Output("lspci", (pcie.TABLE,), _recognise, _read)
