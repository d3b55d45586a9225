"""Cumulus `nv show interface PORT counters qos`, as tables and as JSON: pauses, queues, priority groups, port totals.

The port stands in the command only. A raw name is the key of the line, then the column: `traffic-class 3 tx-frames`.
Durations of pauses are printed without a unit, or with one of bytes by mistake, so that they have none here.
"""

import re
from collections.abc import Iterator
from typing import Any

from badhop.sources.outputs import json_text
from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.switch import objects
from badhop.sources.outputs.kinds.switch.columns import ruled
from badhop.sources.outputs.kinds.switch.readings import Readings
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.sources.outputs.transcript import words
from badhop.tables import counters

_KEYS = {
    "pfc-stats": "switch-priority",
    "egress-queue-stats": "traffic-class",
    "ingress-buffer-stats": "priority-group",
}
_HEADINGS = re.compile(r"(?:switch-priority +rx-pause-frames|traffic-class +tx-frames|priority-group +rx-frames)\b.*")
_PORT = re.compile(r"swp\d+(?:s\d+)?|eth\d+|bond\d+")


def _port(passage: Passage) -> str | None:
    """The port of the command, else the passage's."""
    named = [word for word in words(passage.command or "") if _PORT.fullmatch(word)]
    return named[0] if len(named) == 1 else passage.device


def _recognise(passage: Passage) -> bool:
    return any(_HEADINGS.fullmatch(text.strip()) for text in passage.lines.texts[:64])


def _read(passage: Passage, rows: Rows) -> None:
    readings, port = Readings(rows, passage, "cumulus"), _port(passage)
    for table in ruled(passage.lines):
        key, *columns = table.heading
        if key not in _KEYS.values() and table.heading[:3] != ("Counter", "Receive", "Transmit"):
            continue
        for row in table.rows:
            for column in columns:
                if column in row.cells:
                    first = row.cells.get(key, "")
                    name = f"{column} {first}" if key == "Counter" else f"{key} {first} {column}"
                    _count(readings, row.line, port, name, row.cells[column])


def _count(readings: Readings, line: int | None, port: str | None, name: str, value: str) -> None:
    readings.count(line, port, name, value)


def _recognise_json(passage: Passage) -> bool:
    if not objects.begins_json(passage):
        return False
    head = objects.head(passage)
    return any(f'"{section}"' in head for section in _KEYS)


def _read_json(passage: Passage, rows: Rows) -> None:
    readings, port = Readings(rows, passage, "cumulus"), _port(passage)
    for section, inner in _sections(json_text.parsed(passage, rows, "NVUE")):
        for key, cells in objects.entries(inner):
            for column, value in cells.items():
                if (text := objects.text(value)) is None:
                    continue
                if section == "port-stats":
                    side = {"rx-stats": "Receive", "tx-stats": "Transmit"}.get(key, key)
                    readings.count(None, port, f"{side} {column}", text)
                else:
                    readings.count(None, port, f"{_KEYS[section]} {key} {column}", text)


def _sections(value: Any) -> Iterator[tuple[str, Any]]:
    """The sections of an answer, which some releases put under `counters` and `qos`."""
    for name in ("counters", "qos"):
        if isinstance(value, dict) and isinstance(value.get(name), dict):
            value = value[name]
    for name, inner in objects.entries(value):
        if name in _KEYS or name == "port-stats":
            yield name, inner


KIND = Output("nv show interface counters qos", (counters.TABLE,), _recognise, _read)
JSON = Output("nv show interface counters qos -o json", (counters.TABLE,), _recognise_json, _read_json)
