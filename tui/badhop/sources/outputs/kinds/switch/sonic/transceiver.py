"""`show interfaces transceiver eeprom --dom` and `sfputil show eeprom -d`: light and current of each lane."""

import re
from typing import Any

from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import links

_PORT = re.compile(r"(\S+): SFP EEPROM (?:is not )?[Dd]etected")
_LANE = re.compile(r"(RX|TX)(\d{1,2})(Power|Bias): (-?\d{1,4}(?:\.\d{1,6})?) ?(dBm|mA)")
_TEMPERATURE = re.compile(r"Temperature: (-?\d{1,3}(?:\.\d{1,6})?) ?C")
_MEDIA = re.compile(r"(?:Specification compliance|Identifier|Extended Identifier): (\S.*)")

_COLUMNS = {("RX", "Power"): "rx_power_dbm", ("TX", "Power"): "tx_power_dbm", ("TX", "Bias"): "bias_ma"}


def _recognise(passage: Passage) -> bool:
    return any(_PORT.fullmatch(text) for text in passage.opening)


def _read(passage: Passage, rows: Rows) -> None:
    port: tuple[int, str] | None = None
    media: str | None = None
    temperature: float | None = None
    lanes: dict[int, dict[str, Any]] = {}

    def end() -> None:
        if port is None:
            return
        values: list[tuple[int | None, dict[str, Any]]] = [*sorted(lanes.items())]
        if not values and (media or temperature is not None):
            values = [(None, {})]
        for lane, said in values:
            rows.add(
                links.TABLE,
                passage,
                port[0],
                device=port[1],
                lane=lane,
                media=media,
                temperature_c=temperature,
                **said,
            )

    for line, raw in passage.numbered():
        text = raw.strip()[:200]
        if found := _PORT.fullmatch(text):
            end()
            port, media, temperature, lanes = (line, found[1]), None, None, {}
        elif value := _LANE.fullmatch(text):
            if column := _COLUMNS.get((value[1], value[3])):
                lanes.setdefault(int(value[2]), {}).setdefault(column, float(value[4]))
        elif warm := _TEMPERATURE.fullmatch(text):
            temperature = float(warm[1])
        elif named := _MEDIA.fullmatch(text):
            media = media or (None if named[1] == "N/A" else named[1])
    end()


KIND = Output("show interfaces transceiver eeprom", (links.TABLE,), _recognise, _read)
