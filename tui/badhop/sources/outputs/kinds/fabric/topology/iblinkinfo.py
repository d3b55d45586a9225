"""`iblinkinfo`, also `-l`: every port of the fabric with state, width, speed and its other end."""

import re
from typing import Any

from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.fabric.topology.node import Node, node, per_lane
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import links

_NODE = re.compile(r"(?:CA|Switch|Router): (?:0x([0-9a-f]{16}) )?(.*):")
_HERE = re.compile(r'\s*(?:0x([0-9a-f]{16})\s+)?(?:"(.*)"\s+)?(\d{1,5})\s+(\d{1,3})\[.{0,4}\]\s*')
_LINK = re.compile(r"\s*(?:(\d{1,2})X\s+([\d.]{1,9}) Gbps\s+)?(\w+)/\s*(\w+)\s*")
_THERE = re.compile(r'\s*(?:0x([0-9a-f]{16})\s+)?(\d{1,5})\s+(\d{1,3})\[.{0,4}\]\s*"(.*)"\s*\((.*)\)\s*')
_FASTER = re.compile(r"Could be ([\d.]{1,9}) Gbps")
_WIDER = re.compile(r"Could be (\d{1,2})X")
_STATES = {"active": "up", "down": "down"}
"""A port that is Init or Armed has light and no traffic: neither up nor down, so its physical state tells."""


def _recognise(passage: Passage) -> bool:
    return any("==(" in text and ")==>" in text for text in passage.opening)


def _read(passage: Passage, rows: Rows) -> None:
    here: tuple[str | None, Node] = (None, Node(None, None))
    for line, text in passage.numbered():
        if "==(" not in text:
            if found := _NODE.fullmatch(text.strip()[:500]):
                here = (found[1], node(found[2]))
            continue
        before, _, rest = text[:1000].partition("==(")
        middle, arrow, after = rest.partition(")==>")
        start, link = _HERE.fullmatch(before), _LINK.fullmatch(middle)
        if not arrow or start is None or link is None:
            rows.problem(line, f"no port of iblinkinfo: {text.strip()[:80]!r}")
            continue
        near = node(start[2]) if start[2] else here[1]
        values: dict[str, Any] = {
            "device": near.port(int(start[4])),
            "guid": start[1] or here[0],
            "lid": _u16(start[3]),
            "state": _STATES.get(link[3].lower()),
            "physical_state": link[4],
            "lanes": int(link[1]) if link[1] else None,
            "speed_bps": _bps(link[1], link[2]),
        }
        if near.host:
            values["host"] = near.host
        if far := _THERE.fullmatch(after):
            values |= _peer(far, link)
        rows.add(links.TABLE, passage, line, **values)


def _peer(found: re.Match[str], link: re.Match[str]) -> dict[str, Any]:
    guid, lid, port, name, remark = found.groups()
    far = node(name)
    wider, faster = _WIDER.search(remark), _FASTER.search(remark)
    expected = _bps(wider[1] if wider else link[1], faster[1] if faster else link[2]) if wider or faster else None
    return {
        "peer_host": far.host,
        "peer_device": far.port(int(port)),
        "peer_guid": guid,
        "peer_lid": _u16(lid),
        "expected_lanes": int(wider[1]) if wider else None,
        "expected_bps": expected,
        "reason": remark.strip() or None,
    }


def _bps(width: str | None, gigabits: str | None) -> int | None:
    if not width or not gigabits:
        return None
    try:
        rate = per_lane(float(gigabits))
    except ValueError:
        return None
    return round(int(width) * rate) if rate else None


def _u16(text: str) -> int | None:
    return int(text) if int(text) < 65535 else None


KIND = Output("iblinkinfo", (links.TABLE,), _recognise, _read)
