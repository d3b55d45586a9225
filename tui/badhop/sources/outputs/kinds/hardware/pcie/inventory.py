"""Inventories of a host as JSON: what node checkers keep of its PCIe links and interfaces."""

import re
from typing import Any

from badhop.sources.outputs import json_text
from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.hardware.pcie.address import address
from badhop.sources.outputs.kinds.hardware.pcie.rate import judged
from badhop.sources.outputs.labelled import leading
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import links, pcie

_KINDS = {"net": "nic", "nvme": "nvme", "gpu": "gpu"}


def _recognise(passage: Passage) -> bool:
    start = passage.text.lstrip()[:400]
    if re.match(r'\{\s*"pci"\s*:\s*\{\s*"[0-9a-f]{4}:', start):
        return '"link_speed"' in start
    return re.match(r'\{\s*"intf_status"\s*:\s*\[', start) is not None


def _read(passage: Passage, rows: Rows) -> None:
    told = json_text.parsed(passage, rows, "an inventory")
    lines: dict[str, int] = {}
    for line, text in passage.numbered():
        if found := _NAME.search(text[:200]):
            lines.setdefault(found[1] or found[2], line)
    for name, device in _items(json_text.at(told, "pci")):
        _add_device(passage, rows, lines.get(name, passage.lines.first), name, device)
    for name, interface in _items(json_text.at(told, "eth")):
        _add_interface(passage, rows, lines.get(name, passage.lines.first), name, interface, interface.get("speed"))
    speeds = json_text.at(told, "link_speed")
    for link in json_text.objects(json_text.at(told, "intf_status")):
        named = link.get("ifname")
        if isinstance(named, str) and named != "lo":
            place = lines.get(named, passage.lines.first)
            _add_interface(passage, rows, place, named, dict(link), json_text.at(speeds, named))


_NAME = re.compile(r'"ifname": "([\w.-]+)"|^\s*"([\w:.-]+)": \{')


def _items(value: Any) -> list[tuple[str, dict[str, Any]]]:
    return [(name, item) for name, item in value.items() if isinstance(item, dict)] if isinstance(value, dict) else []


def _add_device(passage: Passage, rows: Rows, line: int, name: str, device: dict[str, Any]) -> None:
    said = device.get("link_speed")
    speeds = {leading(str(text)) for text in said} if isinstance(said, list) else {leading(str(said))}
    width = json_text.whole(device.get("link_width"))
    link = judged(
        speed=next(iter(speeds)) if len(speeds) == 1 else None,
        width=width if width and width <= 32 else None,
        speed_max=None,
        width_max=None,
    )
    kind = _KINDS.get(str(device.get("type")), "other")
    rows.add(
        pcie.TABLE, passage, line, device=address(name), kind=kind, name=str(device.get("dev") or "") or None, **link
    )


def _add_interface(passage: Passage, rows: Rows, line: int, name: str, interface: dict[str, Any], speed: Any) -> None:
    megabits = json_text.whole(speed)
    flags = interface.get("flags")
    state = str(interface.get("operstate", "")).lower()
    if not state and isinstance(flags, list):
        state = "up" if "LOWER_UP" in flags else "down"
    mtu = json_text.whole(interface.get("mtu"))
    rows.add(
        links.TABLE,
        passage,
        line,
        device=name,
        speed_bps=megabits * 10**6 if megabits and megabits < 10**7 and state != "down" else None,
        state=state if state in ("up", "down") else None,
        admin=("up" if "UP" in flags else "down") if isinstance(flags, list) else None,
        mtu=mtu if mtu is not None and mtu < 2**32 else None,
    )


KIND = Output("host inventory", (pcie.TABLE, links.TABLE), _recognise, _read)
