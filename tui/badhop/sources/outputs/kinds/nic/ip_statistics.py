"""`ip -s link` as text and JSON: what the kernel counted at each interface."""

import re
from collections.abc import Iterator
from typing import Any

from badhop.sources.outputs import json_text
from badhop.sources.outputs.counting import count
from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import counters

_INTERFACE = re.compile(r"\s*\d+: ([^\s:@]{1,64})(?:@[^\s:]{1,64})?: <")
_VF = re.compile(r"\s+vf (\d{1,4}) ")
_HEAD = re.compile(r"\s*(RX|TX)(?: errors)?:\s+([a-z][a-z ]*)")


def _recognise(passage: Passage) -> bool:
    opening = passage.opening
    if not opening:
        return False
    if opening[0][0] in "[{":
        return '"ifname"' in passage.text and ('"stats64"' in passage.text or '"stats"' in passage.text)
    return any(map(_INTERFACE.match, opening)) and "RX: " in passage.text and "TX: " in passage.text


def _read(passage: Passage, rows: Rows) -> None:
    found = _of_json(passage, rows) if passage.opening and passage.opening[0][0] in "[{" else _of_text(passage, rows)
    samples: dict[str | None, int] = {}
    for line, device, name, value in found:
        if device not in samples:
            samples[device] = rows.sample("ip -s link", passage.host, device)
        count(rows, passage, line, name, value, dialect="linux", device=device, sample=samples[device])


def _of_text(passage: Passage, rows: Rows) -> Iterator[tuple[int, str | None, str, str]]:
    device: str | None = None
    direction = vf = ""
    names: list[str] = []
    for line, text in passage.numbered():
        if interface := _INTERFACE.match(text):
            device, vf, names = interface[1], "", []
        elif function := _VF.match(text):
            vf, names = f"vf {function[1]}", []
        elif head := _HEAD.fullmatch(text.rstrip()):
            direction, names = head[1], head[2].split()
        elif names:
            values = text.split()
            if len(values) == len(names):
                for name, value in zip(names, values, strict=True):
                    if vf:
                        yield line, f"{device} {vf}", f"VF {direction} {name}", value
                    else:
                        yield line, device, f"{direction} {name}", value
            else:
                rows.problem(line, f"{len(names)} columns but {len(values)} values: {text.strip()[:80]!r}")
            names = []


def _of_json(passage: Passage, rows: Rows) -> Iterator[tuple[int, str | None, str, str]]:
    line = passage.lines.first
    found = json_text.parsed(passage, rows, "ip -s link")
    for interface in found if isinstance(found, list) else [found]:
        statistics = interface.get("stats64") or interface.get("stats") if isinstance(interface, dict) else None
        if isinstance(statistics, dict):
            for direction in ("rx", "tx"):
                for name, value in _numbers(statistics.get(direction)):
                    yield line, str(interface.get("ifname")), f"{direction.upper()} {name}", value


def _numbers(found: Any) -> Iterator[tuple[str, str]]:
    for name, value in found.items() if isinstance(found, dict) else ():
        if isinstance(value, int) and not isinstance(value, bool):
            yield name, str(value)


KIND = Output("ip -s link", (counters.TABLE,), _recognise, _read)
