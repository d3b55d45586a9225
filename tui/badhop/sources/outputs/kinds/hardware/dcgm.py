"""`dcgmi dmon`: fields of each GPU again and again; `dcgmi diag`: the result of each test."""

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.labelled import leading
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import gpus

_BLANK = 140737488355328.0
"""From here on up a number says why there is none (dcgm_structs.h: DCGM_FP64_BLANK)."""

_BLANK_32 = 0x7FFFFFF0
_MOST_MIB = 2**40


def _value(text: str) -> float | None:
    number = leading(text)
    return None if number is None or number >= _BLANK or _BLANK_32 <= number <= 0x7FFFFFFF else number


def _percent(text: str) -> float | None:
    number = _value(text)
    return None if number is None else number / 100


def _whole(text: str) -> int | None:
    number = _value(text)
    return None if number is None or number < 0 else int(number)


def _mib(text: str) -> int | None:
    number = _whole(text)
    return None if number is None or number > _MOST_MIB else number << 20


_COLUMNS: dict[str, tuple[str, Callable[[str], Any]]] = {
    "GPUTL": ("busy", _percent),
    "MCUTL": ("memory_busy", _percent),
    "POWER": ("power_w", _value),
    "TMPTR": ("temperature_c", _value),
    "MMTMP": ("memory_temperature_c", _value),
    "SMCLK": ("sm_clock_mhz", _value),
    "MMCLK": ("memory_clock_mhz", _value),
    "SMACT": ("sm_active", _value),
    "TENSO": ("tensor_active", _value),
    "DRAMA": ("dram_active", _value),
    "PCITX": ("pcie_tx", _value),
    "PCIRX": ("pcie_rx", _value),
    "NVLTX": ("nvlink_tx", _value),
    "NVLRX": ("nvlink_rx", _value),
    "FBUSD": ("memory_used", _mib),
    "FBTTL": ("memory_total", _mib),
    "PCIRP": ("pcie_replays", _whole),
}
"""Short names of dcgm_fields.cpp."""

_ROW = re.compile(r"\s*(?:GPU(?:-I)? )(\d{1,4})\s+(\S.*)")
_RESULT = re.compile(r"\|\s*(\S.{0,60}?)\s*\|\s*(Pass|Fail|Warn|Skip)\b(.{0,200}?)\|?\s*")


def _header(text: str) -> list[str] | None:
    stripped = text.strip()
    if not stripped.startswith("#") or stripped.lstrip("# ").split()[:1] != ["Entity"]:
        return None
    return stripped.lstrip("# ").split()[1:]


def _is_dmon(passage: Passage) -> bool:
    return any(_header(text) for text in passage.opening)


def _read_dmon(passage: Passage, rows: Rows) -> None:
    names: list[str] = []
    seen: Counter[int] = Counter()
    for line, text in passage.numbered():
        if header := _header(text):
            names = header
            for name in names:
                if name not in _COLUMNS:
                    rows.unknown(name)
            continue
        found = _ROW.match(text)
        if found is None:
            if text.strip() and text.strip() not in ("ID", "Id") and not text.lstrip().startswith("#"):
                rows.problem(line, f"no row of dcgmi dmon: {text.strip()[:80]!r}")
            continue
        cells = found[2].split()
        if len(cells) != len(names):
            rows.problem(line, f"a row of dcgmi dmon with {len(cells)} columns under {len(names)}")
            continue
        gpu = int(found[1])
        seen[gpu] += 1
        values = {
            _COLUMNS[name][0]: _COLUMNS[name][1](cell)
            for name, cell in zip(names, cells, strict=True)
            if name in _COLUMNS
        }
        rows.add(gpus.TABLE, passage, line, part="gpu", gpu=gpu, sample=seen[gpu], **values)


def _is_diag(passage: Passage) -> bool:
    return any("| Diagnostic " in text and "| Result" in text for text in passage.opening)


def _read_diag(passage: Passage, rows: Rows) -> None:
    for line, text in passage.numbered():
        if found := _RESULT.fullmatch(text.strip()[:400]):
            detail = found[3].strip(" -")
            rows.add(
                gpus.TABLE,
                passage,
                line,
                part="test",
                name=found[1],
                level=found[2].lower(),
                text=detail or None,
            )


DMON = Output("dcgmi dmon", (gpus.TABLE,), _is_dmon, _read_dmon)
DIAG = Output("dcgmi diag", (gpus.TABLE,), _is_diag, _read_diag)
