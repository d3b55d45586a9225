"""`rdma link` and `rdma dev` of iproute2, as text of every version and as JSON."""

import re
from typing import Any

from badhop.sources.outputs import json_text
from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.fabric.devices import spoken
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import rdma_devices

_LINK = re.compile(r"\s*(?:link|\d{1,6}/\d{1,3}:) ([\w.-]+)/(\d{1,3}|-):? (.*)")
_DEVICE = re.compile(r"\s*\d{1,6}: ([\w.-]+): (node_type .*)")


def _is_link(passage: Passage) -> bool:
    return any(_LINK.match(text) and " state " in text and " physical_state " in text for text in passage.opening)


def _read_link(passage: Passage, rows: Rows) -> None:
    for line, text in passage.numbered():
        found = _LINK.match(text)
        if found is None:
            if text.strip():
                rows.problem(line, f"no link of rdma: {text.strip()[:80]!r}")
            continue
        said = _pairs(found[3])
        _add(passage, rows, line, found[1], found[2], said)


def _pairs(text: str) -> dict[str, Any]:
    words = text.split()[:64]
    return dict(zip(words[::2], words[1::2], strict=False))


def _is_json(passage: Passage) -> bool:
    start = passage.text.lstrip()[:400]
    return start.startswith("[") and '"ifname"' in start and '"physical_state"' in start


def _read_json(passage: Passage, rows: Rows) -> None:
    for link in json_text.objects(json_text.parsed(passage, rows, "rdma link")):
        name = link.get("ifname")
        _add(passage, rows, passage.lines.first, str(name) if name else None, str(link.get("port", "")), dict(link))


def _add(passage: Passage, rows: Rows, line: int, device: str | None, port: str, said: dict[str, Any]) -> None:
    has_netdev = isinstance(said.get("netdev"), str)
    rows.add(
        rdma_devices.TABLE,
        passage,
        line,
        part="port",
        device=device,
        port=int(port) if port.isdecimal() and len(port) < 3 else None,
        state=spoken.state(str(said.get("state", ""))),
        physical_state=spoken.physical_state(str(said.get("physical_state", ""))),
        netdev=said["netdev"] if has_netdev else None,
        lid=spoken.lid(str(said.get("lid", ""))),
        sm_lid=spoken.lid(str(said.get("sm_lid", ""))),
        link_layer="InfiniBand" if "subnet_prefix" in said else "Ethernet" if has_netdev else None,
    )


def _is_device(passage: Passage) -> bool:
    return any(_DEVICE.match(text) for text in passage.opening)


def _read_device(passage: Passage, rows: Rows) -> None:
    for line, text in passage.numbered():
        if found := _DEVICE.match(text):
            said = _pairs(found[2])
            rows.add(
                rdma_devices.TABLE,
                passage,
                line,
                part="device",
                device=found[1],
                firmware=said.get("fw"),
                guid=spoken.guid(said.get("node_guid", "")),
            )


LINK = Output("rdma link", (rdma_devices.TABLE,), _is_link, _read_link)
JSON = Output("rdma -j link", (rdma_devices.TABLE,), _is_json, _read_json)
DEVICE = Output("rdma dev", (rdma_devices.TABLE,), _is_device, _read_device)
