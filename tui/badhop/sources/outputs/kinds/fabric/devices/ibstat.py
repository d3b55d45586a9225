"""`ibstat` and `ibstatus`: state, rate and LIDs of the RDMA ports of a host."""

import re
from typing import Any

from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.fabric.devices import spoken
from badhop.sources.outputs.labelled import labelled, leading, told
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import rdma_devices

_CA = re.compile(r"\s*CA '([\w.-]+)'\s*$")
_PORT = re.compile(r"Port (\d{1,3})")
_DEVICE = re.compile(r"\s*Infiniband device '([\w.-]+)' port (\d{1,3}) status:\s*$")
_RATE = re.compile(r"([\d.]{1,8}) Gb/sec \((\d{1,2})X")


def _is_ibstat(passage: Passage) -> bool:
    opening = passage.opening
    return any(_CA.match(text) for text in opening) and any(text.startswith("CA type:") for text in opening)


def _read_ibstat(passage: Passage, rows: Rows) -> None:
    device: dict[str, Any] = {}
    port: dict[str, str] = {}
    line, head = passage.lines.first, passage.lines.first
    for number, text in passage.numbered():
        label, _, value = text.strip().partition(":")
        if found := _CA.match(text):
            _port(passage, rows, line, device, port)
            device, port, head = {"device": found[1]}, {}, number
        elif not device:
            continue
        elif found := _PORT.fullmatch(label):
            _port(passage, rows, line, device, port)
            port, line = {"port": found[1]}, number
        elif port:
            port[label] = value.strip()
        elif label == "CA type":
            device["type"] = told(value)
        elif label == "Firmware version":
            device["firmware"] = told(value)
        elif label == "Node GUID":
            device["guid"] = spoken.guid(value)
        elif label == "Number of ports" and value.strip() == "0":
            rows.add(rdma_devices.TABLE, passage, head, part="device", **device)
    _port(passage, rows, line, device, port)


def _port(passage: Passage, rows: Rows, line: int, device: dict[str, Any], port: dict[str, str]) -> None:
    if not port:
        return
    ethernet = port.get("Link layer") == "Ethernet"
    rate = leading(port.get("Rate", ""))
    rows.add(
        rdma_devices.TABLE,
        passage,
        line,
        part="port",
        port=_small(port["port"]),
        state=spoken.state(port.get("State", "")),
        physical_state=spoken.physical_state(port.get("Physical state", "")),
        rate_bps=_bps(rate),
        link_layer=told(port.get("Link layer", "")),
        lid=None if ethernet else spoken.lid(port.get("Base lid", "")),
        sm_lid=None if ethernet else spoken.lid(port.get("SM lid", "")),
        port_guid=spoken.guid(port.get("Port GUID", "")),
        **device,
    )


def _is_ibstatus(passage: Passage) -> bool:
    return any(_DEVICE.match(text) for text in passage.opening)


def _read_ibstatus(passage: Passage, rows: Rows) -> None:
    port: tuple[int, str, str] | None = None
    said: dict[str, str] = {}
    for entry in labelled(passage):
        if found := _DEVICE.match(f"{entry.label}:{entry.value}"):
            _status(passage, rows, port, said)
            port, said = (entry.line, found[1], found[2]), {}
        elif len(said) < _MOST:
            said[entry.label] = entry.value
    _status(passage, rows, port, said)


_MOST = 32
"""Lines that a port has: eight."""


def _status(passage: Passage, rows: Rows, port: tuple[int, str, str] | None, said: dict[str, str]) -> None:
    if port is None:
        return
    ethernet = said.get("link_layer") == "Ethernet"
    rate = _RATE.match(said.get("rate", ""))
    gid = told(said.get("default gid", ""))
    rows.add(
        rdma_devices.TABLE,
        passage,
        port[0],
        part="port",
        device=port[1],
        port=_small(port[2]),
        state=spoken.state(said.get("state", "")),
        physical_state=spoken.physical_state(said.get("phys state", "")),
        rate_bps=_bps(leading(rate[1])) if rate else None,
        lanes=int(rate[2]) if rate else None,
        link_layer=told(said.get("link_layer", "")),
        lid=None if ethernet else spoken.lid(said.get("base lid", "")),
        sm_lid=None if ethernet else spoken.lid(said.get("sm lid", "")),
        gid=gid,
    )


def _small(text: str) -> int | None:
    return int(text) if int(text) < 256 else None


def _bps(gigabits: float | None) -> int | None:
    return round(gigabits * 1e9) if gigabits is not None and 0 < gigabits < 1e6 else None


IBSTAT = Output("ibstat", (rdma_devices.TABLE,), _is_ibstat, _read_ibstat, re.compile(r"\s*CA '[\w.-]+'\s*$"))
IBSTATUS = Output(
    "ibstatus",
    (rdma_devices.TABLE,),
    _is_ibstatus,
    _read_ibstatus,
    re.compile(r"\s*Infiniband device '[\w.-]+' port \d{1,3} status:\s*$"),
)
