"""`show interfaces transceiver` of EOS and NX-OS: temperature, current and light of each optic.

Of a value that is not measured only its limits are printed: they are not taken for it.
"""

import re
from collections import defaultdict
from typing import Any

from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.switch.columns import Ruled, ruled
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import links

_ALL = ("Port", "(Celsius)", "(Volts)", "(mA)", "(dBm)", "(dBm) 2")
_ONE = {
    "Temperature": "temperature_c",
    "Current": "bias_ma",
    "Tx Power": "tx_power_dbm",
    "Rx Power": "rx_power_dbm",
}
_NUMBER = re.compile(r"-?\d{1,6}(?:\.\d{1,6})?")


def _recognise_eos(passage: Passage) -> bool:
    return any(text.startswith("mA: milliamperes, dBm: decibels") for text in passage.opening)


def _read_eos(passage: Passage, rows: Rows) -> None:
    """With `detail` each quantity is a table of its own: what is of one port becomes one row, at its first line."""
    found: dict[str, dict[str, Any]] = defaultdict(dict)
    lines: dict[str, int] = {}
    for table in ruled(passage.lines):
        columns = _columns(table)
        for row in table.rows:
            port = row.cells.get("Port")
            for name, column in columns.items():
                if port and (value := _number(row.cells.get(name))) is not None:
                    lines.setdefault(port, row.line)
                    found[port].setdefault(column, value)
    for port, said in found.items():
        rows.add(links.TABLE, passage, lines[port], device=port, **said)


def _columns(table: Ruled) -> dict[str, str]:
    """Which columns of a table are measured values, and of what."""
    if table.heading[: len(_ALL)] == _ALL:
        return {"(Celsius)": "temperature_c", "(mA)": "bias_ma", "(dBm)": "tx_power_dbm", "(dBm) 2": "rx_power_dbm"}
    what = next((column for word, column in _ONE.items() if table.title.startswith(word + " ")), None)
    return {table.heading[1]: what} if what and table.heading[0] == "Port" else {}


def _number(text: str | None) -> float | None:
    found = _NUMBER.match(text or "")
    return float(found[0]) if found else None


_NXOS_PORT = re.compile(r"(?:Ethernet|Eth|mgmt)[\d/]+")
_NXOS_LANE = re.compile(r"Lane Number ?: ?(\d{1,2}) (Network Lane|\w.*)")
_NXOS_VALUE = re.compile(
    r"(Temperature|Current|Tx Power|Rx Power) +(N/A|-?\d{1,6}(?:\.\d{1,6})?)(?: (?:C|mA|dBm)\b)?.*"
)


def _recognise_nxos(passage: Passage) -> bool:
    texts = passage.opening
    return any(text.startswith("transceiver is ") for text in texts) and any(
        _NXOS_PORT.fullmatch(text) for text in texts
    )


def _read_nxos(passage: Passage, rows: Rows) -> None:
    line_of, port, lane = 0, "", None
    media: str | None = None
    said: dict[str, Any] = {}

    def end() -> None:
        if port and (said or (media and lane is None)):
            rows.add(links.TABLE, passage, line_of, device=port, lane=lane, media=media, **said)

    for line, raw in passage.numbered():
        text = raw.strip()[:200]
        if _NXOS_PORT.fullmatch(text):
            end()
            line_of, port, lane, media, said = line, text, None, None, {}
        elif text.startswith("type is "):
            media = text.removeprefix("type is ")
        elif found := _NXOS_LANE.fullmatch(text):
            if said:
                end()
            line_of, lane, said = line, int(found[1]) if found[2] == "Network Lane" else None, {}
        elif (value := _NXOS_VALUE.fullmatch(text)) and value[2] != "N/A":
            said[_ONE[value[1]]] = float(value[2])
    end()


EOS = Output("show interfaces transceiver", (links.TABLE,), _recognise_eos, _read_eos)
NXOS = Output("show interface transceiver", (links.TABLE,), _recognise_nxos, _read_nxos)
