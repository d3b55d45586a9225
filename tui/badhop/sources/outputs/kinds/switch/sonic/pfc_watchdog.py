"""`show pfcwd stats` and `show pfcwd config`: storms that the watchdog saw, and what it is set to do."""

import re

from badhop.sources.outputs.kinds.switch.columns import Ruled
from badhop.sources.outputs.kinds.switch.sonic.printed import Place, Printed, known
from badhop.tables import counters, qos

_QUEUE = re.compile(r"(\S+):(\d{1,3})")
_PAIRS = {
    "STORM DETECTED/RESTORED": ("STORM DETECTED", "STORM RESTORED"),
    "TX OK/DROP": ("TX OK", "TX DROP"),
    "RX OK/DROP": ("RX OK", "RX DROP"),
    "TX LAST OK/DROP": ("TX LAST OK", "TX LAST DROP"),
    "RX LAST OK/DROP": ("RX LAST OK", "RX LAST DROP"),
}
"""Columns that hold two counts, and the names of each."""


def _read_stats(table: Ruled, place: Place) -> None:
    for row in table.rows:
        found = _QUEUE.fullmatch(row.cells.get("QUEUE", ""))
        if found is None:
            place.rows.problem(row.line, f"no port and queue: {row.cells.get('QUEUE', '')[:40]!r}", "not read")
            continue
        port, queue = found[1], int(found[2])
        if status := known(row.cells.get("STATUS")):
            place.rows.add(
                qos.TABLE,
                place.passage,
                row.line,
                device=port,
                queue=queue,
                setting="pfcwd_status",
                raw_name="STATUS",
                value=status,
            )
        for column, names in _PAIRS.items():
            values = row.cells.get(column, "").split("/")
            if len(values) == len(names):
                for name, value in zip(names, values, strict=True):
                    place.readings.count(row.line, port, f"queue {queue} {name}", value)


_SETTINGS = {
    "ACTION": "pfcwd_action",
    "DETECTION TIME": "pfcwd_detection",
    "RESTORATION TIME": "pfcwd_restoration",
    "HISTORY": "pfcwd_history",
}


def _read_config(table: Ruled, place: Place) -> None:
    for row in table.rows:
        for column, setting in _SETTINGS.items():
            value = known(row.cells.get(column))
            if value is not None:
                amount = float(value) if value.isascii() and value.isdigit() else None
                place.rows.add(
                    qos.TABLE,
                    place.passage,
                    row.line,
                    device=row.cells.get("PORT"),
                    setting=setting,
                    raw_name=column,
                    value={"enable": "on", "disable": "off"}.get(value, value),
                    amount=amount,
                    unit=None if amount is None else "ms",
                )


STATS = Printed("show pfcwd stats", ("QUEUE", "STATUS"), (counters.TABLE, qos.TABLE), _read_stats)
CONFIG = Printed("show pfcwd config", ("PORT", "ACTION"), (qos.TABLE,), _read_config)
