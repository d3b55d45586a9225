"""`show lldp neighbors detail`, `show cdp neighbors detail`, `display lldp neighbor-information`: blocks of labels.

NX-OS, EOS, Junos, Comware, VRP. A block begins where a port or a neighbour is named, or with a second chassis id.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.switch.neighbourhood import announced
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import neighbours

_LABEL = re.compile(r"[\s-]*([A-Za-z][\w .()/-]{1,40}?)\s*:\s?(.*)")
_PORTS = (
    re.compile(r"Interface (\S+) detected \d+ LLDP neighbors:"),
    re.compile(r"(\S+) has \d+ neighbor\(s\):"),
    re.compile(r"LLDP neighbor-information of port \d+\s?\[(\S+)\]:"),
)
"""EOS, VRP and Comware name the port once, before all of its neighbours."""

_BEGINS = frozenset(("neighbor index", "lldp neighbor index", "local interface", "device id"))
_EOS_BEGINS = re.compile(r"\s*Neighbor \S.*, age ")
_CDP_PORT = re.compile(r"Interface: (\S+), +Port ID \(outgoing port\): (\S.*)")

_COLUMNS = {
    "chassis id": "chassis_id",
    "chassis id type": "chassis_id_kind",
    "chassis id subtype": "chassis_id_kind",
    "chassis type": "chassis_id_kind",
    "port id": "port_id",
    "port id type": "port_id_kind",
    "port id subtype": "port_id_kind",
    "port type": "port_id_kind",
    "local port id": "device",
    "local interface": "device",
    "device id": "device_id",
    "port description": "port_description",
    "system name": "system_name",
    "system description": "system_description",
    "version": "system_description",
    "management address": "management_address",
    "management address value": "management_address",
    "ipv4 address": "management_address",
    "address": "management_address",
    "time to live": "ttl",
    "port vlan id(pvid)": "port_vlan",
    "vlan id": "port_vlan",
    "native vlan": "port_vlan",
    "ieee802.1 port vlan id": "port_vlan",
    "maximum frame size": "max_frame",
    "ieee802.3 maximum frame size": "max_frame",
    "mtu": "mtu",
    "duplex": "duplex",
    "opermau": "opermau",
    "auto-negotiation enabled": "auto_negotiation",
    "link aggregation enabled": "aggregated",
    "aggregation port id": "aggregation_id",
}
"""What the labels of all these tools stand for; other labels end a description of several lines and say nothing."""

_DESCRIBES = ("technical support", "tac support", "compiled ", "copyright ")
"""Beginnings of lines of a description that have a colon and are no labels."""


@dataclass
class _Block:
    line: int
    device: str | None = None
    said: dict[str, str] = field(default_factory=dict)


def _blocks(passage: Passage) -> Iterator[_Block]:
    block: _Block | None = None
    port = last = None
    for line, raw in passage.numbered():
        text = raw.strip()
        if named := next((found[1] for pattern in _PORTS if (found := pattern.fullmatch(text))), None):
            port, last = named, None
            continue
        found = _LABEL.fullmatch(raw[:1024])
        label = " ".join(found[1].lower().split()) if found else ""
        begins = label in _BEGINS or _EOS_BEGINS.match(raw) is not None
        if begins or (label == "chassis id" and (block is None or "chassis_id" in block.said)):
            if block is not None:
                yield block
            block, last = _Block(line, port), None
        if block is None:
            continue
        if cdp := _CDP_PORT.fullmatch(text):
            block.device = cdp[1]
            block.said.setdefault("port_id", cdp[2])
        elif found and (column := _COLUMNS.get(label)):
            block.said.setdefault(column, found[2].strip())
            last = column
        elif last == "system_description" and text and (not label or label.startswith(_DESCRIBES)):
            block.said[last] = f"{block.said[last]} {text}".strip()[: announced.LONGEST]
        else:
            last = None
    if block is not None:
        yield block


def _read(passage: Passage, rows: Rows) -> None:
    for block in _blocks(passage):
        get, cdp = block.said.get, "device_id" in block.said
        if not cdp and "port_id" not in block.said:
            continue
        announced.add(
            rows,
            passage,
            block.line,
            block.device or announced.said(get("device")),
            "cdp" if cdp else "lldp",
            system_name=announced.said(get("system_name")) or announced.device_name(get("device_id")),
            port_id=announced.mac(get("port_id")),
            port_id_kind=announced.kind(get("port_id_kind")),
            port_description=announced.said(get("port_description")),
            chassis_id=announced.mac(get("chassis_id")),
            chassis_id_kind=announced.kind(get("chassis_id_kind")),
            system_description=announced.said(get("system_description")),
            management_address=announced.address(get("management_address")),
            ttl=announced.whole(get("ttl"), 65535),
            port_vlan=announced.whole(get("port_vlan"), 4095),
            max_frame=announced.whole(get("max_frame"), 65535),
            mtu=announced.whole(get("mtu"), 2**32 - 1),
            duplex=announced.duplex(get("duplex") or get("opermau")),
            speed=announced.speed(get("opermau")),
            auto_negotiation=announced.yes(get("auto_negotiation")),
            aggregated=announced.yes(get("aggregated")),
            aggregation_id=announced.whole(get("aggregation_id"), 2**32 - 1),
        )


_NXOS_CHASSIS = re.compile(r"Chassis id: \S+")
_JUNOS = ("LLDP Neighbor Information:", "Neighbour Information:")
_CDP = re.compile(r"Device ID: ?\S+")


def _recognise_lldp(passage: Passage) -> bool:
    texts = passage.opening
    if any(pattern.fullmatch(text) for text in texts for pattern in _PORTS):
        return True
    if any(text in _JUNOS for text in texts) and any(text.startswith("Local Interface") for text in texts):
        return True
    return any(_NXOS_CHASSIS.match(text) for text in texts) and any(text.startswith("Port id:") for text in texts)


def _recognise_cdp(passage: Passage) -> bool:
    if not any(_CDP.match(text) for text in passage.opening):
        return False
    return any("Port ID (outgoing port)" in text for text in passage.lines.texts[:64])


LLDP = Output("show lldp neighbors detail", (neighbours.TABLE,), _recognise_lldp, _read)
CDP = Output("show cdp neighbors detail", (neighbours.TABLE,), _recognise_cdp, _read)
