"""Junos `show interfaces diagnostics optics`: temperature of a module, and light and current of each of its lanes."""

import re
from typing import Any

from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import links

_PORT = re.compile(r"Physical interface: (\S+)")
_LANE = re.compile(r"Lane (\d{1,2})")
_VALUE = re.compile(r"([A-Z][\w -]*?) *: +(\S.*)")
_NUMBER = re.compile(r"(-?\d+(?:\.\d+)?) (?:degrees C|mA)\b")
_LIGHT = re.compile(r"/ (-?\d+(?:\.\d+)?) dBm")

_LANES = {
    "Laser bias current": "bias_ma",
    "Laser output power": "tx_power_dbm",
    "Laser receiver power": "rx_power_dbm",
    "Receiver signal average optical power": "rx_power_dbm",
    "Laser rx power": "rx_power_dbm",
}


def _recognise(passage: Passage) -> bool:
    texts = passage.opening
    return any(_PORT.fullmatch(text) for text in texts) and any(
        text.startswith(("Module temperature", "Laser bias current", "Optical diagnostics")) for text in texts
    )


def _read(passage: Passage, rows: Rows) -> None:
    port: str | None = None
    lane: tuple[int, int | None] | None = None
    module: float | None = None
    said: dict[str, Any] = {}

    def end() -> None:
        if port is not None and lane is not None and said:
            rows.add(links.TABLE, passage, lane[0], device=port, lane=lane[1], temperature_c=module, **said)

    for line, raw in passage.numbered():
        text = raw.strip()[:200]
        if found := _PORT.fullmatch(text):
            end()
            port, lane, module, said = found[1], (line, None), None, {}
        elif found := _LANE.fullmatch(text):
            end()
            lane, said = (line, int(found[1])), {}
        elif found := _VALUE.fullmatch(text):
            number = _NUMBER.match(found[2])
            if found[1] == "Module temperature" and number:
                module = float(number[1])
            elif column := _LANES.get(found[1]):
                light = _LIGHT.search(found[2]) if column.endswith("dbm") else number
                if light:
                    said[column] = float(light[1])
    end()


KIND = Output("show interfaces diagnostics optics", (links.TABLE,), _recognise, _read)
