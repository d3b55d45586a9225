"""`route`, `netstat -r` and /proc/net/route of Linux: the kernel's routes as a table, IPv4 and IPv6."""

import ipaddress
import re

from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.switch.routing import prefixes
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import routes

_FOUR = ("Destination", "Gateway", "Genmask", "Flags")
_SIX = re.compile(r"Destination +Next Hop +Flags? +Met(?:ric)? +Ref +Use +If(?:ace)?")
_PROC = ("Iface", "Destination", "Gateway", "Flags")


def _is_four(text: str) -> bool:
    words = text.split()
    return tuple(words[:4]) == _FOUR and "Iface" in words


def _recognise(passage: Passage) -> bool:
    return any(text.startswith("Destination") and (_is_four(text) or _SIX.match(text)) for text in passage.opening)


def _read(passage: Passage, rows: Rows) -> None:
    heading: list[str] = []
    for line, raw in passage.numbered():
        text = raw.strip()
        words = text.split()
        if _is_four(text):
            heading = words
        elif _SIX.match(text):
            heading = ["Destination", "Gateway", "Flags", "Metric", "Ref", "Use", "Iface"]
        elif heading and words and not text.startswith("Kernel "):
            if len(words) == len(heading):
                _add(rows, passage, line, dict(zip(heading, words, strict=True)))
            else:
                rows.problem(line, "does not fit the columns of the routing table", "not read")


def _add(rows: Rows, passage: Passage, line: int, cells: dict[str, str]) -> None:
    destination, gateway, flags = cells["Destination"], cells["Gateway"], cells["Flags"]
    direct = gateway.strip("[]") in ("0.0.0.0", "*", "::", "-")
    mask = cells.get("Genmask")
    if destination == "default":
        destination = "0.0.0.0/0" if mask else prefixes.default(None if direct else gateway)
    prefixes.add(
        rows,
        passage,
        line,
        device=cells["Iface"],
        destination=prefixes.prefix(destination, mask if "/" not in destination else None),
        gateway=None if direct else gateway.strip("[]"),
        kind="unreachable" if "!" in flags else "unicast",
        metric=prefixes.whole(cells.get("Metric")),
        flags=flags,
    )


KIND = Output("route, netstat -r", (routes.TABLE,), _recognise, _read)


def _recognise_proc(passage: Passage) -> bool:
    return any(tuple(text.split()[:4]) == _PROC for text in passage.opening)


def _read_proc(passage: Passage, rows: Rows) -> None:
    started = False
    for line, text in passage.numbered():
        words = text.split()
        if tuple(words[:4]) == _PROC:
            started = True
        elif started and words:
            if len(words) != 11 or not all(re.fullmatch(r"[0-9A-Fa-f]{8}", words[at]) for at in (1, 2, 7)):
                rows.problem(line, "no route of /proc/net/route", "not read")
                continue
            flags = int(words[3], 16) if re.fullmatch(r"[0-9A-Fa-f]{4}", words[3]) else 0
            prefixes.add(
                rows,
                passage,
                line,
                device=words[0],
                destination=prefixes.prefix(_address(words[1]), _address(words[7])),
                gateway=_address(words[2]) if flags & _GATEWAY else None,
                kind="unreachable" if flags & _REJECT else "unicast",
                metric=prefixes.whole(words[6]),
                mtu=prefixes.whole(words[8]) or None,
            )


_GATEWAY = 0x2
_REJECT = 0x200
"""RTF_GATEWAY and RTF_REJECT (linux/route.h)."""


def _address(text: str) -> str:
    """The kernel prints the four bytes as a number of the machine, on all that badhop knows with the least first."""
    return str(ipaddress.IPv4Address(int.from_bytes(bytes.fromhex(text), "little")))


PROC = Output("/proc/net/route", (routes.TABLE,), _recognise_proc, _read_proc)
