"""`show interfaces` of EOS and `show interface` of NX-OS: a block for each port with its link and its counters.

Raw names have the side before them where the line does not say it itself: `input CRC` (EOS), `RX CRC` (NX-OS).
"""

import re
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.switch.amounts import speed
from badhop.sources.outputs.kinds.switch.readings import Readings
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import counters, links

_EOS_PORT = re.compile(r"(\S+) is (up|down|administratively down), line protocol is (\w+) \(([\w -]+)\)")
_NXOS_PORT = re.compile(r"([A-Za-z][\w./-]*\d) is (up|down)(?: \(([^)]{1,80})\))?(?:, line protocol is \w+)?(?:, .*)?")
_PAIR = re.compile(r"(\d+|--) ([A-Za-z][A-Za-z/]*(?: [a-zA-Z][A-Za-z/]*){0,4})")
_MTU = re.compile(r"\bMTU (\d{2,6}) bytes")
_SPEED = re.compile(r"-duplex, (\d+(?:\.\d+)? ?[MG]b/s)")
_NEGOTIATION = re.compile(r"auto negotiation: (on|off)|Auto-Negotiation is turned (on|off)")
_FLAPS = re.compile(r"(\d{1,18}) link status changes since last clear")
_MEDIA = re.compile(r"media type is ([^,]+)")
_STARTS = ("Received ", "Sent ")


@dataclass
class _Port:
    line: int
    device: str
    state: str
    admin: str | None = None
    side: str | None = None
    said: dict[str, Any] = field(default_factory=dict)


def _eos(text: str, line: int) -> _Port | None:
    found = _EOS_PORT.fullmatch(text)
    if found is None:
        return None
    port = _Port(line, found[1], "up" if found[3] == "up" else "down")
    port.admin = "down" if found[2] == "administratively down" or found[4] == "disabled" else "up"
    return port


def _nxos(text: str, line: int) -> _Port | None:
    found = _NXOS_PORT.fullmatch(text)
    if found is None:
        return None
    port = _Port(line, found[1], found[2])
    if found[2] == "up":
        port.admin = "up"
    elif "dministratively" in (found[3] or ""):
        port.admin = "down"
    return port


def _dialect(passage: Passage) -> str | None:
    """By the first line of a block, and what must follow it."""
    texts = passage.opening
    for text, after in pairwise(texts):
        if " is " not in text:
            continue
        if _EOS_PORT.fullmatch(text) and after.startswith(("Hardware is", "Tunnel", "Description")):
            return "eos"
        if _NXOS_PORT.fullmatch(text) and after.startswith(("admin state is", "Hardware: ", "Hardware is")):
            return "nxos"
    return None


def _read(passage: Passage, rows: Rows) -> None:
    dialect = _dialect(passage) or "eos"
    begins = _eos if dialect == "eos" else _nxos
    readings = Readings(rows, passage, dialect)
    port: _Port | None = None
    for line, raw in passage.numbered():
        text = raw.strip()[:512]
        if " is " in text and (new := begins(text, line)):
            if port is not None:
                _add(rows, passage, port)
            port = new
        elif port is not None and text:
            _link(port, text)
            port.side = _side(text, dialect) or port.side
            if port.side and (text[0].isdigit() or text.startswith(_STARTS)):
                _count(readings, line, port, text, dialect)
    if port is not None:
        _add(rows, passage, port)


def _side(text: str, dialect: str) -> str | None:
    """What the lines from here on are of; EOS repeats no heading but begins each side with its packets."""
    if dialect == "nxos":
        return text.upper() if text.upper() in ("RX", "TX") else None
    if " packets input" in text:
        return "input"
    return "output" if " packets output" in text else None


def _count(readings: Readings, line: int, port: _Port, text: str, dialect: str) -> None:
    for value, words in _PAIR.findall(text):
        named = dialect == "eos" and ("input" in words or "output" in words)
        readings.count(line, port.device, words if named else f"{port.side} {words}", value)


def _link(port: _Port, text: str) -> None:
    if text.startswith("admin state is "):
        port.admin = "down" if text.startswith("admin state is down") else "up"
    if found := _MTU.search(text):
        port.said.setdefault("mtu", int(found[1]))
    if (found := _SPEED.search(text)) and port.state == "up":
        port.said["speed_bps"] = speed(found[1])
    if found := _NEGOTIATION.search(text):
        port.said["autoneg"] = found[1] or found[2]
    if found := _FLAPS.fullmatch(text):
        port.said["flaps"] = int(found[1])
    if found := _MEDIA.search(text):
        port.said["media"] = found[1]


def _add(rows: Rows, passage: Passage, port: _Port) -> None:
    rows.add(links.TABLE, passage, port.line, device=port.device, state=port.state, admin=port.admin, **port.said)


_FILLS = (counters.TABLE, links.TABLE)
EOS = Output("show interfaces (EOS)", _FILLS, lambda passage: _dialect(passage) == "eos", _read)
NXOS = Output("show interface (NX-OS)", _FILLS, lambda passage: _dialect(passage) == "nxos", _read)
