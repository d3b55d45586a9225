"""The table of plain `rocm-smi`, of old and new versions: a line for each AMD GPU.

The columns in front differ by version and contain blanks; those at the end do not.
"""

import re
from typing import Any

from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.hardware.nvidia.fields import share
from badhop.sources.outputs.labelled import leading
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import gpus

_END = ("SCLK", "MCLK", "Fan", "Perf", "PwrCap", "VRAM%", "GPU%")
_TEMPERATURE = re.compile(r"(\d{1,3}(?:\.\d)?)°?[cC]")
_POWER = re.compile(r"(\d{1,4}(?:\.\d{1,3})?)W")
_CLOCK = re.compile(r"(\d{1,5})M[hH]z")


def _header(text: str) -> bool:
    cells = text.split()
    return cells[:1] in (["GPU"], ["Device"]) and tuple(cells[-len(_END) :]) == _END


def _recognise(passage: Passage) -> bool:
    return any(_header(text) for text in passage.opening)


def _read(passage: Passage, rows: Rows) -> None:
    inside = False
    for line, text in passage.numbered():
        cells = text.split()
        if _header(text):
            inside = True
        elif inside and cells and cells[0].isdecimal() and len(cells[0]) < 5:
            if len(cells) < len(_END) + 2:
                rows.problem(line, f"a row of rocm-smi with {len(cells)} columns")
                continue
            rows.add(gpus.TABLE, passage, line, part="gpu", sample=1, gpu=int(cells[0]), **_values(cells))


def _values(cells: list[str]) -> dict[str, Any]:
    front, end = cells[1 : -len(_END)], dict(zip(_END, cells[-len(_END) :], strict=True))

    def clock(name: str) -> float | None:
        found = _CLOCK.fullmatch(end[name])
        return float(found[1]) if found else None

    temperature = next((found for cell in front if (found := _TEMPERATURE.fullmatch(cell))), None)
    power = next((found for cell in front if (found := _POWER.fullmatch(cell))), None)
    return {
        "temperature_c": float(temperature[1]) if temperature else None,
        "power_w": float(power[1]) if power else None,
        "power_limit_w": leading(end["PwrCap"]),
        "sm_clock_mhz": clock("SCLK"),
        "memory_clock_mhz": clock("MCLK"),
        "busy": share(end["GPU%"]),
    }


KIND = Output("rocm-smi", (gpus.TABLE,), _recognise, _read)
