"""`ifconfig` of Linux, old and new: what the kernel counted at each interface. Those of BSD and macOS count nothing."""

import re

from badhop.sources.outputs.counting import count
from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import counters

_INTERFACE = re.compile(r"\s*([\w.-]{1,64}(?::\d+)?)(?::\s+flags=|\s+Link encap:)")
_COUNTED = re.compile(
    r"\b(?:(RX|TX) )?(packets|bytes|errors|dropped|overruns|frame|carrier|collisions)[: ](\d{1,20})\b"
)


def _recognise(passage: Passage) -> bool:
    return any(map(_INTERFACE.match, passage.opening)) and "RX packets" in passage.text


def _read(passage: Passage, rows: Rows) -> None:
    device, sample = None, 1
    for line, text in passage.numbered():
        if interface := _INTERFACE.match(text):
            device = interface[1]
            sample = rows.sample("ifconfig", passage.host, device)
        elif "RX " in text or "TX " in text or "collisions:" in text:
            direction = "TX"
            for counted in _COUNTED.finditer(text):
                direction = counted[1] or direction
                name = f"{direction} {counted[2]}"
                count(rows, passage, line, name, counted[3], dialect="linux", device=device, sample=sample)


KIND = Output("ifconfig", (counters.TABLE,), _recognise, _read)
