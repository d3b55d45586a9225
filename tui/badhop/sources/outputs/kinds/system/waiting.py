"""Who waits for storage: `/proc/pressure/io`, processes in state D of `ps`, blocked ones of `vmstat`."""

import re

from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.sources.outputs.transcript import words
from badhop.tables import storage

_PRESSURE = re.compile(r"(some|full) avg10=(\d+\.\d+) avg60=\d+\.\d+ avg300=\d+\.\d+ total=(\d+)")
_VMSTAT = re.compile(r" *r +b +swpd +free ")


def _is_pressure(passage: Passage) -> bool:
    """The three files look alike; only the path or command tells that it is the one of I/O."""
    opening = passage.opening
    asked = words(passage.command)[-1:] if passage.command else ()
    about_io = passage.path.parts[-2:] == ("pressure", "io") or asked == ("/proc/pressure/io",)
    return about_io and bool(opening) and bool(_PRESSURE.match(opening[0]))


def _read_pressure(passage: Passage, rows: Rows) -> None:
    for line, text in passage.numbered():
        if found := _PRESSURE.match(text.strip()):
            rows.add(
                storage.TABLE,
                passage,
                line,
                kind="pressure",
                operation=found[1],
                sample=1,
                since_boot=False,
                stalled=float(found[2]) / 100,
            )


def _is_vmstat(passage: Passage) -> bool:
    return any(_VMSTAT.match(text) for text in passage.opening[:2])


def _read_vmstat(passage: Passage, rows: Rows) -> None:
    names: list[str] = []
    sample = 0
    for line, text in passage.numbered():
        cells = text.split()
        if _VMSTAT.match(text):
            names = cells
        elif names and cells and cells[0].isdecimal():
            values = dict(zip(names, cells, strict=False))
            sample += 1
            if not values.get("b", "").isdecimal() or not values.get("wa", "").isdecimal():
                rows.problem(line, "a row of vmstat that is cut")
                continue
            rows.add(
                storage.TABLE,
                passage,
                line,
                kind="process",
                sample=sample,
                since_boot=sample == 1,
                queued=float(values["b"]),
                stalled=int(values["wa"]) / 100,
                state="D",
            )


def _is_ps(passage: Passage) -> bool:
    head = passage.opening[0].split() if passage.opening else []
    return "PID" in head and ("STAT" in head or "S" in head) and ("COMMAND" in head or "CMD" in head)


def _read_ps(passage: Passage, rows: Rows) -> None:
    names: list[str] = []
    for line, text in passage.numbered():
        cells = text.split()
        if "PID" in cells and ("COMMAND" in cells or "CMD" in cells):
            names = cells
        elif names and len(cells) >= len(names):
            values = dict(zip(names, cells, strict=False))
            state = values.get("STAT") or values.get("S") or ""
            if state.startswith("D"):
                command = values.get("COMMAND") or values.get("CMD")
                rows.add(storage.TABLE, passage, line, kind="process", device=command, state=state, since_boot=False)


PRESSURE = Output("/proc/pressure/io", (storage.TABLE,), _is_pressure, _read_pressure)
VMSTAT = Output("vmstat", (storage.TABLE,), _is_vmstat, _read_vmstat)
PS = Output("ps", (storage.TABLE,), _is_ps, _read_ps)
