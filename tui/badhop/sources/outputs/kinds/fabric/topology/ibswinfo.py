"""`ibswinfo`: an unmanaged InfiniBand switch: firmware, power supplies, fans, temperature."""

import re

from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.fabric.devices import spoken
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import counters, rdma_devices

_LINE = re.compile(r"(\s*)(\S.{0,60}?)\s*\| (.*)")
_UNITS = {"(rpm)": "rpm", "(W)": "W", "(C)": "degrees C"}
_SUPPLY = re.compile(r"(PSU\d+) status")


def _recognise(passage: Passage) -> bool:
    opening = passage.opening
    return any(text.startswith("part number ") and "|" in text for text in opening) and any(
        text.startswith("product name ") for text in opening
    )


def _read(passage: Passage, rows: Rows) -> None:
    said: dict[str, tuple[int, str]] = {}
    alarms: list[str] = []
    supply = ""
    for line, text in passage.numbered():
        found = _LINE.fullmatch(text[:500])
        if found is None:
            continue
        indent, label, value = found[1], found[2], found[3].strip()
        if part := _SUPPLY.fullmatch(label):
            supply = part[1]
        name = f"{supply} {label}" if indent else label
        if label.endswith(("status", "DC power")) and value not in ("OK", "", "N/A") and len(alarms) < 64:
            alarms.append(f"{name}: {value}")
        elif unit := next((unit for ending, unit in _UNITS.items() if label.endswith(ending)), None):
            _gauge(passage, rows, line, name, unit, value)
        elif not indent and len(said) < 64:
            said[label] = (line, value)
    if "part number" not in said:
        return
    value = {label: text for label, (_, text) in said.items()}
    rows.add(
        rdma_devices.TABLE,
        passage,
        said["part number"][0],
        part="switch",
        type=value["part number"] or None,
        board=value.get("PSID") or None,
        guid=spoken.guid(value.get("GUID", "")),
        firmware=value.get("firmware version") or None,
        alarms=alarms,
    )


def _gauge(passage: Passage, rows: Rows, line: int, name: str, unit: str, value: str) -> None:
    number = float(value) if re.fullmatch(r"-?\d{1,9}(?:\.\d{1,9})?", value) else None
    if number is None and value not in ("", "N/A"):
        rows.problem(line, f"{name}: {value[:40]!r} is no number", "its row has no value")
    rows.add(counters.TABLE, passage, line, sample=1, raw_name=name, value=number, unit=unit)


KIND = Output("ibswinfo", (rdma_devices.TABLE, counters.TABLE), _recognise, _read)
