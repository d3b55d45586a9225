"""`mlnx_perf`: by how much the counters of `ethtool -S` grew in each interval. They are differences already."""

import re

from badhop.sources.outputs.counting import count
from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import counters

_LINE = re.compile(r"\s*([a-z][\w.-]{1,80}): ([\d,]{1,30})(?: Bps\s+= [\d.,]{1,30} Mbps)?\s*")


def _recognise(passage: Passage) -> bool:
    return any(text.startswith("Initializing mlnx_perf") for text in passage.opening[:3])


def _read(passage: Passage, rows: Rows) -> None:
    sample = None
    for line, text in passage.numbered():
        if text.strip().startswith("---"):
            sample = None
        elif found := _LINE.fullmatch(text):
            if sample is None:
                sample = rows.sample("mlnx_perf", passage.host, passage.device)
            count(rows, passage, line, found[1], found[2], dialect="mlx5", sample=sample, reads="delta")
        elif ": " in text:
            rows.problem(line, f"no name and value: {text.strip()[:80]!r}")


KIND = Output("mlnx_perf", (counters.TABLE,), _recognise, _read)
