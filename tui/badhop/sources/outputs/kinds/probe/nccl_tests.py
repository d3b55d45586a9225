"""nccl-tests (`all_reduce_perf` and its like): time, algorithm bandwidth and bus bandwidth for each message size."""

import re

from badhop.sources.outputs.kind import Log
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.sources.outputs.transcript import words
from badhop.tables import probes

_TITLE = ("size", "time", "algbw", "busbw")
_UNITS = re.compile(r"#? *\(B\)(?: +\(elements\))? +\((us|ms)\) +\(GB/s\) +\(GB/s\)")
_NUMBER = re.compile(r"\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?")
_RESULTS = 4
"""Columns of one way of the test: time, algbw, busbw and the count of wrong elements."""


def _read(passage: Passage, rows: Rows) -> bool:
    tool = _tool(passage)
    seconds: float | None = None
    headed = typed = any_row = False
    for line, text in passage.numbered():
        stripped = text.lstrip("# ").strip()
        names = stripped.split()
        if set(_TITLE) <= set(names) and names[0] == "size":
            headed, typed = True, "redop" in names or "type" in names
            seconds = None
        elif headed and seconds is None and (units := _UNITS.match(text.strip())):
            seconds = 1e-6 if units[1] == "us" else 1e-3
        elif seconds is not None and stripped[:1].isdigit() and not text.lstrip().startswith("#"):
            any_row |= _sizes(passage, rows, line, names, seconds, typed, tool)
        elif "Avg bus bandwidth" in stripped and (value := _NUMBER.search(stripped)):
            rows.add(probes.TABLE, passage, line, tool=tool, part="summary", busbw=_bits(value[0]))
            any_row = True
    return any_row


def _sizes(passage: Passage, rows: Rows, line: int, cells: list[str], seconds: float, typed: bool, tool: str) -> bool:
    """Rows of a line: one way, or out-of-place and in-place. A line that another rank wrote into is a problem."""
    size = cells[0].replace("_", "")
    results = [cell for cell in cells[1:] if _NUMBER.fullmatch(cell) or cell == "N/A"]
    if typed:  # count, and the root of a rooted operation, stand before the times
        root = _place(cells)
        results = [cell for cell in cells[root + 1 :] if _NUMBER.fullmatch(cell) or cell == "N/A"]
    ways = [results[start : start + _RESULTS] for start in range(0, len(results), _RESULTS)]
    ways = [way for way in ways if len(way) >= 3]
    if not size.isdecimal() or not ways or len(ways) > 2 or "N/A" in ways[0][:3]:
        rows.problem(line, f"no row of nccl-tests: {' '.join(cells)[:80]!r}")
        return False
    for way, name in zip(ways, ("out-of-place", "in-place"), strict=False):
        if "N/A" in way[:3]:
            continue
        time, algorithm, bus = (float(cell.replace("_", "")) for cell in way[:3])
        wrong = way[3] if len(way) > 3 and way[3] not in ("0", "N/A") else None
        rows.add(
            probes.TABLE,
            passage,
            line,
            tool=tool,
            part="size",
            bytes=int(size),
            seconds=time * seconds,
            throughput=algorithm * 8e9,
            busbw=bus * 8e9,
            direction=name if typed else None,
            error=f"{wrong} wrong elements" if wrong else None,
        )
    return True


def _place(cells: list[str]) -> int:
    """Where the root stands: behind the last word that is no number."""
    texts = [index for index, cell in enumerate(cells) if not _NUMBER.fullmatch(cell.lstrip("-")) and cell != "N/A"]
    return texts[-1] + 1 if texts else 1


def _bits(gigabytes: str) -> float:
    return float(gigabytes.replace("_", "")) * 8e9


def _tool(passage: Passage) -> str:
    """The operation, where the command line shows it."""
    for word in words(passage.command) if passage.command else ():
        name = word.rsplit("/", 1)[-1]
        if name.endswith("_perf"):
            return name
    return "nccl-tests"


KIND = Log("nccl-tests", (probes.TABLE,), ("algbw", "Avg bus bandwidth"), _read)
