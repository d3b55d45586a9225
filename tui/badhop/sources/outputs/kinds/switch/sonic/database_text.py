"""One entry of COUNTERS_DB as `redis-cli HGETALL` and `sonic-db-cli` print it. Its number hides the port."""

import re

from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.switch.readings import Readings
from badhop.sources.outputs.kinds.switch.sonic.printed import DIALECT
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import counters

_NUMBERED = re.compile(r'(?:\d{1,4}\) )?"(SAI_\w{1,100})"')
_VALUE = re.compile(r'(?:\d{1,4}\) )?"(\d{1,20})"')
_PAIR = re.compile(r"['\"](SAI_\w{1,100})['\"]: ['\"](\d{1,20})['\"]")


def _recognise(passage: Passage) -> bool:
    texts = passage.opening
    if any(_NUMBERED.fullmatch(text) for text in texts):
        return True
    return any(text.startswith("{'SAI_") and _PAIR.match(text, 1) for text in texts)


def _read(passage: Passage, rows: Rows) -> None:
    readings = Readings(rows, passage, DIALECT)
    name: str | None = None
    for line, raw in passage.numbered():
        text = raw.strip()
        if "'SAI_" in text:
            for statistic, value in _PAIR.findall(text):
                readings.count(line, None, statistic, value)
        elif found := _NUMBERED.fullmatch(text):
            name = found[1]
        elif name is not None and (value := _VALUE.fullmatch(text)):
            readings.count(line, None, name, value[1])
            name = None
        else:
            name = None


KIND = Output("redis-cli HGETALL of COUNTERS_DB", (counters.TABLE,), _recognise, _read)
