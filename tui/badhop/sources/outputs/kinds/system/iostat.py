"""`iostat`: rates, latencies and queues of disks, as text (plain and -x, kB or MB) and as JSON."""

import re
from collections.abc import Mapping
from typing import Any

from badhop.sources.outputs import json_text
from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.sources.outputs.transcript import words
from badhop.tables import storage

_HEAD = re.compile(r"Linux \S+ \(([^)]*)\)\s+\S+\s+_\w+_\s+\(\d+ CPU\)")
_SIZES = (("kB", 1024.0), ("MB", 1024.0**2), ("Blk", 512.0))
"""Bytes: sysstat counts in powers of two under these names (common.h)."""


def _is_text(passage: Passage) -> bool:
    return any(_HEAD.match(text) for text in passage.opening[:1]) and any(
        text.startswith("Device") for text in passage.lines.texts[:200]
    )


def _read_text(passage: Passage, rows: Rows) -> None:
    names: list[str] = []
    sample = 0
    host = None
    for line, text in passage.numbered():
        cells = text.split()
        if found := _HEAD.match(text):
            host, sample = found[1], 0
        elif cells and cells[0] in ("Device", "Device:"):
            names, sample = cells[1:], sample + 1
        elif not cells or cells[0].startswith("avg-cpu"):
            names = []
        elif names:
            if len(cells) != len(names) + 1:
                rows.problem(line, f"a row of iostat with {len(cells)} columns under {len(names) + 1}")
                continue
            _disk(passage, rows, line, cells[0], dict(zip(names, cells[1:], strict=True)), sample, host)


def _is_json(passage: Passage) -> bool:
    return json_text.begins_object(passage, "sysstat")


def _read_json(passage: Passage, rows: Rows) -> None:
    report = json_text.parsed(passage, rows, "iostat")
    for node in json_text.objects(json_text.at(report, "sysstat", "hosts")):
        host = node.get("nodename")
        for sample, reading in enumerate(json_text.objects(node.get("statistics")), 1):
            for disk in json_text.objects(reading.get("disk")):
                said = {key: str(value) for key, value in disk.items()}
                name = said.pop("disk_device", None) or said.pop("device", "")
                _disk(passage, rows, passage.lines.first, name, said, sample, host if isinstance(host, str) else None)


def _disk(
    passage: Passage, rows: Rows, line: int, device: str, said: Mapping[str, str], sample: int, host: str | None
) -> None:
    values = {key: json_text.amount(value.replace(",", ".")) for key, value in said.items()}
    common: dict[str, Any] = {
        "kind": "disk",
        "device": device,
        "sample": sample,
        "since_boot": _since_boot(passage, sample),
    }
    common |= {"host": host} if host else {}
    queued, busy = _first(values, "aqu-sz", "avgqu-sz"), _first(values, "%util", "util")
    common |= {"queued": queued, "busy": None if busy is None else busy / 100}
    told = False
    for operation, letter in (("read", "r"), ("write", "w"), ("flush", "f")):
        rate, latency = values.get(f"{letter}/s"), values.get(f"{letter}_await")
        if rate is None and latency is None:
            continue
        told = True
        rows.add(
            storage.TABLE,
            passage,
            line,
            operation=operation,
            rate=rate,
            latency=latency,
            throughput=_throughput(values, letter),
            **common,
        )
    if not told:
        reads, writes = _rate(values, "read/s"), _rate(values, "wrtn/s")
        for operation, throughput in (("read", reads), ("write", writes)):
            rows.add(storage.TABLE, passage, line, operation=operation, throughput=throughput, **common)
        rows.add(storage.TABLE, passage, line, rate=values.get("tps"), **common)


def _since_boot(passage: Passage, sample: int) -> bool | None:
    """The first report is, unless `-y` left it out; without the command nobody knows."""
    if sample > 1:
        return False
    return None if passage.command is None else not any(_SKIPS.fullmatch(word) for word in words(passage.command))


_SKIPS = re.compile(r"-[a-zA-Z]*y[a-zA-Z]*")


def _throughput(values: Mapping[str, float | None], letter: str) -> float | None:
    for unit, size in _SIZES:
        if (value := values.get(f"{letter}{unit}/s")) is not None:
            return value * size
    sectors = values.get(f"{letter}sec/s")
    return None if sectors is None else sectors * 512


def _rate(values: Mapping[str, float | None], ending: str) -> float | None:
    for unit, size in _SIZES:
        if (value := values.get(f"{unit}_{ending}")) is not None:
            return value * size
    return None


def _first(values: Mapping[str, float | None], *names: str) -> float | None:
    return next((values[name] for name in names if values.get(name) is not None), None)


TEXT = Output("iostat", (storage.TABLE,), _is_text, _read_text)
JSON = Output("iostat -o JSON", (storage.TABLE,), _is_json, _read_json)
