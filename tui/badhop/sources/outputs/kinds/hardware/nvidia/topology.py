"""`nvidia-smi topo -m`: how each GPU reaches the other GPUs and the NICs, and which CPUs are near."""

import re

from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import gpus

_DEVICE = re.compile(r"(?:GPU|NIC|CPU)\d{1,3}|mlx\d_\w+|[a-z]\w*\d")
_CELL = re.compile(r"X|SYS|NODE|PHB|PXB|PIX|NV\d{1,2}|C2C|OK|GNS|CNS|NS|DR|U|N/A")
_CPUS = re.compile(r"\d[\d,-]*")
_ALIAS = re.compile(r"(NIC\d{1,3}): (\S{1,60})")
_MOST = 256
"""Devices of a host; the largest have 8 to 72 GPUs and about as many NICs."""


def _header(text: str) -> list[str] | None:
    head, affinity, _ = text.partition("CPU Affinity")
    names = head.split()
    fits = affinity and names and names[0] == "GPU0" and len(names) <= _MOST
    return names if fits and all(_DEVICE.fullmatch(name) for name in names) else None


def _recognise(passage: Passage) -> bool:
    return any(_header(text) for text in passage.opening)


def _read(passage: Passage, rows: Rows) -> None:
    names: list[str] = []
    found: list[tuple[int, str, list[str], list[str]]] = []
    aliases: dict[str, str] = {}
    for line, text in passage.numbered():
        cells = text.split()
        if not names:
            names = _header(text.strip()) or []
        elif cells and cells[0] in names:
            between = cells[1 : 1 + len(names)]
            if len(between) == len(names) and all(_CELL.fullmatch(cell) for cell in between):
                found.append((line, cells[0], between, cells[1 + len(names) :]))
            else:
                rows.problem(line, f"a row of the matrix with {len(cells) - 1} cells under {len(names)}")
        elif (alias := _ALIAS.match(text.strip())) and len(aliases) < _MOST:
            aliases[alias[1]] = alias[2]
    for line, name, between, after in found:
        gpu = int(name[3:]) if name.startswith("GPU") else None
        if gpu is not None:
            cpus = after[0] if after and _CPUS.fullmatch(after[0]) else None
            numa = int(after[1]) if cpus and len(after) > 1 and re.fullmatch(r"\d{1,4}", after[1]) else None
            rows.add(gpus.TABLE, passage, line, part="gpu", sample=1, gpu=gpu, cpus=cpus, numa=numa)
        own = names.index(name)
        for peer, cell in list(zip(names, between, strict=True))[own + 1 :]:
            rows.add(
                gpus.TABLE,
                passage,
                line,
                part="pair",
                sample=1,
                gpu=gpu,
                device=aliases.get(name) if gpu is None else None,
                peer=aliases.get(peer, peer),
                connection=None if cell == "N/A" else cell,
            )


KIND = Output("nvidia-smi topo -m", (gpus.TABLE,), _recognise, _read)
