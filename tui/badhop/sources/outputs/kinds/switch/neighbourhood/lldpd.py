"""`lldpctl` and `lldpcli show neighbors`: as text, and as keys and values (`-f keyvalue`)."""

import re
from collections.abc import Mapping

from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.switch.neighbourhood import announced
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import neighbours

_INTERFACE = re.compile(r"Interface:\s+(\S+), via: (\w+),")
_PAIR = re.compile(r"([A-Za-z][\w -]{0,30}):\s+(\S.*)")
_TEXT_COLUMNS = {
    "ChassisID": "chassis_id",
    "SysName": "system_name",
    "SysDescr": "system_description",
    "MgmtIP": "management_address",
    "PortID": "port_id",
    "PortDescr": "port_description",
    "TTL": "ttl",
    "MFS": "max_frame",
    "PMD autoneg": "autoneg",
    "VLAN": "port_vlan",
}


def _recognise(passage: Passage) -> bool:
    texts = passage.opening
    return any(_INTERFACE.match(text) for text in texts) and (
        "LLDP neighbors:" in texts or any(text.startswith(("Chassis:", "ChassisID:")) for text in texts)
    )


def _read(passage: Passage, rows: Rows) -> None:
    current: tuple[int, str, str] | None = None
    said: dict[str, str] = {}
    for line, raw in passage.numbered():
        text = raw.strip()
        if found := _INTERFACE.match(text):
            if current:
                _add(rows, passage, *current, said)
            current, said = (line, found[1], found[2]), {}
        elif current and (pair := _PAIR.fullmatch(text)) and (column := _TEXT_COLUMNS.get(pair[1])):
            said.setdefault(column, pair[2])
    if current:
        _add(rows, passage, *current, said)


def _add(rows: Rows, passage: Passage, line: int | None, device: str, via: str, said: Mapping[str, str]) -> None:
    """Ids have their kind before them: `mac 00:1c:73:ee:c0:46`."""
    chassis_kind, _, chassis = said.get("chassis_id", "").partition(" ")
    port_kind, _, port = said.get("port_id", "").partition(" ")
    autoneg = re.search(r"enabled: (\w+)", said.get("autoneg", ""))
    announced.add(
        rows,
        passage,
        line,
        device,
        "cdp" if via.upper().startswith("CDP") else via.lower(),
        system_name=announced.said(said.get("system_name")),
        system_description=announced.said(said.get("system_description")),
        chassis_id=announced.mac(chassis),
        chassis_id_kind=announced.kind(chassis_kind),
        port_id=announced.mac(port),
        port_id_kind=announced.kind(port_kind),
        port_description=announced.said(said.get("port_description")),
        management_address=announced.address(said.get("management_address")),
        ttl=announced.whole(said.get("ttl"), 65535),
        max_frame=announced.whole(said.get("max_frame"), 65535),
        port_vlan=announced.whole(said.get("port_vlan"), 4095),
        auto_negotiation=announced.yes(autoneg[1]) if autoneg else None,
    )


_KEY = re.compile(r"lldp\.([\w-]+(?:\.\d+)?)\.((?:via|rid|age|chassis|port|vlan)\b[\w.-]*)=(.*)")
_KEY_COLUMNS = {
    "chassis.name": "system_name",
    "chassis.descr": "system_description",
    "chassis.mgmt-ip": "management_address",
    "port.descr": "port_description",
    "port.ttl": "ttl",
    "port.mfs": "max_frame",
    "vlan.vlan-id": "port_vlan",
}
_IDS = re.compile(r"(chassis|port)\.(mac|ifname|ifalias|local|ip|component)")


def _recognise_keys(passage: Passage) -> bool:
    return any(text.startswith("lldp.") and _KEY.fullmatch(text) for text in passage.opening)


def _read_keys(passage: Passage, rows: Rows) -> None:
    """An interface with several neighbours begins again with `via`."""
    current: tuple[int, str, str] | None = None
    said: dict[str, str] = {}
    for line, raw in passage.numbered():
        found = _KEY.fullmatch(raw.strip()) if raw.lstrip().startswith("lldp.") else None
        if found is None:
            continue
        device, key, value = found.groups()
        if key == "via" or current is None or current[1] != device:
            if current:
                _add(rows, passage, *current, said)
            current, said = (line, device, value if key == "via" else "lldp"), {}
        if column := _KEY_COLUMNS.get(key):
            said.setdefault(column, value)
        elif ids := _IDS.fullmatch(key):
            said.setdefault(f"{ids[1]}_id", f"{ids[2]} {value}")
        elif key == "port.auto-negotiation.enabled":
            said["autoneg"] = f"enabled: {value}"
    if current:
        _add(rows, passage, *current, said)


TEXT = Output("lldpctl", (neighbours.TABLE,), _recognise, _read)
KEYS = Output("lldpctl -f keyvalue", (neighbours.TABLE,), _recognise_keys, _read_keys)
