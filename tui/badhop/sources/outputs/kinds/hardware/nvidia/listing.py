"""`nvidia-smi -L` and `nvidia-smi nvlink -s`, `-e`: the GPUs of a host, and the state and errors of their NVLinks."""

import re
from typing import Any

from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import gpus

_GPU = re.compile(r"GPU (\d{1,4}): (.{0,100}?) ?\(UUID: ([\w-]{1,80})\)")
_MIG = re.compile(r"MIG (\S+)\s+Device\s+(\d+): \(UUID: (\S+)\)")
_LINK = re.compile(r"Link (\d{1,3}): (.{1,80})")
_ERRORS = re.compile(r"(Replay|Recovery|CRC|CRC FLIT) Errors: (\d{1,18})")
_RATE = re.compile(r"([\d.]{1,9}) GB/s")
_COLUMNS = {"Replay": "replay_errors", "Recovery": "recovery_errors", "CRC": "crc_errors", "CRC FLIT": "crc_errors"}


def _lists(passage: Passage) -> bool:
    return any(_GPU.fullmatch(text) for text in passage.opening[:3])


def _has_links(passage: Passage) -> bool:
    return _lists(passage) and any(_LINK.match(text) for text in passage.opening)


def _has_none(passage: Passage) -> bool:
    return _lists(passage) and not _has_links(passage)


def _read(passage: Passage, rows: Rows) -> None:
    gpu: dict[str, Any] = {}
    links: dict[int, tuple[int, dict[str, Any]]] = {}
    for line, text in passage.numbered():
        stripped = text.strip()[:400]
        if found := _GPU.fullmatch(stripped):
            _add_links(passage, rows, gpu, links)
            gpu, links = {"gpu": int(found[1]), "name": found[2].strip() or None, "uuid": found[3]}, {}
            rows.add(gpus.TABLE, passage, line, part="gpu", sample=1, **gpu)
        elif stripped.startswith("GPU "):
            _add_links(passage, rows, gpu, links)
            gpu, links = {}, {}
            rows.problem(line, f"no GPU of nvidia-smi -L: {stripped[:80]!r}")
        elif gpu and (found := _MIG.match(stripped)):
            values = {**gpu, "name": f"{gpu['name']} MIG {found[1]}", "uuid": found[3], "mig": True}
            rows.add(gpus.TABLE, passage, line, part="gpu", sample=1, **values)
        elif gpu and (found := _LINK.match(stripped)):
            told = _link(found[2])
            if told:
                links.setdefault(int(found[1]), (line, {}))[1].update(told)
    _add_links(passage, rows, gpu, links)


def _link(text: str) -> dict[str, Any]:
    if rate := _RATE.fullmatch(text):
        return {"link_state": "up", "link_bps": float(rate[1]) * 8e9} if rate[1].count(".") < 2 else {}
    if "inactive" in text:
        return {"link_state": "down"}
    if errors := _ERRORS.fullmatch(text):
        return {_COLUMNS[errors[1]]: int(errors[2])}
    return {}


def _add_links(passage: Passage, rows: Rows, gpu: dict[str, Any], links: dict[int, tuple[int, dict[str, Any]]]) -> None:
    for number, (line, values) in links.items():
        if number < 256:
            rows.add(gpus.TABLE, passage, line, part="nvlink", sample=1, link=number, **gpu, **values)


LIST = Output("nvidia-smi -L", (gpus.TABLE,), _has_none, _read)
NVLINK = Output("nvidia-smi nvlink", (gpus.TABLE,), _has_links, _read)
