"""`show queue counters`, also of virtual output queues, WRED and trimming: one line a queue.

A raw name has the kind of queue before the column: `UC3 Drop/pkts`, for a unicast drop is not a multicast drop.
"""

from badhop.sources.outputs.kinds.switch.columns import Ruled
from badhop.sources.outputs.kinds.switch.sonic.printed import Place, Printed
from badhop.tables import counters


def _read(table: Ruled, place: Place) -> None:
    for row in table.rows:
        queue = row.cells.get("TxQ") or row.cells.get("Voq") or ""
        for name, text in row.cells.items():
            if name not in ("Port", "TxQ", "Voq"):
                place.readings.count(row.line, row.cells.get("Port"), f"{queue} {name}", text)


QUEUES = Printed("show queue counters", ("Port", "TxQ"), (counters.TABLE,), _read)
VIRTUAL = Printed("show queue counters --voq", ("Port", "Voq"), (counters.TABLE,), _read)
SUMMARY = Printed("show queue counters", ("TxQ",), (counters.TABLE,), _read)
"""Of one port, whose name is not printed."""
