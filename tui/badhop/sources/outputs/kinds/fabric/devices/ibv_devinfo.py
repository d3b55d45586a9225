"""`ibv_devinfo`, also `-v`: devices with firmware, ports with MTU and state, and the GID table with its types."""

import re
from typing import Any

from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.fabric.devices import spoken
from badhop.sources.outputs.labelled import labelled, leading, leading_whole, told
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import rdma_devices

_BEGINS = re.compile(r"\s*hca_id:\s*[\w.-]+\s*$")
_GID = re.compile(r"GID\[ {0,4}(\d{1,5})\]")
_TYPES = {"RoCE v1": "RoCEv1", "RoCE v2": "RoCEv2", "IB/RoCE v1": "RoCEv1", "IB": "IB"}
_LANES = re.compile(r"(\d{1,2})X")


def _recognise(passage: Passage) -> bool:
    return any(_BEGINS.match(text) for text in passage.opening)


def _read(passage: Passage, rows: Rows) -> None:
    device: dict[str, Any] = {}
    port: tuple[int, int | None] | None = None
    said: dict[str, str] = {}
    for entry in labelled(passage):
        label, value = entry.label, entry.value
        if label == "hca_id":
            _port(passage, rows, device, port, said)
            device, port, said = {"device": value or None}, None, {}
        elif label == "port" and device:
            _port(passage, rows, device, port, said)
            port, said = (entry.line, leading_whole(value, 255)), {}
        elif label.startswith("GID[") and ":" in value and port:
            _gid(passage, rows, entry.line, device, port[1], f"{label}:{value}")
        elif port and len(said) < 64:
            said[label] = value
        elif label == "fw_ver":
            device["firmware"] = told(value)
        elif label == "board_id":
            device["board"] = told(value)
        elif label == "node_guid":
            device["guid"] = spoken.guid(value)
        elif label == "vendor_part_id":
            device["type"] = told(value)
    _port(passage, rows, device, port, said)


def _port(
    passage: Passage, rows: Rows, device: dict[str, Any], port: tuple[int, int | None] | None, said: dict[str, str]
) -> None:
    if port is None:
        return
    ethernet = said.get("link_layer") == "Ethernet"
    lanes = _LANES.match(said.get("active_width", ""))
    speed = leading(said.get("active_speed", ""))
    rate = int(lanes[1]) * speed * 1e9 if lanes and speed and 0 < speed < 1e4 else None
    rows.add(
        rdma_devices.TABLE,
        passage,
        port[0],
        part="port",
        port=port[1],
        state=spoken.state(said.get("state", "")),
        physical_state=spoken.physical_state(said.get("phys_state", "")),
        rate_bps=round(rate) if rate else None,
        lanes=int(lanes[1]) if lanes else None,
        link_layer=told(said.get("link_layer", "")),
        lid=None if ethernet else spoken.lid(said.get("port_lid", "")),
        sm_lid=None if ethernet else spoken.lid(said.get("sm_lid", "")),
        active_mtu=leading_whole(said.get("active_mtu", ""), 65536),
        max_mtu=leading_whole(said.get("max_mtu", ""), 65536),
        **device,
    )


def _gid(passage: Passage, rows: Rows, line: int, device: dict[str, Any], port: int | None, text: str) -> None:
    found = _GID.match(text)
    if found is None:
        rows.problem(line, f"no GID: {text[:80]!r}")
        return
    gid, _, kind = text[found.end() :].removeprefix(":").strip().partition(",")
    if not gid:
        return
    rows.add(
        rdma_devices.TABLE,
        passage,
        line,
        part="gid",
        device=device.get("device"),
        port=port,
        gid_index=min(int(found[1]), 65535),
        gid=gid.strip(),
        gid_type=_TYPES.get(kind.strip()),
        gid_ip=spoken.ipv4_of(gid.strip()),
    )


KIND = Output("ibv_devinfo", (rdma_devices.TABLE,), _recognise, _read, _BEGINS)
