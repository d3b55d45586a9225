"""`show_gids`: the GID tables of a host, with the RoCE version and the interface of each GID."""

import re

from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.fabric.devices import spoken
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import rdma_devices

_BEGINS = re.compile(r"\s*DEV\s+PORT\s+INDEX\s+GID\s")
_VERSIONS = {"v1": "RoCEv1", "v2": "RoCEv2"}


def _recognise(passage: Passage) -> bool:
    return any(_BEGINS.match(f"{text} ") for text in passage.opening)


def _read(passage: Passage, rows: Rows) -> None:
    for line, text in passage.numbered():
        cells = text.split()
        if len(cells) < 4 or not cells[1].isdecimal() or not cells[2].isdecimal():
            if cells and cells[0] != "DEV" and not cells[0].startswith(("---", "n_gids_found")):
                rows.problem(line, f"no GID: {text.strip()[:80]!r}")
            continue
        version = next((_VERSIONS[cell] for cell in cells[4:6] if cell in _VERSIONS), None)
        rows.add(
            rdma_devices.TABLE,
            passage,
            line,
            part="gid",
            device=cells[0],
            port=int(cells[1]) if len(cells[1]) < 3 else None,
            gid_index=int(cells[2]) if len(cells[2]) < 5 else None,
            gid=cells[3],
            gid_type=version,
            gid_ip=spoken.ipv4_of(cells[3]),
            netdev=cells[-1] if version and cells[-1] not in _VERSIONS else None,
        )


KIND = Output("show_gids", (rdma_devices.TABLE,), _recognise, _read, _BEGINS)
