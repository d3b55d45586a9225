"""`show pfc counters --history`: pauses that the watchdog's script saw while it polled. Times are its estimates."""

from datetime import UTC, datetime

from badhop.sources.outputs.kinds.switch.columns import Ruled
from badhop.sources.outputs.kinds.switch.sonic.printed import Place, Printed
from badhop.tables import counters

_COUNTED = ("RX Pause Transitions", "Total RX Pause Time US", "Recent RX Pause Time US")
_WHEN = "Recent RX Pause Timestamp"


def _read(table: Ruled, place: Place) -> None:
    for row in table.rows:
        port, priority = row.cells.get("Port"), row.cells.get("Priority", "")
        for name in _COUNTED:
            if name in row.cells:
                place.readings.count(row.line, port, f"{priority} {name}", row.cells[name])
        if _WHEN in row.cells and (at := _seconds(row.cells[_WHEN])) is not None:
            place.readings.count(row.line, port, f"{priority} {_WHEN}", str(at))


def _seconds(text: str) -> int | None:
    """Seconds since 1970 of 05/18/2033, 03:33:20, month first, in the switch's zone, which is taken as UTC."""
    try:
        return int(datetime.strptime(text, "%m/%d/%Y, %H:%M:%S").replace(tzinfo=UTC).timestamp())
    except (ValueError, OverflowError):
        return None


PRINTED = Printed("show pfc counters --history", ("Port", "Priority", "RX Pause Transitions"), (counters.TABLE,), _read)
