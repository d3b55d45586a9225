"""The log of NVIDIA's fabric manager: what it reports of NVSwitches and NVLinks above the level of information."""

import re

from badhop.sources.outputs import clock
from badhop.sources.outputs.kind import Log
from badhop.sources.outputs.kinds.hardware.pcie.address import address
from badhop.sources.outputs.passage import Moment, Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import gpus

_LINE = re.compile(r"\[([A-Z][a-z]{2} \d{1,2} \d{4} \d\d:\d\d:\d\d)\] \[([A-Z]+)\] \[tid \d+\] (.*)", re.DOTALL)
_SXID = re.compile(r"NVSwitch (?:non-fatal|fatal) error (\d{1,6})")
_BUS = re.compile(r"pci bus id ([0-9a-fA-F:]{10,16}\.\d)")
_PORT = re.compile(r"\bport (\d{1,3})\b")


def _read(passage: Passage, rows: Rows) -> bool:
    told = False
    for line, text in passage.numbered():
        if "] [tid " not in text or not (found := _LINE.match(text)):
            continue
        told = True
        if found[2] in ("INFO", "DEBUG"):
            continue
        message = found[3]
        ts = clock.date_line(found[1])
        sxid, bus, port = _SXID.search(message), _BUS.search(message), _PORT.search(message)
        rows.add(
            gpus.TABLE,
            passage,
            line,
            at=Moment(ts, "line") if ts is not None else None,
            part="event",
            device=address(bus[1]) if bus else None,
            link=int(port[1]) if port and int(port[1]) < 256 else None,
            number=int(sxid[1]) if sxid else None,
            level=found[2].lower(),
            text=message.strip(),
        )
    return told


KIND = Log("fabric manager", (gpus.TABLE,), ("] [tid ",), _read)
