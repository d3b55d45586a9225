"""NX-OS `show interface priority-flow-control`: PFC frames of all priorities together, and which priorities pause.

Oper says on which virtual lanes: a bit map in hexadecimal, in which bit n is priority n.
"""

import re

from badhop.sources.outputs import json_text
from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.switch import objects
from badhop.sources.outputs.kinds.switch.readings import Readings
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import counters, qos

_HEADING = re.compile(r"Port +Mode +Oper ?(?:\(VL(?: bmap)?\))? +RxPPP +TxPPP")
_ROW = re.compile(
    r"(\S+) +(On|Off|Auto) +(On|Off) *(?:\(([0-9a-fA-F]{1,2})\))? +([\d,]+|--) +([\d,]+|--)", re.IGNORECASE
)


def _recognise(passage: Passage) -> bool:
    return any(text.startswith("Port ") and _HEADING.fullmatch(text) for text in passage.opening)


def _read(passage: Passage, rows: Rows) -> None:
    readings = Readings(rows, passage, "nxos")
    started = False
    for line, raw in passage.numbered():
        text = raw.strip()
        if _HEADING.fullmatch(text):
            started = True
        elif started and text and text.strip("-= "):
            if found := _ROW.fullmatch(text):
                port, mode, operating, lanes, received, sent = found.groups()
                readings.count(line, port, "RxPPP", received)
                readings.count(line, port, "TxPPP", sent)
                _set(rows, passage, line, port, mode, operating, lanes)
            elif "/" in text.split()[0]:
                rows.problem(line, "does not fit the columns of priority-flow-control", "not read")


def _set(rows: Rows, passage: Passage, line: int, port: str, mode: str, operating: str, lanes: str | None) -> None:
    rows.add(qos.TABLE, passage, line, device=port, setting="pfc_configured", raw_name="Mode", value=mode.lower())
    bits = int(lanes or "0", 16)
    paused: list[int | None] = [bit for bit in range(8) if bits >> bit & 1]
    for priority in paused or [None]:
        rows.add(
            qos.TABLE,
            passage,
            line,
            device=port,
            priority=priority,
            setting="pfc",
            raw_name="Oper",
            value=operating.lower(),
        )


def _recognise_json(passage: Passage) -> bool:
    return objects.begins_json(passage) and '"TABLE_pfc_interface"' in passage.text


def _read_json(passage: Passage, rows: Rows) -> None:
    """NX-API: one row is an object, several are a list, and tables stand in tables of modules."""
    readings = Readings(rows, passage, "nxos")
    todo = [json_text.parsed(passage, rows, "NX-API")]
    while todo:
        value = todo.pop()
        if isinstance(value, list):
            todo += reversed(value)
        elif isinstance(value, dict) and "if_name_str" in value:
            port = objects.text(value["if_name_str"])
            for name, counter in (("rx-stats", "RxPPP"), ("tx-stats", "TxPPP")):
                readings.count(None, port, counter, objects.text(value.get(name)) or "")
        elif isinstance(value, dict):
            todo += reversed(value.values())


JSON = Output("show interface priority-flow-control | json", (counters.TABLE,), _recognise_json, _read_json)
KIND = Output("show interface priority-flow-control", (counters.TABLE, qos.TABLE), _recognise, _read)
