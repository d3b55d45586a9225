"""`mlxlink` with -m and -c, as text and as JSON: state, speed, FEC, the optic lane by lane, and bit error rates."""

import re
from collections.abc import Mapping
from typing import Any

from badhop.sources.outputs import json_text
from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.fabric.topology.node import PER_LANE
from badhop.sources.outputs.kinds.nic.settings.heading import named_by, switched
from badhop.sources.outputs.kinds.nic.settings.module import DARK_DBM
from badhop.sources.outputs.labelled import labelled, leading, leading_whole, told
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import links

_BEGINS = re.compile(r"\s*Operational Info\s*$")
_SPEED = re.compile(r"(\d{1,4})G\w{0,8}|(?:IB-)?(SDR|DDR|QDR|FDR10|FDR|EDR|HDR|NDR|XDR)")
_MODES = re.compile(r"(\d{1,4})G")
_RATE = re.compile(r"\d{1,4}(?:\.\d{1,20})?[eE]-?\d{1,3}|\d{1,4}(?:\.\d{1,20})?")
_FEC = {"rs": "rs", "firecode": "fc", "fc": "fc", "no fec": "none"}
_LANES = (
    ("Bias Current [mA]", "bias_ma"),
    ("Rx Power Current [dBm]", "rx_power_dbm"),
    ("Tx Power Current [dBm]", "tx_power_dbm"),
)
_MOST_LANES = 16


def _recognise(passage: Passage) -> bool:
    opening = passage.opening
    heads = [index for index, text in enumerate(opening) if _BEGINS.fullmatch(text)]
    return bool(heads) and any(text.startswith("State  ") for text in opening[heads[0] :])


def _read(passage: Passage, rows: Rows) -> None:
    heading = next((line for line, text in passage.numbered() if _BEGINS.match(text)), passage.lines.first)
    _add(passage, rows, heading, {entry.label: entry.value for entry in labelled(passage)})


def _is_json(passage: Passage) -> bool:
    start = passage.text.lstrip()[:4000]
    return start.startswith("{") and '"Operational Info"' in start


def _read_json(passage: Passage, rows: Rows) -> None:
    report = json_text.parsed(passage, rows, "mlxlink")
    output = json_text.at(report, "result", "output") or report
    values: dict[str, str] = {}
    for section in output.values() if isinstance(output, dict) else ():
        for label, value in section.items() if isinstance(section, dict) else ():
            values[str(label)] = _flat(value)
    if values:
        _add(passage, rows, passage.lines.first, values)


def _flat(value: Any) -> str:
    """A value as the text has it; lanes are lists, or objects that hold one."""
    if isinstance(value, dict):
        value = value.get("values", value.get("value", ""))
    return ",".join(str(item) for item in value[:64]) if isinstance(value, list) else str(value)


def _add(passage: Passage, rows: Rows, line: int, said: Mapping[str, str]) -> None:
    state = said.get("State", "").lower()
    lanes = leading_whole(said.get("Width", ""), _MOST_LANES)
    supported = max((int(mode) for mode in _MODES.findall(said.get("Enabled Link Speed (Ext.)", ""))), default=None)
    reason = told(said.get("Recommendation", "")) or ""
    voltage = leading(said.get("Voltage [mV]", ""))
    port: dict[str, Any] = {
        "device": (named_by(passage, "-d", "--device") or "").removeprefix("/dev/mst/") or None,
        "state": "up"
        if state == "active"
        else "down"
        if state in ("disable", "polling", "down", "close port")
        else None,
        "physical_state": told(said.get("Physical state", "")),
        "speed_bps": _bps(said.get("Speed", ""), lanes),
        "supported_bps": supported * 10**9 if supported else None,
        "lanes": lanes or None,
        "fec": _fec(said.get("FEC", "")),
        "autoneg": switched(said.get("Auto Negotiation", "").split(" ")[0].lower()),
        "reason": None if reason.lower().startswith("no issue") else reason or None,
        "flaps": leading_whole(said.get("Link Down Counter", said.get("Link Down", ""))),
        "pre_fec_ber": _ber(said.get("Raw Physical BER", "")),
        "post_fec_ber": _ber(said.get("Effective Physical BER", "")),
        "media": told(said.get("Identifier", "")),
        "vendor": told(said.get("Vendor Name", "")),
        "part_number": told(said.get("Vendor Part Number", "")),
        "serial": told(said.get("Vendor Serial Number", "")),
        "wavelength_nm": leading(said.get("Wavelength [nm]", "")),
        "temperature_c": leading(said.get("Temperature [C]", "")),
        "voltage_v": voltage / 1000 if voltage is not None else None,
        "firmware": told(said.get("Firmware Version", "")),
    }
    found: dict[str, list[float | None]] = {column: _per_lane(said.get(label, "")) for label, column in _LANES}
    most = max(len(values) for values in found.values())
    for lane in range(most) if most > 1 else (None,):
        at = lane or 0
        light: dict[str, Any] = {column: values[at] if at < len(values) else None for column, values in found.items()}
        rows.add(links.TABLE, passage, line, lane=None if lane is None else lane + 1, **port, **light)


def _bps(text: str, lanes: int | None) -> int | None:
    found = _SPEED.fullmatch(text.strip())
    if found is None:
        return None
    if found[1]:
        return int(found[1]) * 10**9 or None
    return round(PER_LANE[found[2]] * lanes) if lanes else None


def _fec(text: str) -> str | None:
    value = told(text)
    if value is None:
        return None
    lowered = value.lower().replace("_", " ")
    return next((word for start, word in _FEC.items() if re.search(rf"\b{start}\b", lowered)), lowered)


def _ber(text: str) -> float | None:
    """`15E-255` is the tool's way to say that it saw no error: so close to 0 that nothing else is meant."""
    return float(text.strip()) if _RATE.fullmatch(text.strip()) else None


def _per_lane(text: str) -> list[float | None]:
    """Of `7.490,7.490 [2..15]`, the values before the limits."""
    before = text.partition("[")[0].strip()
    if not before:
        return []
    return [DARK_DBM if cell.strip() == "-inf" else leading(cell) for cell in before.split(",")[:_MOST_LANES]]


TEXT = Output("mlxlink", (links.TABLE,), _recognise, _read, _BEGINS)
JSON = Output("mlxlink --json", (links.TABLE,), _is_json, _read_json)
