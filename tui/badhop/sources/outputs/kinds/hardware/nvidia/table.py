"""The table of plain `nvidia-smi`: two lines for each GPU, then the processes, which are not read."""

import re
from typing import Any

from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.hardware.nvidia.fields import mib, share
from badhop.sources.outputs.kinds.hardware.nvidia.reading import add
from badhop.sources.outputs.kinds.hardware.pcie.address import address
from badhop.sources.outputs.labelled import leading
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import gpus, pcie

_HEAD = re.compile(r"\| NVIDIA-SMI (\S+)\s+(?:Driver|KMD) Version: (\S+)")
_FIRST = re.compile(r"(\d{1,3})\s+(\S.*?)(?:\s+(On|Off|N/A|TCC|WDDM|WDDM/TCC))?")
_SECOND = re.compile(r"(\S+)\s+(\S+)\s+(P\d{1,2}|N/A|Unknown|ERR!)\s+(\S+)\s*/\s*(\S+)")
_LONGEST = 400


def _recognise(passage: Passage) -> bool:
    return any(_HEAD.match(text) for text in passage.opening)


def _read(passage: Passage, rows: Rows) -> None:
    driver: str | None = None
    gpu: dict[str, Any] | None = None
    start = 0
    for line, text in passage.numbered():
        stripped = text.strip()[:_LONGEST]
        if found := _HEAD.match(stripped):
            driver = found[2]
        cells = [cell.strip() for cell in stripped.strip("|").split("|")]
        if not stripped.startswith("|") or len(cells) != 3:
            gpu = None
        elif gpu is None:
            gpu, start = _first(cells), line
        else:
            if found := _SECOND.fullmatch(cells[0]):
                add(rows, passage, start, {**gpu, "driver": driver, **_second(found, cells)})
            else:
                rows.problem(line, f"no second line of a GPU: {stripped[:80]!r}")
                add(rows, passage, start, {**gpu, "driver": driver})
            gpu = None


def _first(cells: list[str]) -> dict[str, Any] | None:
    found = _FIRST.fullmatch(cells[0])
    bus = address(cells[1].split(" ")[0])
    if found is None or bus is None:
        return None
    ecc = cells[2]
    return {
        "gpu": int(found[1]),
        "name": found[2],
        "persistence": {"On": True, "Off": False}.get(found[3]),
        "device": bus,
        "ecc_uncorrected": int(ecc) if ecc.isdecimal() and len(ecc) < 19 else None,
    }


def _second(found: re.Match[str], cells: list[str]) -> dict[str, Any]:
    used, _, total = cells[1].partition("/")
    return {
        "temperature_c": leading(found[2]),
        "pstate": found[3] if found[3].startswith("P") else None,
        "power_w": leading(found[4]),
        "power_limit_w": leading(found[5]),
        "memory_used": mib(used),
        "memory_total": mib(total),
        "busy": share(cells[2].split(" ")[0]) if "%" in cells[2] else None,
        "error": "ERR!" if "ERR!" in (*found.groups(), *cells[1].split(), *cells[2].split()) else None,
    }


KIND = Output("nvidia-smi", (gpus.TABLE, pcie.TABLE), _recognise, _read)
