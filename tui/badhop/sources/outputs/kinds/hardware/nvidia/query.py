"""`nvidia-smi --query-gpu … --format=csv`, with a header, or without one after the command that names the columns."""

import csv
import re
from collections.abc import Sequence
from typing import Any

from badhop.sources.outputs import clock
from badhop.sources.outputs.kind import Log, Output
from badhop.sources.outputs.kinds.hardware.nvidia import throttling
from badhop.sources.outputs.kinds.hardware.nvidia.fields import FIELDS, columns, mib, said
from badhop.sources.outputs.kinds.hardware.nvidia.reading import add
from badhop.sources.outputs.kinds.hardware.pcie.address import address
from badhop.sources.outputs.labelled import leading_whole
from badhop.sources.outputs.passage import Moment, Passage
from badhop.sources.outputs.rows import Rows
from badhop.sources.outputs.transcript import words
from badhop.tables import gpus, pcie

_TIMES = ("timestamp",)
_MASKS = ("clocks_event_reasons.active", "clocks_throttle_reasons.active")
_REASONS = ("clocks_event_reasons.", "clocks_throttle_reasons.")
_KNOWN = frozenset(name for field in FIELDS for name in field.query) | {*_TIMES, *_MASKS}
_PROCESSES = {
    "gpu_bus_id": "device",
    "gpu_uuid": "uuid",
    "gpu_name": "name",
    "pid": "pid",
    "process_name": "process",
    "name": "process",
    "used_gpu_memory": "memory_used",
    "used_memory": "memory_used",
}
"""Columns of `--query-compute-apps`."""

_NAME = re.compile(r"[a-zA-Z][\w.]{1,70}(?: \[[%/\w]{1,8}\])?")
_MOST_COLUMNS = 512
_LOST = re.compile(
    r".{0,200}?Unable to determine the device handle for (?:GPU ?|gpu )\[?([0-9A-Fa-f:.]{0,20})[^:]{0,40}: (.{1,100})"
)


def _header(text: str) -> list[str] | None:
    """The names of a header line, without units; None where it is none."""
    cells = [cell.strip() for cell in text.split(",")][:_MOST_COLUMNS]
    if len(cells) < 2 or not all(_NAME.fullmatch(cell) for cell in cells):
        return None
    names = [cell.split(" ")[0] for cell in cells]
    known = _KNOWN if "pid" not in names else _PROCESSES.keys()
    return names if sum(name in known for name in names) >= 2 else None


def _asked(passage: Passage) -> list[str] | None:
    """The names that the command asks for, where it also says that there is no header."""
    if passage.command is None or "nvidia-smi" not in passage.command or "noheader" not in passage.command:
        return None
    for word in words(passage.command):
        for option in ("--query-gpu=", "--query="):
            if word.startswith(option):
                return word.removeprefix(option).split(",")[:_MOST_COLUMNS]
    return None


def _recognise(passage: Passage) -> bool:
    if any(_header(text) for text in passage.opening[:3]):
        return True
    names = _asked(passage)
    return bool(names) and any(text.count(",") == len(names or ()) - 1 for text in passage.opening)


def _read(passage: Passage, rows: Rows) -> None:
    names = _asked(passage)
    for line, text in passage.numbered():
        if not text.strip() or text.startswith("#"):
            continue
        if header := _header(text):
            names = header
        elif lost := _LOST.match(text):
            _add_lost(passage, rows, line, lost)
        elif names is not None:
            cells = _cells(text)
            if len(cells) == len(names):
                _add(passage, rows, line, names, cells)
            else:
                rows.problem(line, f"a row of nvidia-smi with {len(cells)} columns under {len(names)}")


def _cells(text: str) -> list[str]:
    try:
        return next(csv.reader([text], skipinitialspace=True), [])
    except csv.Error:
        return []


def _add(passage: Passage, rows: Rows, line: int, names: Sequence[str], cells: Sequence[str]) -> None:
    values = {name: cell.strip() for name, cell in zip(names, cells, strict=True)}
    ts = clock.rfc3339(values.get("timestamp", ""))
    at = Moment(ts, "line") if ts is not None else None
    if "pid" in names:
        _add_process(passage, rows, line, values, at)
        return
    found = columns(values, "query")
    masks = (throttling.of_mask(values[name]) for name in _MASKS if name in values)
    reasons = {name.split(".", 1)[1]: value for name, value in values.items() if name.startswith(_REASONS)}
    found["throttle"] = next((mask for mask in masks if mask is not None), None) or throttling.of_words(reasons)
    if found["throttle"] is None and any(throttling.of_mask(values[name]) == [] for name in _MASKS if name in values):
        found["throttle"] = []
    add(rows, passage, line, found, at)


def _add_process(passage: Passage, rows: Rows, line: int, values: dict[str, str], at: Moment | None) -> None:
    texts = {column: said(values[name]) for name, column in _PROCESSES.items() if name in values}
    found: dict[str, Any] = {column: text for column, text in texts.items() if text is not None}
    found["device"] = address(found.get("device", ""))
    found["pid"] = leading_whole(found.get("pid", ""), 2**32 - 1)
    found["memory_used"] = mib(found.get("memory_used", ""))
    rows.add(gpus.TABLE, passage, line, at=at, part="process", **found)


def _add_lost(passage: Passage, rows: Rows, line: int, lost: re.Match[str]) -> None:
    rows.add(gpus.TABLE, passage, line, part="gpu", device=address(lost[1].rstrip(":")), error=lost[2].strip())


def _read_lost(passage: Passage, rows: Rows) -> bool:
    told = False
    for line, text in passage.numbered():
        if "Unable to determine the device handle" in text and (lost := _LOST.match(text)):
            _add_lost(passage, rows, line, lost)
            told = True
    return told


QUERY = Output("nvidia-smi --query-gpu", (gpus.TABLE, pcie.TABLE), _recognise, _read)
LOST = Log("nvidia-smi: GPU lost", (gpus.TABLE,), ("Unable to determine the device handle for",), _read_lost)
