"""Values of sysfs by their paths, as one JSON object: PCIe links, RDMA ports and interfaces of a host."""

import re
from collections.abc import Mapping
from typing import Any

from badhop.sources.outputs import json_text
from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.fabric.devices import spoken
from badhop.sources.outputs.kinds.hardware.pcie.rate import judged
from badhop.sources.outputs.labelled import leading, leading_whole
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import links, pcie, rdma_devices

_LINK = re.compile(r"/([0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7])/((?:current|max)_link_(?:speed|width)|numa_node)$")
_PORT = re.compile(
    r"/([0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7])/infiniband/([\w-]+)/ports/(\d{1,2})/"
    r"(rate|state|phys_state|link_layer|lid|sm_lid)$"
)
_NET = re.compile(
    r"(?:/([0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]))?/net/([\w.-]+)/(speed|operstate|mtu|duplex|carrier_changes)$"
)
_RATE = re.compile(r"([\d.]{1,8}) Gb/sec \((\d{1,2})X")


def _recognise(passage: Passage) -> bool:
    start = passage.text.lstrip()[:200]
    return start.startswith("{") and re.match(r'\{\s*"/sys/(?:bus|class|devices)/', start) is not None


def _read(passage: Passage, rows: Rows) -> None:
    tree = json_text.parsed(passage, rows, "sysfs")
    if not isinstance(tree, dict):
        return
    line_of = {text.split('"', 2)[1]: line for line, text in passage.numbered() if '"/sys/' in text[:40]}
    found: dict[tuple[str, ...], tuple[int, dict[str, str]]] = {}
    for path, value in tree.items():
        for pattern in (_LINK, _PORT, _NET):
            match = pattern.search(path[-300:]) if isinstance(value, str) else None
            if match:
                *place, name = (part or "" for part in match.groups())
                line = line_of.get(path, passage.lines.first)
                found.setdefault((pattern.pattern, *place), (line, {}))[1][name] = value.strip()
    for (shape, *thing), (line, values) in found.items():
        if shape == _LINK.pattern:
            _add_link(passage, rows, line, thing[0], values)
        elif shape == _PORT.pattern:
            _add_port(passage, rows, line, thing, values)
        else:
            _add_net(passage, rows, line, thing, values)


def _add_link(passage: Passage, rows: Rows, line: int, device: str, values: Mapping[str, str]) -> None:
    link = judged(
        speed=leading(values.get("current_link_speed", "")),
        width=_lanes(values.get("current_link_width", "")),
        speed_max=leading(values.get("max_link_speed", "")),
        width_max=_lanes(values.get("max_link_width", "")),
    )
    rows.add(pcie.TABLE, passage, line, device=device, numa=leading_whole(values.get("numa_node", ""), 1024), **link)


def _lanes(text: str) -> int | None:
    """sysfs says 0 or 255 where there is no link."""
    lanes = leading_whole(text, 32)
    return lanes or None


def _add_port(passage: Passage, rows: Rows, line: int, place: list[str], values: Mapping[str, str]) -> None:
    rate = _RATE.match(values.get("rate", ""))
    speed = leading(rate[1]) if rate else None
    ethernet = values.get("link_layer") == "Ethernet"
    rows.add(
        rdma_devices.TABLE,
        passage,
        line,
        part="port",
        bus=place[0],
        device=place[1],
        port=int(place[2]),
        state=spoken.state(values.get("state", "")),
        physical_state=spoken.physical_state(values.get("phys_state", "")),
        rate_bps=round(speed * 1e9) if speed else None,
        lanes=int(rate[2]) if rate else None,
        link_layer=values.get("link_layer"),
        lid=None if ethernet else spoken.lid(values.get("lid", "")),
        sm_lid=None if ethernet else spoken.lid(values.get("sm_lid", "")),
    )


def _add_net(passage: Passage, rows: Rows, line: int, place: list[str], values: Mapping[str, str]) -> None:
    speed = leading_whole(values.get("speed", ""), 10**7)
    more: dict[str, Any] = {"bus": place[0]} if place[0] else {}
    rows.add(
        links.TABLE,
        passage,
        line,
        device=place[1],
        speed_bps=speed * 10**6 if speed else None,
        state={"up": "up", "down": "down"}.get(values.get("operstate", "")),
        mtu=leading_whole(values.get("mtu", ""), 2**32 - 1),
        duplex={"full": "full", "half": "half"}.get(values.get("duplex", "")),
        flaps=leading_whole(values.get("carrier_changes", "")),
        **more,
    )


KIND = Output("sysfs as JSON", (pcie.TABLE, rdma_devices.TABLE, links.TABLE), _recognise, _read)
