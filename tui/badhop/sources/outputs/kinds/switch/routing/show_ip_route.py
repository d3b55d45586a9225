"""`show ip route` of EOS, NX-OS, SONiC (FRR) and Junos: one row for each next hop."""

import re
from dataclasses import dataclass

from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.switch.routing import prefixes
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import routes

_CODED = re.compile(
    r"([A-Z][A-Za-z0-9]?(?: [A-Z][A-Z0-9]?)?)([>*+%q ]*)\s+([0-9a-f.:]+/\d{1,3})\s+(?:\[\d+/\d+\] )?"
    r"(?:via ([0-9a-f.:]+)(?:, ([\w./-]+))?|is directly connected, ([\w./-]+))(.*)"
)
"""EOS and FRR: `B E 10.0.1.0/24 [200/0] via 10.0.0.1, Ethernet1`, `B>* 10.0.1.0/24 [20/0] via …, Ethernet0`."""

_MORE = re.compile(r"[*>q ]*(?:\[\d+/\d+\] )?via ([0-9a-f.:]+), ([\w./-]+)(.*)")
_NXOS = re.compile(r"([0-9a-f.:]+/\d{1,3}), ubest/mbest: \d+/\d+.*")
_NXOS_HOP = re.compile(r"\*{0,2}via ([0-9a-f.:]+)(?:%[\w-]+)?(?:, ([\w./-]+))?, \[\d+/(\d+)\], [^,]+, ([\w-]+).*")
_JUNOS = re.compile(r"([0-9a-f.:]+/\d{1,3})\s+\*?\[([\w-]+)/\d+.*")
_JUNOS_HOP = re.compile(r">? *to ([0-9a-f.:]+) via ([\w./:-]+).*|> *via ([\w./:-]+).*")
_WEIGHT = re.compile(r"\bweight (\d{1,9})")
_VRF = re.compile(r"(?:IP|IPv6) Route Table for VRF \"(\S+)\"|VRF(?: name)?: (\S+?):?|VRF (\S+):")

_PROTOCOLS = {
    "K": "kernel",
    "C": "connected",
    "L": "local",
    "S": "static",
    "R": "rip",
    "O": "ospf",
    "I": "isis",
    "B": "bgp",
    "E": "eigrp",
    "A": "aggregate",
}


@dataclass
class _Above:
    """What an entry says that its further next hops do not repeat."""

    destination: str
    protocol: str | None


def _recognise(passage: Passage) -> bool:
    texts = passage.lines.texts[:64]
    if any(text.lstrip().startswith(("IP Route Table for VRF", "IPv6 Route Table for VRF")) for text in texts):
        return True
    if any("ubest/mbest:" in text and _NXOS.fullmatch(text.strip()) for text in texts):
        return True
    if any(text.startswith(("inet.0:", "inet6.0:")) for text in passage.opening):
        return True
    coded = any("/" in text and _CODED.fullmatch(text.strip()[:512]) for text in texts)
    return coded and any(text.startswith(("Codes:", "VRF", "Gateway of last resort")) for text in passage.opening)


def _read(passage: Passage, rows: Rows) -> None:
    above: _Above | None = None
    table: str | None = None
    for line, raw in passage.numbered():
        text = raw.strip()[:512]
        if not text:
            continue
        if text.startswith(("IP", "VRF")) and (vrf := _VRF.fullmatch(text)):
            name = next(group for group in vrf.groups() if group)
            table = None if name == "default" else name
        elif "/" in text and (coded := _CODED.fullmatch(text)):
            above = _Above(coded[3], _PROTOCOLS.get(coded[1][0]))
            _add(rows, passage, line, above, table, coded[4], coded[5] or coded[6], rest=coded[7])
        elif nxos := _NXOS.fullmatch(text):
            above = _Above(nxos[1], None)
        elif above is None and not _JUNOS.fullmatch(text):
            continue
        elif above is not None and (hop := _NXOS_HOP.fullmatch(text)):
            above.protocol = hop[4].split("-")[0]
            direct = above.protocol in ("direct", "local")
            _add(rows, passage, line, above, table, None if direct else hop[1], hop[2], metric=hop[3])
        elif above is not None and (more := _MORE.fullmatch(text)):
            _add(rows, passage, line, above, table, more[1], more[2], rest=more[3])
        elif junos := _JUNOS.fullmatch(text):
            above = _Above(junos[1], junos[2].lower())
        elif above is not None and (hop := _JUNOS_HOP.fullmatch(text)):
            _add(rows, passage, line, above, table, hop[1], hop[2] or hop[3])


def _add(
    rows: Rows,
    passage: Passage,
    line: int,
    above: _Above,
    table: str | None,
    gateway: str | None,
    device: str | None,
    *,
    metric: str | None = None,
    rest: str = "",
) -> None:
    weight = _WEIGHT.search(rest)
    prefixes.add(
        rows,
        passage,
        line,
        device=device,
        destination=prefixes.prefix(above.destination),
        gateway=gateway,
        kind="unicast",
        protocol=above.protocol,
        metric=prefixes.whole(metric),
        routing_table=table,
        weight=int(weight[1]) if weight else None,
    )


KIND = Output("show ip route", (routes.TABLE,), _recognise, _read)
