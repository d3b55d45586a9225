"""`dcgmi nvlink -s`: the state of every NVLink of the GPUs and NVSwitches of a host, a letter for each."""

import re

from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import gpus

_OWNER = re.compile(r"(gpuId|physicalId) (\d{1,4}):")
_STATES = {"U": "up", "D": "down", "X": "disabled", "_": None}
"""_ is a link that the device does not have."""


def _recognise(passage: Passage) -> bool:
    return any("NvLink Link Status" in text for text in passage.opening)


def _read(passage: Passage, rows: Rows) -> None:
    owner: re.Match[str] | None = None
    link = 0
    for line, text in passage.numbered():
        letters = text.split()
        if found := _OWNER.fullmatch(text.strip()[:40]):
            owner, link = found, 0
        elif letters and not all(letter in _STATES for letter in letters):
            owner = None
        elif owner:
            for number, letter in enumerate(letters, link):
                if letter != "_" and number < 256:
                    _add(passage, rows, line, owner, number, letter)
            link += len(letters)


def _add(passage: Passage, rows: Rows, line: int, owner: re.Match[str], link: int, letter: str) -> None:
    is_gpu = owner[1] == "gpuId"
    rows.add(
        gpus.TABLE,
        passage,
        line,
        part="nvlink",
        sample=1,
        gpu=int(owner[2]) if is_gpu else None,
        device=None if is_gpu else f"NVSwitch {owner[2]}",
        link=link,
        link_state=_STATES[letter],
    )


KIND = Output("dcgmi nvlink -s", (gpus.TABLE,), _recognise, _read)
