"""`ibqueryerrors`: the ports of a fabric whose error counters are above a threshold. What it leaves out is not 0."""

import re

from badhop.sources.outputs.counting import count
from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import counters

_NODE = re.compile(r'\s*(?:Errors|Data Counters) for (?:0x[0-9a-f]{1,16} )?"([^"]{1,128})"')
_PORT = re.compile(r"\s*GUID 0x([0-9a-f]{1,16}) port (\d{1,3}|ALL):(.*)")
_COUNTER = re.compile(r"\[(\w{2,60}) == (\d{1,20})(?: \([^)]{1,40}\))?\]")
_HCA = re.compile(r"(\S{1,64}) (HCA-\d+|mlx[45]_\d+|\w*ib\w*\d+)")
"""How a host names itself to the fabric: `node7 mlx5_0`, `o0001 HCA-1`."""


def _recognise(passage: Passage) -> bool:
    return any(map(_NODE.match, passage.opening)) and any(map(_PORT.match, passage.opening))


def _read(passage: Passage, rows: Rows) -> None:
    host, card = None, None
    for line, text in passage.numbered():
        if node := _NODE.match(text):
            described = _HCA.fullmatch(node[1].strip())
            host, card = (described[1], described[2]) if described else (node[1].strip(), None)
        elif port := _PORT.match(text):
            device = f"{card}/{port[2]}" if card else port[2]
            sample = rows.sample("ibqueryerrors", port[1], port[2])
            found = _COUNTER.findall(port[3])
            if not found:
                rows.problem(line, f"no counters after the port: {text.strip()[:80]!r}")
            for name, value in found:
                count(rows, passage, line, name, value, dialect="ib", device=device, host=host, sample=sample)


KIND = Output("ibqueryerrors", (counters.TABLE,), _recognise, _read)
