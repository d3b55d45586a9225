"""HAProxy's HTTP log (`option httplog`): times of each phase, and the termination state."""

import re

from badhop.sources.outputs import clock
from badhop.sources.outputs.kind import Log
from badhop.sources.outputs.kinds.serving import endings
from badhop.sources.outputs.passage import Moment, Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import gateway

_LINE = re.compile(
    r"(?:.*?haproxy\[\d+\]: )?([0-9a-fA-F.:]+):\d+ \[(\d\d)/([A-Z][a-z]{2})/(\d{4}):([\d:]+)\.(\d{3})\] "
    r"\S+ (\S+)/(\S+) (-?\d+)/(-?\d+)/(-?\d+)/(-?\d+)/\+?(-?\d+) (-?\d{1,3}) \+?(\d+) \S+ \S+ (\S{4}) "
    r"\d+/\d+/\d+/\d+/\+?(\d+) \d+/\d+ (?:\{[^}]*\} ){0,2}\"([A-Z]+) ([^\" ]*)[^\"]*\".*"
)
_LONGEST = 16_384
"""Characters of a line: HAProxy cuts at 1024 unless it is told otherwise."""


def _read(passage: Passage, rows: Rows) -> bool:
    any_row = False
    for line, text in passage.numbered():
        if len(text) > _LONGEST or not (found := _LINE.fullmatch(text.strip())):
            continue
        client, day, month, year, time, ms, backend, server = found.group(*range(1, 9))
        request, queue, connect, header, total = (_ns(value) for value in found.group(*range(9, 14)))
        ts = clock.date_line(f"{day} {month} {year} {time}.{ms}")
        status, state = int(found[14]), found[16]
        rows.add(
            gateway.TABLE,
            passage.untimed,
            line,
            at=None if ts is None else Moment(ts, "line"),
            proxy="haproxy",
            client=client,
            method=found[18],
            path=found[19].partition("?")[0],
            status=status if status > 0 else None,
            upstream=None if server == "<NOSRV>" else f"{backend}/{server}",
            tries=int(found[17]) + 1,
            duration=total,
            request=request,
            queue=queue,
            connect=connect,
            header=header,
            sent=int(found[15]),
            flags=state,
            ended=endings.of_termination(state),
        )
        any_row = True
    return any_row


def _ns(ms: str) -> int | None:
    """-1 says that it was aborted before."""
    value = int(ms)
    return value * 10**6 if 0 <= value <= 10**9 else None


KIND = Log("haproxy log", (gateway.TABLE,), ("/",), _read)
