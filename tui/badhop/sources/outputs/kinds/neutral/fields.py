"""The fields of the neutral form of counters, by the names that people and tools give them."""

from collections.abc import Sequence
from dataclasses import dataclass

TIMES = {
    **dict.fromkeys(("ts", "time", "timestamp", "@timestamp"), None),
    **{
        f"{name}_{unit}": ns
        for name in ("ts", "time", "timestamp")
        for unit, ns in (("s", 10**9), ("sec", 10**9), ("ms", 10**6), ("us", 10**3), ("ns", 1))
    },
}
"""Names of the time, with the ns of its unit where the name says it; else the size of the number tells."""

NO_VALUE = ("", "N/A", "n/a", "NA", "-", "null", "nan", "NaN", "None")
"""What collectors write where there is no value."""

_DEVICES = ("device", "port", "interface", "ifname", "netdev")
_NAMES = ("name", "counter", "metric")
_HOSTS = ("host", "hostname", "node", "switch")
_OPTIONAL = ("priority", "queue", "direction", "unit", "sample", "raw_name", "dialect", *_HOSTS)


@dataclass(frozen=True)
class Fields:
    """Which field is what. `name` and `value` are None in the wide form, where each of `values` is a counter."""

    time: str
    device: str | None
    host: str | None
    name: str | None
    value: str | None
    values: tuple[str, ...] = ()

    @property
    def unit_ns(self) -> int | None:
        """ns of the unit of the time, where its name says it."""
        return TIMES[self.time]


def long_form(fields: Sequence[str]) -> Fields | None:
    """ts, device, name and value, and perhaps host, priority, queue, direction, unit; None where it is not that."""
    time, device = _one(fields, TIMES), _one(fields, _DEVICES)
    name, value = _one(fields, _NAMES), _one(fields, ("value",))
    if time is None or device is None or name is None or value is None:
        return None
    return Fields(time, device, _one(fields, _HOSTS), name, value)


def wide_form(fields: Sequence[str], numbers: Sequence[str]) -> Fields | None:
    """A time, a device, and nothing else but counters; None where it is not that.

    `numbers` are the fields that hold numbers. A field of any other kind makes it somebody else's table.
    """
    time, device = _one(fields, TIMES), _one(fields, _DEVICES)
    if time is None or device is None or long_form(fields) is not None:
        return None
    host = _one(fields, _HOSTS)
    values = tuple(field for field in fields if field not in (time, device, host))
    return Fields(time, device, host, None, None, values) if values and set(values) <= set(numbers) else None


def _one(fields: Sequence[str], known: Sequence[str] | dict[str, int | None]) -> str | None:
    found = [field for field in fields if field in known]
    return found[0] if len(found) == 1 else None
