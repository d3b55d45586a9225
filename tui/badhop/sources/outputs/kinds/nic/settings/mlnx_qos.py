"""`mlnx_qos -i`: trust, DSCP map, PFC, receive buffers and scheduling of a NIC."""

import re
from typing import Any

from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.nic.settings.heading import named_by
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import qos

_DSCP = re.compile(r"prio:(\d) dscp:([\d,]{1,300})")
_TC = re.compile(r"tc: (\d{1,2}) ratelimit: (\S.{0,30}?), tsa: (\w+)(?:, bw: (\d{1,3})%)?")
_PRIORITY = re.compile(r"priority:\s+(\d)")
_CELLS = re.compile(r"(priority|enabled|buffer)\s+(\d{1,2}(?:\s+\d{1,2}){0,15})")


def _recognise(passage: Passage) -> bool:
    opening = passage.opening
    return any(text.startswith("Priority trust state:") for text in opening) or any(
        text.startswith(("DCBX mode:", "Priority trust mode:")) for text in opening
    )


def _read(passage: Passage, rows: Rows) -> None:
    device = named_by(passage, "-i", "--interface")
    tc: int | None = None

    def add(line: int, setting: str | None, raw_name: str, value: str, **more: Any) -> None:
        rows.add(qos.TABLE, passage, line, device=device, setting=setting, raw_name=raw_name, value=value, **more)

    for line, text in passage.numbered():
        stripped = text.strip()[:500]
        label, _, value = (part.strip() for part in stripped.partition(":"))
        if label in ("Priority trust state", "Priority trust mode"):
            add(line, "trust", label, value.lower())
        elif label == "DCBX mode":
            add(line, None, label, value)
        elif label == "Cable len":
            add(line, None, label, value, amount=float(value) if value.isdecimal() else None, unit="m")
        elif label == "Receive buffer size (bytes)":
            sizes = [size for size in value.split("total")[0].split(",") if size.strip().isdecimal()]
            for queue, size in enumerate(sizes):
                add(line, "buffer_size", label, size.strip(), queue=queue, amount=float(size), unit="bytes")
        elif found := _DSCP.match(stripped):
            for dscp in found[2].split(","):
                if dscp and int(dscp) < 64:
                    add(line, "priority_of_dscp", "dscp2prio", found[1], dscp=int(dscp), priority=int(found[1]))
        elif found := _CELLS.fullmatch(stripped):
            _priorities(add, line, found)
        elif found := _TC.fullmatch(stripped):
            tc = int(found[1])
            add(line, "scheduler", "tsa", found[3], queue=tc)
            add(line, None, "ratelimit", found[2], queue=tc)
            if found[4]:
                add(line, "bandwidth", "bw", f"{found[4]}%", queue=tc, amount=float(found[4]), unit="percent")
        elif tc is not None and (found := _PRIORITY.fullmatch(stripped)):
            add(line, "class_of_priority", "priority", str(tc), queue=tc, priority=int(found[1]))


def _priorities(add: Any, line: int, found: re.Match[str]) -> None:
    """A line under `PFC configuration`: its columns are the priorities."""
    name = found[1]
    for priority, cell in enumerate(found[2].split()[:8]):
        if name == "enabled" and cell in ("0", "1"):
            add(line, "pfc", name, "on" if cell == "1" else "off", priority=priority)
        elif name == "buffer":
            add(line, None, "buffer of priority", cell, priority=priority, queue=int(cell))


KIND = Output("mlnx_qos", (qos.TABLE,), _recognise, _read)
