"""`ethtool -m`: the optic or cable of an interface: light, bias, temperature, the module's own limits, and its flags.

A module with channels gives a row for each, with what is said of the whole module in every row. `-inf dBm` becomes
-40: no light, the least that a module can tell (SFF-8472, CMIS: 0.1 uW).
"""

import re
from typing import Any

from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.labelled import Labelled, labelled, leading
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import links

DARK_DBM = -40.0

_BEGINS = re.compile(r"\s*Identifier\s*: 0x[0-9a-fA-F]{1,2} ")
_CHANNEL = re.compile(r"\s*\([Cc]hannel (\d{1,2})\)")
_LEVEL = re.compile(r"(high|low) (alarm|warning)")
_UNITS = {"temperature": "c", "voltage": "v", "rx_power": "dbm", "tx_power": "dbm", "bias": "ma"}
_MOST_LANES = 16
"""OSFP-XD has sixteen; none has more."""


def _recognise(passage: Passage) -> bool:
    opening = passage.opening
    return bool(opening and _BEGINS.match(opening[0])) and len(opening) > 1


def _read(passage: Passage, rows: Rows) -> None:
    module: dict[str, Any] = {"device": passage.device}
    lanes: dict[int, dict[str, Any]] = {}
    first = None
    for entry in labelled(passage):
        first = first or entry.line
        channel = _CHANNEL.search(entry.label)
        if channel is None:
            _keep(module, entry, entry.label.lower(), rows)
        elif len(lanes) < _MOST_LANES or int(channel[1]) in lanes:
            _keep(lanes.setdefault(int(channel[1]), {}), entry, _CHANNEL.sub("", entry.label).lower(), rows)
    if first is None:
        return
    found: list[tuple[int | None, dict[str, Any]]] = [*sorted(lanes.items())]
    for lane, values in found or [(None, {})]:
        alarms = [*module.get("alarms", ()), *values.get("alarms", ())] if "alarms" in {*module, *values} else None
        rows.add(links.TABLE, passage, first, lane=lane, **{**module, **values, "alarms": alarms})


def _keep(values: dict[str, Any], entry: Labelled, label: str, rows: Rows) -> None:
    value = entry.value
    if label == "identifier":
        values["media"] = value.partition(" ")[2].strip("()") or None
    elif label == "vendor name":
        values["vendor"] = value or None
    elif label == "vendor pn":
        values["part_number"] = value or None
    elif label == "vendor sn":
        values["serial"] = value or None
    elif label in ("laser wavelength", "wavelength"):
        values["wavelength_nm"] = leading(value)
    elif label.startswith(("length (copper", "cable assembly length")):
        values["length_m"] = leading(value) or None
    elif label == "active firmware version":
        values["firmware"] = value or None
    elif value in ("On", "Off", "Yes", "No") and (_LEVEL.search(label) or "fault" in label or "los" in label.split()):
        flags = values.setdefault("alarms", [])
        if value in ("On", "Yes"):
            flags.append(" ".join(label.split()))
    elif measured := _measure(label):
        level = _LEVEL.search(label)
        if level and "threshold" not in label:
            return
        ending = f"_{level[2]}_{level[1]}" if level else ""
        number = _amount(value, measured)
        if number is None and value and value not in ("N/A", "n/a"):
            rows.problem(entry.line, f"{entry.label[:60]}: {value[:40]!r} is no amount", "its row has no value")
        values[f"{measured}{ending}_{_UNITS[measured]}"] = number


def _measure(label: str) -> str | None:
    """Which quantity a label is of; the words differ by kind of module and version of ethtool."""
    if "temperature" in label and ("module" in label or label == "temperature"):
        return "temperature"
    if "voltage" in label and "module" in label:
        return "voltage"
    if "bias" in label:
        return "bias"
    if "power" not in label and "oma" not in label.split():
        return None
    if any(word in label for word in ("rcvr", "receiver", "rx power")):
        return "rx_power"
    return "tx_power" if any(word in label for word in ("transmit", "laser output", "tx power")) else None


def _amount(value: str, measured: str) -> float | None:
    if _UNITS[measured] != "dbm":
        return leading(value)
    power = value.rpartition("/")[2].strip()
    if not power.endswith("dBm"):
        return None
    return DARK_DBM if power.startswith("-inf") else leading(power)


KIND = Output("ethtool -m", (links.TABLE,), _recognise, _read, _BEGINS)
