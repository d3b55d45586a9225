"""`show pfc counters`: PFC frames by port and priority, received and sent."""

from badhop.sources.outputs.kinds.switch.columns import Ruled
from badhop.sources.outputs.kinds.switch.sonic.printed import Place, Printed
from badhop.tables import counters


def _read(table: Ruled, place: Place) -> None:
    port = table.heading[0]
    for row in table.rows:
        for name, text in row.cells.items():
            if name != port:
                place.readings.count(row.line, row.cells.get(port), f"{port} {name}", text)


RECEIVED = Printed("show pfc counters", ("Port Rx", "PFC0"), (counters.TABLE,), _read)
SENT = Printed("show pfc counters", ("Port Tx", "PFC0"), (counters.TABLE,), _read)
