"""`display interface` of Comware (H3C, HPE) and VRP (Huawei): a block for each port with its link and its counters.

A raw name is the section and the words: `Input (total) packets`, `Input CRC`, `Output Total Error`.
"""

import re
from dataclasses import dataclass, field
from typing import Any

from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.switch.amounts import speed
from badhop.sources.outputs.kinds.switch.readings import Readings
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import counters, links

_STATE = re.compile(
    r"(?:(\S+) )?[Cc]urrent state ?: ?(UP|DOWN|Administratively DOWN|DOWN ?\( ?Administratively ?\))\b.*"
)
_NAME = re.compile(r"[A-Z][A-Za-z-]*[A-Za-z]\d[\d/.:]*")
_SECTION = re.compile(r"((?:Input|Output)(?: \((?:total|normal)\))?): +(\S.*)")
_PAIR = re.compile(r"(\d+|-) ([A-Za-z][A-Za-z ]*[A-Za-z])(?=,|$)")
_NAMED = re.compile(r"([A-Z][A-Za-z ]*?): +(\d+|-)(?=\s*(?:,|$))")
_SPEEDS = (re.compile(r"(\d+(?:\.\d+)?[MG])bps-speed mode"), re.compile(r"Speed ?: +(\d{1,7}),"))
_MTU = re.compile(r"(?:Maximum (?:T|t)ransmi(?:t|ssion) (?:U|u)nit(?: is|:) ?)(\d{2,6})\b")
_NEGOTIATION = re.compile(r"Negotiation: (ENABLE|DISABLE)|Link speed type is (autonegotiation|force link)")


@dataclass
class _Port:
    line: int
    device: str
    state: str
    admin: str
    dialect: str
    section: str = ""
    said: dict[str, Any] = field(default_factory=dict)


def _recognise(passage: Passage) -> bool:
    before = ""
    for text in passage.opening:
        if "urrent state" in text and (found := _STATE.fullmatch(text)) and _device(found[1], before):
            return True
        before = text
    return False


def _device(named: str | None, before: str) -> str | None:
    """The port stands before the words, or alone on the line before them."""
    if named is not None:
        return named if _NAME.fullmatch(named) else None
    return before if _NAME.fullmatch(before) else None


def _read(passage: Passage, rows: Rows) -> None:
    readings = {name: Readings(rows, passage, name) for name in ("comware", "vrp")}
    port: _Port | None = None
    before = ""
    for line, raw in passage.numbered():
        text = raw.strip()[:512]
        found = _STATE.fullmatch(text) if "urrent state" in text else None
        device = _device(found[1], before) if found else None
        before = text
        if found and device:
            if port is not None:
                _add(rows, passage, port)
            down = "dministratively" in found[2]
            state = "up" if found[2] == "UP" else "down"
            dialect = "vrp" if " : " in text else "comware"
            port = _Port(line, device, state, "down" if down else "up", dialect)
        elif port is not None and text:
            _link(port, text)
            _count(readings[port.dialect], line, port, text)
    if port is not None:
        _add(rows, passage, port)


def _count(readings: Readings, line: int, port: _Port, text: str) -> None:
    section = _SECTION.fullmatch(text)
    if section:
        port.section, text = section[1], section[2]
    elif not port.section or not (text[0].isdigit() or text[0] == "-" or _NAMED.match(text)):
        port.section = ""
        return
    for value, words in _PAIR.findall(text):
        readings.count(line, port.device, f"{port.section} {words}", value)
    for words, value in _NAMED.findall(text):
        readings.count(line, port.device, f"{port.section} {words}", value)


def _link(port: _Port, text: str) -> None:
    if port.state == "up":
        for pattern in _SPEEDS:
            if found := pattern.search(text):
                port.said["speed_bps"] = speed(found[1])
    if mtu := _MTU.search(text):
        port.said.setdefault("mtu", int(mtu[1]))
    if negotiated := _NEGOTIATION.search(text):
        port.said["autoneg"] = "on" if negotiated[1] == "ENABLE" or negotiated[2] == "autonegotiation" else "off"


def _add(rows: Rows, passage: Passage, port: _Port) -> None:
    rows.add(links.TABLE, passage, port.line, device=port.device, state=port.state, admin=port.admin, **port.said)


KIND = Output("display interface", (counters.TABLE, links.TABLE), _recognise, _read)
