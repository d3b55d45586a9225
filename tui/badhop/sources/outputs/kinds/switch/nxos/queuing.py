"""NX-OS `show queuing interface`: counts by QoS group in boxes, drops of the port, and PFC frames by CoS.

A raw name is the box, its column and the line: `QOS GROUP 3 Unicast Tx Pkts`; of PFC `COS 3 RxCount`.
"""

import re

from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.switch.readings import Readings
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import counters

_PORT = re.compile(r"(?:Egress|Ingress) Queuing for (\S+)(?: \[\w+\])?")
_GROUP = re.compile(r"\| *((?:QOS|CONTROL QOS|SPAN QOS) GROUP ?\d*) *\|")
_PLAIN = re.compile(r"(WRED Drop Pkts|Ingress (?:MMU|Overflow) Drop (?:Pkts|Bytes))[: ]+([\d,]+)")
_TOTALS = re.compile(r"TxPPP: *([\d,]+), *RxPPP: *([\d,]+)")
_COS = re.compile(r"([0-7]) +\S+ +\S+ +(?:Active|Inactive) +([\d,]+) +(?:Active|Inactive) +([\d,]+)")
_NUMBER = re.compile(r"[\d,]+|-+")


def _recognise(passage: Passage) -> bool:
    return any("Queuing for " in text and _PORT.fullmatch(text) for text in passage.opening)


def _read(passage: Passage, rows: Rows) -> None:
    readings = Readings(rows, passage, "nxos")
    port = group = None
    columns: list[str] = []
    for line, raw in passage.numbered():
        text = raw.strip()
        if "Queuing for " in text and (found := _PORT.fullmatch(text)):
            port, group, columns = found[1], None, []
        elif text.startswith("|"):
            if found := _GROUP.fullmatch(text):
                group, columns = found[1], []
            elif group is not None and port is not None:
                columns = _read_box(readings, line, port, group, columns, text)
        elif found := _PLAIN.fullmatch(text):
            readings.count(line, port, found[1], found[2])
        elif found := _TOTALS.search(text):
            readings.count(line, port, "TxPPP", found[1])
            readings.count(line, port, "RxPPP", found[2])
        elif found := _COS.fullmatch(text):
            readings.count(line, port, f"COS {found[1]} TxCount", found[2])
            readings.count(line, port, f"COS {found[1]} RxCount", found[3])


def _read_box(readings: Readings, line: int, port: str, group: str, columns: list[str], text: str) -> list[str]:
    """A line of a box: the names of its columns, or a name with a number in each; returns the columns from here on."""
    cells = [cell.strip() for cell in text.strip("|").split("|")]
    if not any(_NUMBER.fullmatch(cell) for cell in cells):
        return [cell for cell in cells if cell]
    if all(_NUMBER.fullmatch(cell) for cell in cells[1:]):
        for number, value in enumerate(cells[1:]):
            column = columns[number] if len(columns) == len(cells) - 1 else ""
            readings.count(line, port, " ".join(word for word in (group, column, cells[0]) if word), value)
        return columns
    for name, value in zip(cells[::2], cells[1::2], strict=False):  # two names, each with its number
        readings.count(line, port, f"{group} {name}", value)
    return columns


KIND = Output("show queuing interface", (counters.TABLE,), _recognise, _read)
