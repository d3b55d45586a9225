"""`show queue counters --json`, `portstat -j` and the watermarks with `--json`: the tables again, by other names."""

import re

from badhop.sources.outputs import json_text
from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.switch import objects
from badhop.sources.outputs.kinds.switch.readings import Readings
from badhop.sources.outputs.kinds.switch.sonic.printed import DIALECT
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.sources.outputs.transcript import words
from badhop.tables import counters

_QUEUES = ('"totalpacket"', '"droppacket"', '"wreddroppacket"', '"trimpacket"')
_PORTS = ('"RX_OK"', '"TRIM_PKTS"', '"FEC_CORR"', '"RX_BPS"', '"RX_DROPS"')
_OCCUPANCY = re.compile(r'"(?:PG|UC|MC|ALL)\d{1,3}"')

_EGRESS = {
    "UC": "Egress shared pool occupancy per unicast queue",
    "MC": "Egress shared pool occupancy per multicast queue",
    "ALL": "Egress shared pool occupancy per all queues",
}
_INGRESS = {"shared": "Ingress shared pool occupancy per PG", "headroom": "Ingress headroom per PG"}


def _recognise(passage: Passage) -> bool:
    if not objects.begins_json(passage):
        return False
    head = objects.head(passage)
    if any(key in head for key in _QUEUES) or ('"STATE"' in head and any(key in head for key in _PORTS)):
        return True
    return '"Port"' in head and _OCCUPANCY.search(head) is not None


def _read(passage: Passage, rows: Rows) -> None:
    value = json_text.parsed(passage, rows, "a SONiC counter tool")
    readings = Readings(rows, passage, DIALECT)
    if isinstance(value, list):
        _read_occupancy(value, passage, readings)
    line_of = objects.lines_of_keys(passage)
    for port, cells in objects.entries(value):
        line = line_of(port)
        for name, cell in cells.items():
            if isinstance(cell, dict):
                for counter, inner in cell.items():
                    readings.count(line, port, f"{name} {counter}", objects.text(inner) or "")
            elif name not in ("STATE", "time"):
                readings.count(line, port, name, objects.text(cell) or "")


def _read_occupancy(value: list[object], passage: Passage, readings: Readings) -> None:
    """What a priority group's number is of, only the command tells."""
    asked = words(passage.command or "")
    groups = next((title for word, title in _INGRESS.items() if word in asked), None)
    lines = iter([line for line, text in passage.numbered() if '"Port"' in text])
    for entry in value:
        if not isinstance(entry, dict) or "Port" not in entry:
            continue
        line = next(lines, None)
        for name, cell in entry.items():
            if name != "Port":
                title = groups if name.startswith("PG") else _EGRESS.get(name.rstrip("0123456789"))
                readings.count(
                    line,
                    objects.text(entry["Port"]),
                    f"{title} {name}" if title else name,
                    objects.text(cell) or "",
                )


KIND = Output("SONiC counters as JSON", (counters.TABLE,), _recognise, _read)
