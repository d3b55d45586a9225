"""SONiC's `show interfaces transceiver eeprom` (also `sfputil show eeprom`), with and without `-d`, and its `status`.

Ports follow one another in one output; one that is not plugged in has a row with only its state of being absent.
"""

import re
from typing import Any

from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.nic.settings.module import DARK_DBM
from badhop.sources.outputs.labelled import Labelled, labelled, leading, told
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import links

_PORT = re.compile(r"(\S{1,40}): SFP EEPROM ((?:Not )?[Dd]etected)$")
_STATUS_PORT = re.compile(r"(Ethernet\d[\w/]{0,20}):$")
_BODIES = ("Active App Selection Host Lane", "Application Advertisement:")
_LANE = re.compile(r"(RX|TX)(\d{1,2})(Power|Bias)")
_LIMIT = re.compile(r"(Temp|Vcc|RxPower|TxPower|TxBias)(High|Low)(Alarm|Warning)")
_LIMITED = {
    "Temp": ("temperature", "c"),
    "Vcc": ("voltage", "v"),
    "RxPower": ("rx_power", "dbm"),
    "TxPower": ("tx_power", "dbm"),
    "TxBias": ("bias", "ma"),
}
_NAMES = {"Identifier": "media", "Vendor Name": "vendor", "Vendor PN": "part_number", "Vendor SN": "serial"}
_FLAG = re.compile(r"(?:on (?:media |host )?lane \d{1,2}|flag|Module fault|status)")


def _recognise(passage: Passage) -> bool:
    opening = passage.opening
    if any(_PORT.match(text) for text in opening):
        return True
    first = opening[0] if opening else ""
    return first == "ChannelMonitorValues:" or first.startswith(_BODIES)


def _read(passage: Passage, rows: Rows) -> None:
    port: tuple[int, str | None] = (passage.lines.first, passage.device)
    entries: list[Labelled] = []
    for entry in labelled(passage):
        if found := _PORT.match(f"{entry.label}: {entry.value}"):
            _told(passage, rows, port, entries)
            port, entries = (entry.line, found[1]), []
            if found[2].startswith("Not"):
                rows.add(links.TABLE, passage, entry.line, device=found[1], reason="SFP EEPROM not detected")
        else:
            entries.append(entry)
    _told(passage, rows, port, entries)


def _told(passage: Passage, rows: Rows, port: tuple[int, str | None], entries: list[Labelled]) -> None:
    module: dict[str, Any] = {}
    lanes: dict[int, dict[str, Any]] = {}
    for entry in entries:
        value = told(entry.value)
        if found := _LANE.fullmatch(entry.label):
            lane = lanes.setdefault(int(found[2]), {})
            if found[3] == "Bias":
                lane["bias_ma"] = leading(entry.value)
            else:
                lane[f"{found[1].lower()}_power_dbm"] = _power(entry.value)
        elif found := _LIMIT.fullmatch(entry.label):
            measured, unit = _LIMITED[found[1]]
            module[f"{measured}_{found[3].lower()}_{found[2].lower()}_{unit}"] = leading(entry.value)
        elif name := _NAMES.get(entry.label):
            module[name] = value
        elif entry.label == "Active Firmware":
            module["firmware"] = value
        elif entry.label == "Temperature":
            module["temperature_c"] = leading(entry.value)
        elif entry.label == "Vcc":
            module["voltage_v"] = leading(entry.value)
        elif entry.label == "Length Cable Assembly(m)":
            module["length_m"] = leading(entry.value) or None
    if not module and not lanes:
        return
    found_lanes: list[tuple[int | None, dict[str, Any]]] = [*sorted(lanes.items())]
    for number, values in found_lanes or [(None, {})]:
        rows.add(links.TABLE, passage, port[0], device=port[1], lane=number, **{**module, **values})


def _power(value: str) -> float | None:
    return DARK_DBM if value.startswith("-inf") else leading(value)


def _is_status(passage: Passage) -> bool:
    opening = passage.opening
    return any(_STATUS_PORT.match(text) for text in opening) and any(" flag on media lane " in text for text in opening)


def _read_status(passage: Passage, rows: Rows) -> None:
    port: tuple[int, str] | None = None
    flags: list[str] = []
    for entry in labelled(passage):
        if found := _STATUS_PORT.match(f"{entry.label}:{entry.value}"):
            if port:
                rows.add(links.TABLE, passage, port[0], device=port[1], alarms=flags)
            port, flags = (entry.line, found[1]), []
        elif entry.value == "True" and _FLAG.search(entry.label):
            flags.append(entry.label)
    if port:
        rows.add(links.TABLE, passage, port[0], device=port[1], alarms=flags)


def _is_error_status(passage: Passage) -> bool:
    return bool(passage.opening) and passage.opening[0].split() == ["Port", "Error", "Status"]


def _read_error_status(passage: Passage, rows: Rows) -> None:
    for line, text in passage.numbered():
        port, _, state = text.strip().partition(" ")
        if port.startswith("Ethernet") and state.strip():
            alarms = [] if state.strip() == "OK" else state.strip().split("|")
            rows.add(links.TABLE, passage, line, device=port, alarms=alarms)


EEPROM = Output("transceiver eeprom", (links.TABLE,), _recognise, _read)
STATUS = Output("transceiver status", (links.TABLE,), _is_status, _read_status)
ERRORS = Output("transceiver error-status", (links.TABLE,), _is_error_status, _read_error_status)
