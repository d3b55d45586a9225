"""Junos `show interfaces` at all levels, with queue counters, MAC statistics and PFC, and `show interfaces queue`.

A raw name is the section and the line: `MAC statistics CRC/Align errors Receive`, `Input errors Drops`,
`queue 3 Transmitted Tail-dropped packets`.
"""

import re
from dataclasses import dataclass

from badhop.sources.outputs import clock
from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.switch.amounts import speed
from badhop.sources.outputs.kinds.switch.readings import Readings
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import counters, links

_PHYSICAL = re.compile(
    r"Physical interface: (\S+?), (Enabled|Administratively down|Disabled), Physical link is (Up|Down)"
)
_QUEUE = re.compile(r"Queue(?: number)?: (\d{1,2})(?:, Forwarding classes: (.*))?")
_LINE = re.compile(r"([A-Za-z][\w/ -]*?) *: +(\d+)(?: +(\d+) [bp]ps)?")
_NAMED = re.compile(r"([A-Z][\w ]*?): (\d+)(?:,|$)")
_TWO = re.compile(r"([A-Z][\w/ ]*?\w)  +(\d+)(?: +(\d+))?")
_QUEUE_ROW = re.compile(r"(\d{1,2})(?: \S+)?  +(\d+) +(\d+) +(\d+)")
_PRIORITY = re.compile(r"Priority :? *([0-7]) +(\d+) +(\d+)")

_SECTIONS = ("Input errors:", "Output errors:", "Traffic statistics:")
_FEC = re.compile(r"(FEC (?:Corrected|Uncorrected) Errors(?: Rate)?)  +(\d+)")


@dataclass
class _Link:
    line: int
    device: str
    state: str
    admin: str
    mtu: int | None = None
    speed_bps: int | None = None
    autoneg: str | None = None
    last_change: int | None = None


def _recognise(passage: Passage) -> bool:
    return any(text.startswith("Physical interface: ") and _PHYSICAL.match(text) for text in passage.opening)


def _read(passage: Passage, rows: Rows) -> None:
    readings = Readings(rows, passage, "junos")
    link: _Link | None = None
    section = part = ""
    for line, raw in passage.numbered():
        text = raw.strip()[:512]
        if found := _PHYSICAL.match(text):
            if link is not None:
                _add(rows, passage, link)
            link = _Link(line, found[1], found[3].lower(), "up" if found[2] == "Enabled" else "down")
            section = ""
        elif text.startswith("Logical interface "):
            section = "logical"
        elif link is None or not text or section == "logical":
            continue
        elif queue := _QUEUE.fullmatch(text):
            section, part = f"queue {queue[1]}", ""
        elif text in ("Queued:", "Transmitted:"):
            part = text[:-1]
        elif heading := _heading(text):
            section = heading
        elif section.startswith("queue "):
            part = _queue_line(readings, line, link.device, section, part, text)
        else:
            _counter_line(readings, line, link.device, section, text)
            _link_line(link, text)
    if link is not None:
        _add(rows, passage, link)


def _heading(text: str) -> str | None:
    if text.startswith("MAC statistics:"):
        return "MAC statistics"
    if text.startswith("MAC Priority Flow Control Statistics"):
        return "PFC"
    if text.startswith("Queue counters:"):
        return "queues"
    if text in _SECTIONS:
        return text[:-1]
    other = text.endswith((":", "statistics", "Seconds", "State:")) or text.startswith(("Queue number:", "Filter stat"))
    return "other" if other and not text.startswith("Input ") else None


def _queue_line(readings: Readings, line: int, port: str, queue: str, part: str, text: str) -> str:
    """One count of a queue; those of loss priorities stand below the total that they are of, which is the new part."""
    found = _LINE.fullmatch(text)
    if found is None:
        return part
    name, side = found[1], part.split(" ")[0]
    within = name in ("Low", "Medium-low", "Medium-high", "High")
    readings.count(line, port, f"{queue} {part if within else side} {name}", found[2])
    return f"{side} {name}" if name.startswith("RED-dropped") else part


def _counter_line(readings: Readings, line: int, port: str, section: str, text: str) -> None:
    if section == "queues" and (row := _QUEUE_ROW.fullmatch(text)):
        for name, value in zip(
            ("Queued packets", "Transmitted packets", "Dropped packets"), row.groups()[1:], strict=True
        ):
            readings.count(line, port, f"queue {row[1]} {name}", value)
    elif section == "PFC" and (priority := _PRIORITY.fullmatch(text)):
        readings.count(line, port, f"Priority {priority[1]} Receive", priority[2])
        readings.count(line, port, f"Priority {priority[1]} Transmit", priority[3])
    elif section == "MAC statistics" and (two := _TWO.fullmatch(text)):
        readings.count(line, port, f"{section} {two[1]} Receive", two[2])
        if two[3] is not None:
            readings.count(line, port, f"{section} {two[1]} Transmit", two[3])
    elif section in ("Input errors", "Output errors"):
        for name, value in _NAMED.findall(text):
            readings.count(line, port, f"{section} {name}", value)
    elif section == "Traffic statistics" and (one := _LINE.fullmatch(text)):
        readings.count(line, port, " ".join(one[1].split()), one[2])
    elif fec := _FEC.fullmatch(text):
        readings.count(line, port, fec[1], fec[2])


def _link_line(link: _Link, text: str) -> None:
    if "MTU: " in text and (mtu := re.search(r"\bMTU: (\d{2,6})\b", text)):
        link.mtu = link.mtu or int(mtu[1])
    if "Speed: " in text and (rate := re.search(r"\bSpeed: (\d+[mMgG]bps)", text)) and link.state == "up":
        link.speed_bps = speed(rate[1])
    if "Auto-negotiation: " in text and (auto := re.search(r"Auto-negotiation: (Enabled|Disabled)", text)):
        link.autoneg = "on" if auto[1] == "Enabled" else "off"
    if text.startswith("Last flapped") and (when := re.search(r": (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) (\w{1,5})\b", text)):
        # Only a zone that means one thing everywhere gives a time.
        link.last_change = clock.rfc3339(f"{when[1]}Z") if when[2] in ("UTC", "GMT") else None


def _add(rows: Rows, passage: Passage, link: _Link) -> None:
    rows.add(
        links.TABLE,
        passage,
        link.line,
        device=link.device,
        state=link.state,
        admin=link.admin,
        mtu=link.mtu,
        speed_bps=link.speed_bps,
        autoneg=link.autoneg,
        last_change=link.last_change,
    )


KIND = Output("show interfaces (Junos)", (counters.TABLE, links.TABLE), _recognise, _read)
