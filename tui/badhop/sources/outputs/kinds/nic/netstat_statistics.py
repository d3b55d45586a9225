"""`netstat -s` of Linux: the counters of all sockets as sentences, under the protocol that they are of."""

import re

from badhop.sources.outputs.counting import count
from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import counters

_PROTOCOL = re.compile(r"(Ip|Icmp|IcmpMsg|Tcp|Udp|UdpLite|TcpExt|IpExt|MPTcpExt):\s*")
_NAMED = re.compile(r"\s+([A-Za-z][A-Za-z0-9 ]{0,80}): (-?\d{1,20})\s*")
_FIRST = re.compile(r"\s+(\d{1,20}) (\S.{0,200}?)\.?\s*")
_INSIDE = re.compile(r"\s+(\D{1,120}) (\d{1,20}) times\s*")
_GROUP = re.compile(r"\s+ICMP (input|output) histogram:\s*")


def _recognise(passage: Passage) -> bool:
    opening = passage.opening
    headed = sum(_PROTOCOL.fullmatch(text) is not None for text in opening)
    counted = [text for text in passage.lines.texts[:40] if _FIRST.fullmatch(text)]
    return headed > 0 and len(counted) > 2


def _read(passage: Passage, rows: Rows) -> None:
    protocol, group, sample = None, "", 1
    for line, text in passage.numbered():
        if len(text) > _LONGEST:
            rows.problem(line, "a line longer than any sentence of netstat")
        elif found := _PROTOCOL.fullmatch(text):
            protocol, group = found[1], ""
            sample = rows.sample("netstat -s", passage.host, protocol)
        elif found := _GROUP.fullmatch(text):
            group = f"{found[1]}: "
        elif protocol and (counted := _counted(text, protocol, group)):
            count(rows, passage, line, *counted, dialect="linux", sample=sample)
        elif text.strip():
            rows.problem(line, f"no sentence with a number: {text.strip()[:80]!r}")


def _counted(text: str, protocol: str, group: str) -> tuple[str, str] | None:
    """Name and value: a counter without a sentence is printed under its own name, as nstat has it."""
    if named := _NAMED.fullmatch(text):
        own = " " not in named[1] and protocol in ("IcmpMsg", "TcpExt", "IpExt", "MPTcpExt")
        return (protocol + named[1] if own else f"{protocol}: {group}{named[1]}"), named[2]
    if first := _FIRST.fullmatch(text):
        return f"{protocol}: {first[2]}", first[1]
    if inside := _INSIDE.fullmatch(text):
        return f"{protocol}: {inside[1]}", inside[2]
    return None


_LONGEST = 400
"""Characters of a line; sentences are far shorter."""

KIND = Output("netstat -s", (counters.TABLE,), _recognise, _read)
