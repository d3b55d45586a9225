"""`show lldp neighbors` and `show cdp neighbors`: one line a neighbour, under headings that differ by vendor."""

import re

from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.switch.columns import ruled, spaced, under
from badhop.sources.outputs.kinds.switch.neighbourhood import announced
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import neighbours

_HEADINGS = (
    ("Local Interface", "Parent Interface", "Chassis Id", "Port info", "System Name"),  # Junos
    ("Local Interface", "Chassis Id", "Port info", "System Name"),  # Junos, EX
    ("Local Interface", "Chassis ID", "Port ID", "System Name"),  # Comware
)
_COLUMNS = {
    "Local Interface": "device",
    "Interface": "device",
    "Port": "device",
    "Chassis Id": "chassis_id",
    "Chassis ID": "chassis_id",
    "Port info": "port_id",
    "Port ID": "port_id",
    "Neighbor Port ID": "port_id",
    "System Name": "system_name",
    "Neighbor Device ID": "system_name",
    "TTL": "ttl",
}
_EOS = "Port Neighbor Device ID Neighbor Port ID TTL"
_ICOS = "Interface RemID Chassis ID Port ID System Name"


def _add(rows: Rows, passage: Passage, line: int, cells: dict[str, str]) -> None:
    said = {ours: text for theirs, text in cells.items() if (ours := _COLUMNS.get(theirs))}
    if said.get("port_id") or said.get("chassis_id"):
        announced.add(
            rows,
            passage,
            line,
            announced.said(said.get("device")),
            "lldp",
            system_name=announced.said(said.get("system_name")),
            port_id=announced.mac(said.get("port_id")),
            chassis_id=announced.mac(said.get("chassis_id")),
            ttl=announced.whole(said.get("ttl"), 65535),
        )


def _recognise_ruled(passage: Passage) -> bool:
    return any(" ".join(text.split()) in (_EOS, _ICOS) for text in passage.opening)


def _read_ruled(passage: Passage, rows: Rows) -> None:
    for table in ruled(passage.lines):
        if " ".join(table.heading) in (_EOS, _ICOS):
            for row in table.rows:
                _add(rows, passage, row.line, dict(row.cells))


def _recognise_spaced(passage: Passage) -> bool:
    return any(" ".join(text.split()) == " ".join(names) for text in passage.opening for names in _HEADINGS)


def _read_spaced(passage: Passage, rows: Rows) -> None:
    columns = None
    for line, text in passage.numbered():
        words = " ".join(text.split())
        if names := next((names for names in _HEADINGS if words == " ".join(names)), None):
            columns = spaced(text, names)
        elif columns and text.strip():
            if cells := under(columns, text):
                _add(rows, passage, line, cells)
            else:
                rows.problem(line, "does not fit the columns of its heading", "not read")


_NXOS = re.compile(r"Device.ID +Local Int\w{1,6} +(?:Hldtme|Hold-time) +Capability +(Platform +)?Port ID")
_ROW = re.compile(r"\s*(?:(\S+)\s+)?((?:mgmt|Eth|Ethernet|Gig|Ten|Hun|Fas|Po|Vlan)[\d/.]+)\s+(\d{1,5})\b(.*)")
_GAP = re.compile(r"\s{2,}")


def _recognise_nxos(passage: Passage) -> bool:
    """By its heading, which `detail` prints as well, before its blocks."""
    headed = any(text.startswith("Device") and _NXOS.match(text) for text in passage.opening)
    return headed and not any(text.lstrip().startswith("Chassis id:") for text in passage.lines.texts[:64])


def _read_nxos(passage: Passage, rows: Rows) -> None:
    """A long name stands on a line before the rest of its entry, and a long port on a line after it."""
    platforms = started = False
    name: str | None = None
    waiting: tuple[int, str, str | None, int] | None = None
    for line, text in passage.numbered():
        stripped = text.strip()
        if heading := _NXOS.match(stripped):
            started, platforms = True, heading[1] is not None
            continue
        if not started or not stripped or stripped.startswith("Total entries"):
            continue
        found = _ROW.fullmatch(text)
        if found is None and waiting is not None:
            at, device, system, hold = waiting
            _add_nxos(rows, passage, at, device, system, hold, stripped, cdp=True)
            waiting = None
        elif found is None:
            name = stripped
        else:
            system, device, hold = found[1] or name, found[2], int(found[3])
            name, port = None, _port(found[4], platforms=platforms)
            if port is None:
                waiting = (line, device, system, hold)
            else:
                _add_nxos(rows, passage, line, device, system, hold, port, cdp=platforms)
    if waiting is not None:
        rows.problem(waiting[0], "the entry has no port id: it is cut", "not read")


def _port(rest: str, *, platforms: bool) -> str | None:
    """The last of capability, platform and port id; None where the port must stand on the next line."""
    parts = _GAP.split(rest.strip())
    if not platforms:
        return parts[-1] or None
    if len(parts) >= 3:
        return parts[-1]
    if len(parts) == 2 and parts[0] and all(len(word) == 1 for word in parts[0].split()):
        return None
    words = [word for word in rest.split() if len(word) > 1]
    return words[-1] if len(words) >= 2 else None


def _add_nxos(
    rows: Rows, passage: Passage, line: int, device: str, system: str | None, hold: int, port: str, *, cdp: bool
) -> None:
    announced.add(
        rows,
        passage,
        line,
        device,
        "cdp" if cdp else "lldp",
        system_name=announced.device_name(system),
        port_id=announced.mac(port),
        ttl=None if cdp or hold > 65535 else hold,
    )


RULED = Output("show lldp neighbors", (neighbours.TABLE,), _recognise_ruled, _read_ruled)
SPACED = Output("show lldp neighbors", (neighbours.TABLE,), _recognise_spaced, _read_spaced)
NXOS = Output("show lldp neighbors, show cdp neighbors", (neighbours.TABLE,), _recognise_nxos, _read_nxos)
