"""Readings of counters as one line of text each, so that a test can pin many of them and still be read."""

from badhop.sources.outputs import Told
from badhop.tables import counters
from outputs.claimed import rows

_COLUMNS = ("line", "device", "value", "name", "unit", "direction", "layer", "priority", "queue", "reason")


def readings(told: Told | None) -> dict[str, list[str]]:
    """By raw name, in the order of the file: `line device value name unit direction layer priority queue reason`.

    `-` is null; whole numbers are without their `.0`.
    """
    found: dict[str, list[str]] = {}
    for raw_name, *values in rows(told, counters.TABLE, "raw_name", *_COLUMNS):
        found.setdefault(raw_name, []).append(" ".join(map(_shown, values)))
    return found


def _shown(value: object) -> str:
    if value is None:
        return "-"
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
