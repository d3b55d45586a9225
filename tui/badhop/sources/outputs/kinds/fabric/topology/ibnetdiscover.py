"""`ibnetdiscover`, as a topology file and as a list of ports (`-p`): which port is cabled to which, and how fast."""

import re
from typing import Any

from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.fabric.topology.node import PER_LANE, node
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import links

_NODE = re.compile(r'(?:Switch|Ca|Rt)\s+\d+ "[SHR]-([0-9a-f]{16})"\s+# "(.*)"(.*)')
_PORT = re.compile(
    r'\[(\d{1,3})\](?:\[ext \d+\])?(?:\([0-9a-f]{1,16}\))?\s*"[SHR]-([0-9a-f]{16})"\[(\d{1,3})\](?:\[ext \d+\])?'
    r'(?:\([0-9a-f]{1,16}\))?\s*#\s*(?:lid (\d{1,5}) lmc \d+ )?"(.*)" lid (\d{1,5}) (\d{1,2})x(\w{3,5})'
)
_LID = re.compile(r"lid (\d{1,5})")
_LISTED = re.compile(r"(CA|SW|RT)\s+(\d{1,5})\s+(\d{1,3}) 0x([0-9a-f]{16}) (\d{1,2})x (\S{3,5})(.*)")
_PEER = re.compile(
    r"\s*- (?:CA|SW|RT)\s+(\d{1,5})\s+(\d{1,3}) 0x([0-9a-f]{16}) \( '(.*)' - '(.*)' \)\s*",
)


def _is_topology(passage: Passage) -> bool:
    return any(text.startswith("# Topology file: generated on") for text in passage.opening) or any(
        _NODE.match(text) for text in passage.opening
    )


def _read_topology(passage: Passage, rows: Rows) -> None:
    here: tuple[str, str, int | None] | None = None
    for line, text in passage.numbered():
        if text.startswith("["):
            if found := _PORT.match(text):
                if here:
                    _cable(passage, rows, line, here, found)
            else:
                rows.problem(line, f"no port of ibnetdiscover: {text[:80]!r}")
        elif found := _NODE.match(text):
            lid = _LID.search(found[3])
            here = (found[1], found[2], _u16(lid[1]) if lid else None)


def _cable(passage: Passage, rows: Rows, line: int, here: tuple[str, str, int | None], found: re.Match[str]) -> None:
    guid, description, lid = here
    port, peer_guid, peer_port, own_lid, peer_description, peer_lid, width, speed = found.groups()
    near, far = node(description), node(peer_description)
    per_lane = PER_LANE.get(speed)
    if per_lane is None:
        rows.problem(line, f"a speed that is not known: {speed}", "its row has no speed")
    rows.add(
        links.TABLE,
        passage,
        line,
        device=near.port(int(port)),
        state="up",
        lanes=int(width),
        speed_bps=_bps(width, per_lane),
        guid=guid,
        lid=_u16(own_lid) if own_lid else lid,
        peer_host=far.host,
        peer_device=far.port(int(peer_port)),
        peer_guid=peer_guid,
        peer_lid=_u16(peer_lid),
        **_host(near.host),
    )


def _is_list(passage: Passage) -> bool:
    return any(_LISTED.match(text) for text in passage.opening)


def _read_list(passage: Passage, rows: Rows) -> None:
    for line, text in passage.numbered():
        found = _LISTED.match(text.strip()[:1000])
        if found is None:
            if text.strip():
                rows.problem(line, f"no port of ibnetdiscover -p: {text.strip()[:80]!r}")
            continue
        _, lid, port, guid, width, speed, rest = found.groups()
        peer = _PEER.fullmatch(rest)
        near = node(peer[4] if peer else rest)
        values: dict[str, Any] = {"device": near.port(int(port)), "guid": guid, "lid": _u16(lid), **_host(near.host)}
        if peer is None:
            values["reason"] = "no port at the other end"
        else:
            far = node(peer[5])
            values |= {
                "state": "up",
                "lanes": int(width),
                "speed_bps": _bps(width, PER_LANE.get(speed)),
                "peer_host": far.host,
                "peer_device": far.port(int(peer[2])),
                "peer_guid": peer[3],
                "peer_lid": _u16(peer[1]),
            }
        rows.add(links.TABLE, passage, line, **values)


def _bps(width: str, per_lane: float | None) -> int | None:
    return round(int(width) * per_lane) if per_lane else None


def _host(name: str | None) -> dict[str, Any]:
    return {"host": name} if name else {}


def _u16(text: str) -> int | None:
    return int(text) if int(text) < 65535 else None


TOPOLOGY = Output("ibnetdiscover", (links.TABLE,), _is_topology, _read_topology)
LIST = Output("ibnetdiscover -p", (links.TABLE,), _is_list, _read_list)
