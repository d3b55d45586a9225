"""`lspci -t` (also -v): the tree of buses, of which each device gets its way to the root."""

import re
from typing import NamedTuple

from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.hardware.pcie.tree import path_to_root
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import pcie

_ROOT = re.compile(r"\s*[-+\\| ]{0,4}-?\[([0-9a-f]{4}):([0-9a-f]{2})(?:-[0-9a-f]{2})?\]-")
_TOKEN = re.compile(
    r"(?P<line>[-+\\| ]+)|\[(?:(?P<domain>[0-9a-f]{4}):)?(?P<bus>[0-9a-f]{2})(?:-[0-9a-f]{2})?\]|"
    r"(?P<device>[0-9a-f]{2}\.[0-7])"
)


class _Bus(NamedTuple):
    column: int
    domain: str
    bus: str


def _recognise(passage: Passage) -> bool:
    return bool(passage.opening) and any(_ROOT.match(text) for text in passage.opening[:2])


def _read(passage: Passage, rows: Rows) -> None:
    stack: list[_Bus] = []
    above: dict[str, str] = {}
    for line, text in passage.numbered():
        _walk(passage, rows, line, text[:_LONGEST], stack, above)


def _walk(passage: Passage, rows: Rows, line: int, text: str, stack: list[_Bus], above: dict[str, str]) -> None:
    position, device, first = 0, None, True
    while found := _TOKEN.match(text, position):
        column, position = found.start(), found.end()
        if found["line"]:
            if "  " in found["line"] and device:
                break
            continue
        if first:
            while stack and stack[-1].column >= column:
                stack.pop()
            first = False
        if found["bus"]:
            domain = found["domain"] or (stack[-1].domain if stack else "0000")
            if device and len(above) < _MOST:
                above[f"{domain}:{found['bus']}"] = device
            stack.append(_Bus(column, domain, found["bus"]))
        elif stack:
            device = f"{stack[-1].domain}:{stack[-1].bus}:{found['device']}"
            path = path_to_root(device, above)
            rows.add(
                pcie.TABLE,
                passage,
                line,
                device=device,
                upstream=path[0] if path else None,
                path=path,
                name=_name(text, position),
            )


def _name(text: str, position: int) -> str | None:
    """What stands after a device at the end of its branch (-v)."""
    rest = text[position:]
    return rest.strip() or None if rest.startswith("  ") else None


_MOST = 1 << 16
_LONGEST = 4096
"""Characters of a line: a branch with as many bridges as buses is shorter."""

KIND = Output("lspci -t", (pcie.TABLE,), _recognise, _read)
