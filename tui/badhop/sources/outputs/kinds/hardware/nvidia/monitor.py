"""`nvidia-smi dmon` and `pmon`: a line for each GPU, or for each process on one, again and again."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from badhop.sources.outputs import clock
from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.hardware.nvidia.fields import count, mib, said, share
from badhop.sources.outputs.labelled import leading
from badhop.sources.outputs.passage import Moment, Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import gpus


def _megabytes(value: str) -> float | None:
    number = leading(value)
    return None if number is None else number * 1e6


_COLUMNS: dict[str, tuple[str, Callable[[str], Any]]] = {
    "pwr": ("power_w", leading),
    "gtemp": ("temperature_c", leading),
    "temp": ("temperature_c", leading),
    "mtemp": ("memory_temperature_c", leading),
    "sm": ("busy", share),
    "mem": ("memory_busy", share),
    "mclk": ("memory_clock_mhz", leading),
    "pclk": ("sm_clock_mhz", leading),
    "fb": ("memory_used", mib),
    "sbecc": ("ecc_corrected", count),
    "dbecc": ("ecc_uncorrected", count),
    "pci": ("pcie_replays", count),
    "rxpci": ("pcie_rx", _megabytes),
    "txpci": ("pcie_tx", _megabytes),
}


def _header(text: str) -> list[str] | None:
    cells = text.lstrip("# ").split()
    lowered = [cell.lower() for cell in cells]
    return lowered if text.lstrip().startswith("#") and "gpu" in lowered[:3] and len(lowered) > 2 else None


def _recognise(passage: Passage) -> bool:
    opening = passage.opening
    heads = [text for text in opening if _header(text)]
    return bool(heads) and any(text.startswith("#") and " Idx " in f"{text} ".replace("#", " ") for text in opening)


def _read(passage: Passage, rows: Rows) -> None:
    names: list[str] = []
    seen: Counter[tuple[int, str]] = Counter()
    for line, text in passage.numbered():
        if text.lstrip().startswith("#"):
            names = _header(text) or names
            continue
        cells = text.split()
        if not cells or not names or not cells[0][0].isdecimal():
            continue
        if "command" in names and len(cells) > len(names):
            cells = [*cells[: len(names) - 1], " ".join(cells[len(names) - 1 :])]
        said_by_name = dict(zip(names, cells, strict=False))
        index = said_by_name.get("gpu", "")
        if len(cells) != len(names) or not index.isdecimal() or len(index) > 4:
            rows.problem(line, f"a row of nvidia-smi with {len(cells)} columns under {len(names)}")
            continue
        _add(passage, rows, line, int(index), said_by_name, seen)


def _add(
    passage: Passage, rows: Rows, line: int, gpu: int, cells: dict[str, str], seen: Counter[tuple[int, str]]
) -> None:
    pid = cells.get("pid")
    if pid is not None and said(pid) is None:
        return
    if len(seen) < _MOST_SEEN:
        seen[gpu, pid or ""] += 1
    values: dict[str, Any] = {"gpu": gpu, "sample": seen[gpu, pid or ""] or None}
    for name, (column, read) in _COLUMNS.items():
        text = said(cells[name]) if name in cells else None
        if text is not None:
            values[column] = read(text)
    if pid is not None:
        values |= {"pid": int(pid) if pid.isdecimal() and len(pid) < 10 else None, "process": said(cells["command"])}
    day, moment = cells.get("date", ""), cells.get("time", "")
    ts = clock.rfc3339(f"{day[:4]}-{day[4:6]}-{day[6:]}T{moment}") if len(day) == 8 else None
    part = "gpu" if pid is None else "process"
    rows.add(gpus.TABLE, passage, line, at=Moment(ts, "line") if ts is not None else None, part=part, **values)


_MOST_SEEN = 1 << 16
"""GPUs and processes that samples are counted for."""

KIND = Output("nvidia-smi dmon", (gpus.TABLE,), _recognise, _read)
