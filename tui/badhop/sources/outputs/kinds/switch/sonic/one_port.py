"""What SONiC prints of one port alone: `show interfaces counters errors|fec-histogram|rif|detailed PORT`.

Only the last two tell the port, in part: else it is the passage's, from the command or the file's name.
"""

import re

from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.switch.columns import Ruled
from badhop.sources.outputs.kinds.switch.readings import Readings
from badhop.sources.outputs.kinds.switch.sonic.printed import DIALECT, Place, Printed, period_of
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import counters


def _read_named(table: Ruled, place: Place) -> None:
    what, count = table.heading[0], table.heading[1]
    for row in table.rows:
        if count in row.cells:
            place.readings.count(row.line, None, row.cells.get(what, ""), row.cells[count])


ERRORS = Printed("show interfaces counters errors", ("Port Errors", "Count"), (counters.TABLE,), _read_named)
HISTOGRAM = Printed(
    "show interfaces counters fec-histogram",
    ("Symbol Errors Per Codeword", "Codewords"),
    (counters.TABLE,),
    _read_named,
)

_PORT = re.compile(r"[A-Z][\w-]*\d[\w./-]*")
_SIDE = re.compile(r"([RT]X):")
_COUNT = re.compile(r"([\d,]+|N/A) ((?:error )?(?:packets|bytes))")


def _recognise_routed(passage: Passage) -> bool:
    """A port, a rule under it, and RX with its four counts."""
    texts = passage.opening
    return any(
        _PORT.fullmatch(port) and not rule.strip("-") and side == "RX:" and _COUNT.fullmatch(first)
        for port, rule, side, first in zip(texts, texts[1:], texts[2:], texts[3:], strict=False)
    )


def _read_routed(passage: Passage, rows: Rows) -> None:
    readings = Readings(rows, passage, DIALECT)
    port = side = None
    before = ""
    period = period_of(passage)
    for line, raw in passage.numbered():
        text = raw.strip()
        if text and not text.strip("-") and _PORT.fullmatch(before):
            port, side = before, None
        elif found := _SIDE.fullmatch(text):
            side = found[1]
        elif side is not None and (count := _COUNT.fullmatch(text)):
            name = f"{side} {count[2]}"
            readings.count(line, port, name if period is None else f"{name} in {period} s", count[1])
        before = text or before


ROUTED = Output("show interfaces counters rif PORT", (counters.TABLE,), _recognise_routed, _read_routed)

_DOTTED = re.compile(r"([A-Z][\w -]*\w)\.{3,}\s*(\S.*)")


def _recognise_detailed(passage: Passage) -> bool:
    dotted = [found[1] for text in passage.opening if (found := _DOTTED.fullmatch(text))]
    return any(name.startswith(("Packets Received 64", "Packets Received 65")) for name in dotted)


def _read_detailed(passage: Passage, rows: Rows) -> None:
    readings = Readings(rows, passage, DIALECT)
    for line, text in passage.numbered():
        found = _DOTTED.fullmatch(text.strip()) if "..." in text else None
        if found and "Time Since" not in found[1]:
            readings.count(line, None, found[1], found[2])


DETAILED = Output("show interfaces counters detailed", (counters.TABLE,), _recognise_detailed, _read_detailed)
