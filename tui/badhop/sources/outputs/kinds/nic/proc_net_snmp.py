"""/proc/net/snmp and /proc/net/netstat: a line of names and a line of values for each protocol; names as nstat's."""

import re

from badhop.sources.outputs.counting import count
from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import counters

_PROTOCOL = re.compile(r"(Ip|Icmp|IcmpMsg|Tcp|Udp|UdpLite|TcpExt|IpExt|MPTcpExt): ")


def _recognise(passage: Passage) -> bool:
    opening = passage.opening
    if len(opening) < 2:
        return False
    names, values = _PROTOCOL.match(opening[0]), _PROTOCOL.match(opening[1])
    if names is None or values is None or names[1] != values[1]:
        return False
    return opening[0][names.end()].isalpha() and not opening[1][values.end()].isalpha()


def _read(passage: Passage, rows: Rows) -> None:
    heads: dict[str, list[str]] = {}
    for line, text in passage.numbered():
        found = _PROTOCOL.match(text)
        if found is None:
            if text.strip():
                rows.problem(line, f"no protocol: {text.strip()[:80]!r}")
            continue
        words = text[found.end() :].split()
        names = heads.pop(found[1], None)
        if names is None:
            heads[found[1]] = words
        elif len(names) != len(words):
            rows.problem(line, f"{found[1]}: {len(names)} names but {len(words)} values")
        else:
            sample = rows.sample("/proc/net/snmp", passage.host, found[1])
            for name, value in zip(names, words, strict=True):
                count(rows, passage, line, found[1] + name, value, dialect="linux", sample=sample)


KIND = Output("/proc/net/snmp", (counters.TABLE,), _recognise, _read)
