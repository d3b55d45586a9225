"""`lldpctl -f json` and `-f json0`: one is an object, several are a list, at every level; json0 has lists only."""

from typing import Any

from badhop.sources.outputs import json_text
from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.switch import objects
from badhop.sources.outputs.kinds.switch.neighbourhood import announced
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import neighbours


def _recognise(passage: Passage) -> bool:
    return objects.begins_json(passage) and '"lldp"' in objects.head(passage)[:200]


def _read(passage: Passage, rows: Rows) -> None:
    value = json_text.parsed(passage, rows, "lldpd")
    line_of = objects.lines_of_keys(passage)
    for lldp in objects.several(value.get("lldp") if isinstance(value, dict) else None):
        for interface in objects.several(lldp.get("interface") if isinstance(lldp, dict) else None):
            if not isinstance(interface, dict):
                continue
            named = [(_first(interface.get("name")), interface)] if "via" in interface else list(interface.items())
            for device, neighbour in named:
                for one in objects.several(neighbour):
                    if isinstance(one, dict):
                        _add(rows, passage, line_of(str(device)), objects.text(device), one)


def _add(rows: Rows, passage: Passage, line: int | None, device: str | None, said: dict[str, Any]) -> None:
    name, chassis = _chassis(_inner(said, "chassis"))
    port, vlan = _inner(said, "port"), _inner(said, "vlan")
    ids, ports = _inner(chassis, "id"), _inner(port, "id")
    via = objects.text(said.get("via")) or "lldp"
    announced.add(
        rows,
        passage,
        line,
        device,
        "cdp" if via.upper().startswith("CDP") else via.lower(),
        system_name=announced.said(name),
        system_description=announced.said(_first(chassis.get("descr"))),
        chassis_id=announced.mac(_first(ids.get("value"))),
        chassis_id_kind=announced.kind(_first(ids.get("type"))),
        port_id=announced.mac(_first(ports.get("value"))),
        port_id_kind=announced.kind(_first(ports.get("type"))),
        port_description=announced.said(_first(port.get("descr"))),
        management_address=announced.address(_first(chassis.get("mgmt-ip"))),
        ttl=announced.whole(_first(port.get("ttl")), 65535),
        max_frame=announced.whole(_first(port.get("mfs")), 65535),
        port_vlan=announced.whole(_first(vlan.get("vlan-id")), 4095),
        auto_negotiation=_flag(_inner(port, "auto-negotiation").get("enabled")),
    )


def _chassis(chassis: dict[str, Any]) -> tuple[str | None, dict[str, Any]]:
    """The name and what is under it. Of a chassis that told no name, the level of names is missing."""
    if "id" in chassis:
        return _first(chassis.get("name")), chassis
    for name, inner in chassis.items():
        if isinstance(inner, dict):
            return name, inner
    return None, {}


def _inner(value: dict[str, Any], key: str) -> dict[str, Any]:
    """An object, or the first of a list of them."""
    found = next(iter(objects.several(value.get(key))), None)
    return found if isinstance(found, dict) else {}


def _first(value: Any) -> str | None:
    """A text, or the first of a list of texts; json0 puts it under `value`."""
    found = next(iter(objects.several(value)), None)
    return _first(found.get("value")) if isinstance(found, dict) else objects.text(found)


def _flag(value: Any) -> bool | None:
    return value if isinstance(value, bool) else announced.yes(objects.text(value))


KIND = Output("lldpctl -f json", (neighbours.TABLE,), _recognise, _read)
