"""What paths of sysfs say of PCIe links, RDMA ports, GIDs and interfaces, whatever they were copied with."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from badhop.sources.outputs.kinds.fabric.devices import spoken
from badhop.sources.outputs.kinds.hardware.pcie.rate import judged
from badhop.sources.outputs.labelled import leading, leading_whole, told
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import links, pcie, rdma_devices

_BDF = r"(?:/([0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]))"
_LINK = re.compile(_BDF + r"/((?:current|max)_link_(?:speed|width)|numa_node)$")
_PORT = re.compile(_BDF + r"?/infiniband/([\w-]+)/ports/(\d{1,2})/(rate|state|phys_state|link_layer|lid|sm_lid)$")
_GID = re.compile(_BDF + r"?/infiniband/([\w-]+)/ports/(\d{1,2})/gid(?:s|_attrs/(?:types|ndevs))/(\d{1,4})$")
_DEVICE = re.compile(_BDF + r"?/infiniband/([\w-]+)/(fw_ver|board_id|hca_type|node_guid)$")
_NET = re.compile(_BDF + r"?/net/([\w.-]+)/(speed|operstate|mtu|duplex|carrier_changes)$")
_PATTERNS = (_LINK, _PORT, _GID, _DEVICE, _NET)
_RATE = re.compile(r"([\d.]{1,8}) Gb/sec \((\d{1,2})X")
_TAIL = 300
"""Characters from the end of a path in which all that is looked for stands."""


def knows(path: str) -> bool:
    """Whether a path of sysfs is one that is read."""
    return any(pattern.search(path[-_TAIL:]) for pattern in _PATTERNS)


def add(passage: Passage, rows: Rows, values: Iterable[tuple[str, str, int]]) -> None:
    """Rows of paths with value and line: one for each link, port, GID, device and interface."""
    found: dict[tuple[re.Pattern[str], tuple[str, ...]], tuple[int, dict[str, str]]] = {}
    for path, value, line in values:
        for pattern in _PATTERNS:
            if match := pattern.search(path[-_TAIL:]):
                *place, name = (part or "" for part in match.groups())
                if pattern is _GID:
                    place, name = [*place, name], path.rsplit("/", 2)[1]
                found.setdefault((pattern, tuple(place)), (line, {}))[1][name] = value.strip()
    for (pattern, thing), (line, said) in found.items():
        if pattern is _LINK:
            _add_link(passage, rows, line, thing[0], said)
        elif pattern is _PORT:
            _add_port(passage, rows, line, thing, said)
        elif pattern is _GID:
            _add_gid(passage, rows, line, thing, said)
        elif pattern is _DEVICE:
            _add_device(passage, rows, line, thing, said)
        else:
            _add_net(passage, rows, line, thing, said)


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


def _add_port(passage: Passage, rows: Rows, line: int, place: tuple[str, ...], values: Mapping[str, str]) -> None:
    rate = _RATE.match(values.get("rate", ""))
    speed = leading(rate[1]) if rate else None
    ethernet = values.get("link_layer") == "Ethernet"
    rows.add(
        rdma_devices.TABLE,
        passage,
        line,
        part="port",
        bus=place[0] or None,
        device=place[1],
        port=int(place[2]),
        state=spoken.state(values.get("state", "")),
        physical_state=spoken.physical_state(values.get("phys_state", "")),
        rate_bps=round(speed * 1e9) if speed else None,
        lanes=int(rate[2]) if rate else None,
        link_layer=told(values.get("link_layer", "")),
        lid=None if ethernet else spoken.lid(values.get("lid", "")),
        sm_lid=None if ethernet else spoken.lid(values.get("sm_lid", "")),
    )


def _add_gid(passage: Passage, rows: Rows, line: int, place: tuple[str, ...], values: Mapping[str, str]) -> None:
    gid = values.get("gids")
    if gid is not None and not gid.replace(":", "").strip("0"):
        return  # an empty place of the table
    kind = values.get("types", "")
    rows.add(
        rdma_devices.TABLE,
        passage,
        line,
        part="gid",
        bus=place[0] or None,
        device=place[1],
        port=int(place[2]),
        gid_index=int(place[3]),
        gid=gid,
        gid_ip=spoken.ipv4_of(gid) if gid else None,
        gid_type={"IB/RoCE v1": "RoCEv1", "RoCE v2": "RoCEv2"}.get(kind),
        netdev=values.get("ndevs") or None,
    )


def _add_device(passage: Passage, rows: Rows, line: int, place: tuple[str, ...], values: Mapping[str, str]) -> None:
    told_as = {"fw_ver": "firmware", "board_id": "board", "hca_type": "type", "node_guid": "guid"}
    said: dict[str, Any] = {
        column: None if values.get(name) == name else told(values.get(name, "")) for name, column in told_as.items()
    }  # collections that hide values write the name of the file instead
    said["guid"] = spoken.guid(said["guid"] or "")
    if any(said.values()):
        rows.add(rdma_devices.TABLE, passage, line, part="device", bus=place[0] or None, device=place[1], **said)


def _add_net(passage: Passage, rows: Rows, line: int, place: tuple[str, ...], values: Mapping[str, str]) -> None:
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
