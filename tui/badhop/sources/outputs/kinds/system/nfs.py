"""`/proc/self/mountstats`: each NFS mount and operation, with the time in the client's queue and at the server."""

import re

from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import storage

_MOUNT = re.compile(r"device (\S+) mounted on (\S+) with fstype nfs\d?(?:\.\d)? statvers=1\.\d")
_ANY_MOUNT = re.compile(r"device \S+ mounted on \S+ with fstype \S+")
_OPERATION = re.compile(r"\s+([A-Z][A-Z0-9_]*): (\d+(?: \d+){7,8})\s*")
_NAMES = {"READ": "read", "WRITE": "write"}


def _recognise(passage: Passage) -> bool:
    return bool(passage.opening) and bool(_ANY_MOUNT.match(passage.opening[0]))


def _read(passage: Passage, rows: Rows) -> None:
    server = mount = None
    for line, text in passage.numbered():
        if text.startswith("device "):
            found = _MOUNT.match(text)
            server, mount = (found[1], found[2]) if found else (None, None)
        elif mount and (found := _OPERATION.fullmatch(text)):
            numbers = [int(cell) for cell in found[2].split()]
            operations, _transmissions, timeouts, sent, received, queue, service, latency = numbers[:8]
            if not operations:
                continue
            rows.add(
                storage.TABLE,
                passage,
                line,
                kind="nfs",
                device=mount,
                server=server,
                operation=_NAMES.get(found[1], found[1].lower()),
                sample=1,
                since_boot=True,
                operations=operations,
                bytes=received if found[1] == "READ" else sent,
                queue=queue / operations,
                service=service / operations,
                latency=latency / operations,
                timeouts=timeouts,
                errors=numbers[8] if len(numbers) > 8 else None,
            )


KIND = Output("mountstats", (storage.TABLE,), _recognise, _read, re.compile(r"device \S+ mounted on \S+ with fstype "))
