"""`netstat -i` of Linux and, with bytes or without, of BSD and macOS."""

import re

from badhop.sources.outputs.counting import count
from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import counters

_LINUX = re.compile(r"Iface\s+MTU\s+(?:Met\s+)?RX-OK\s")
_BSD = re.compile(r"Name\s+Mtu\s+Network\s+Address\s+Ipkts\s")
_COUNTS = re.compile(r"[RT]X-(?:OK|ERR|DRP|OVR)|[IO](?:pkts|errs|drop|bytes)|Coll")


def _recognise(passage: Passage) -> bool:
    return any(_LINUX.match(text) or _BSD.match(text) for text in passage.opening[:2])


def _read(passage: Passage, rows: Rows) -> None:
    names: list[str] = []
    dialect = "linux"
    for line, text in passage.numbered():
        stripped = text.strip()
        if _LINUX.match(stripped) or _BSD.match(stripped):
            names = stripped.split()
            dialect = "linux" if names[0] == "Iface" else "bsd"
        elif names and stripped and stripped != "Kernel Interface table":
            values = stripped.split()
            if dialect == "bsd" and "<Link#" not in stripped:
                continue  # of one address: the link has them all
            # BSD leaves the address out where there is none; the counts end the line in both.
            width = sum(map(bool, map(_COUNTS.fullmatch, names))) + (names[-1] == "Flg")
            if len(values) not in (len(names), len(names) - (dialect == "bsd")):
                rows.problem(line, f"{len(names)} columns but {len(values)} values: {stripped[:80]!r}")
                continue
            sample = rows.sample("netstat -i", passage.host, values[0])
            for name, value in zip(names[-width:], values[-width:], strict=True):
                if name != "Flg":
                    count(rows, passage, line, name, value, dialect=dialect, device=values[0], sample=sample)


KIND = Output("netstat -i", (counters.TABLE,), _recognise, _read)
