"""Lustre clients: `lctl get_param` of `*.stats` (calls and bytes) and of `*.import` (is the target reached?)."""

import re

from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import storage

_PARAMETER = re.compile(r"(?:llite|osc|mdc|mgc)\.([\w.-]+)\.(stats|import)=")
_STATS = re.compile(r"(read|write)_bytes +(\d+) samples \[bytes\] +\d+ +\d+ +(\d+)")
_CALLS = re.compile(r"(\w+) +(\d+) samples \[(reqs?|regs|usecs?)\](?: +\d+ +\d+ +(\d+))?")
_STATE = re.compile(r" +state: +(\w+)")
_TARGET = re.compile(r" +target: +(\S+)")


def _recognise(passage: Passage) -> bool:
    opening = passage.opening
    return bool(opening) and (
        bool(_PARAMETER.match(opening[0]))
        or (opening[0].startswith("snapshot_time ") and any("samples [" in text for text in opening))
        or opening[0] == "import:"
    )


def _read(passage: Passage, rows: Rows) -> None:
    device = passage.device
    for line, text in passage.numbered():
        if (found := _PARAMETER.match(text)) or (found := _TARGET.match(text)):
            device = found[1]
        elif found := _STATE.match(text):
            rows.add(storage.TABLE, passage, line, kind="lustre", device=device, state=found[1], since_boot=False)
        elif found := _STATS.match(text.strip()):
            rows.add(
                storage.TABLE,
                passage,
                line,
                kind="lustre",
                device=device,
                operation=found[1],
                sample=1,
                since_boot=True,
                operations=int(found[2]),
                bytes=int(found[3]),
            )
        elif found := _CALLS.match(text.strip()):
            count, total = int(found[2]), int(found[4]) if found[4] else None
            timed = total is not None and found[3].startswith("usec") and count
            rows.add(
                storage.TABLE,
                passage,
                line,
                kind="lustre",
                device=device,
                operation=found[1],
                sample=1,
                since_boot=True,
                operations=count,
                latency=total / count / 1000 if timed and total is not None else None,
            )


KIND = Output("lctl get_param", (storage.TABLE,), _recognise, _read)
