"""Watermarks and drops: `show priority-group`, `show queue watermark`, `show buffer_pool watermark`.

What is counted stands in a title above the heading, so that a raw name is the title and the column:
`Ingress headroom per PG PG3`. A persistent watermark is printed under the same title as one since the last clear.
"""

import re

from badhop.sources.outputs.kinds.switch.columns import Ruled
from badhop.sources.outputs.kinds.switch.sonic.printed import Place, Printed
from badhop.tables import counters

_TITLE = re.compile(r"(\w[\w ]*\w):(?: \(Namespace (\w+)\))?")


def _read(table: Ruled, place: Place) -> None:
    what, _ = _title(table)
    for row in table.rows:
        for name, text in row.cells.items():
            if name != "Port":
                place.readings.count(row.line, row.cells.get("Port"), f"{what} {name}".strip(), text)


def _read_pools(table: Ruled, place: Place) -> None:
    what, namespace = _title(table)
    for row in table.rows:
        if "Bytes" in row.cells:
            pool = row.cells.get("Pool", "")
            place.readings.count(row.line, namespace, f"{what} {pool}".strip(), row.cells["Bytes"])


def _title(table: Ruled) -> tuple[str, str | None]:
    found = _TITLE.fullmatch(table.title)
    return (found[1], found[2]) if found else ("", None)


GROUPS = Printed("show priority-group", ("Port", "PG0"), (counters.TABLE,), _read)
UNICAST = Printed("show queue watermark", ("Port", "UC0"), (counters.TABLE,), _read)
MULTICAST = Printed("show queue watermark", ("Port", "MC10"), (counters.TABLE,), _read)
MULTICAST_OF_8 = Printed("show queue watermark", ("Port", "MC8"), (counters.TABLE,), _read)
ALL = Printed("show queue watermark", ("Port", "ALL20"), (counters.TABLE,), _read)
ALL_OF_8 = Printed("show queue watermark", ("Port", "ALL0"), (counters.TABLE,), _read)
POOLS = Printed("show buffer_pool watermark", ("Pool", "Bytes"), (counters.TABLE,), _read_pools)
