"""Envoy and Istio access logs: the default text format, and JSON with Envoy's own names."""

import re
from collections.abc import Mapping
from typing import Any

from badhop.sources.outputs import clock, json_text
from badhop.sources.outputs.kind import Log
from badhop.sources.outputs.kinds.serving import endings
from badhop.sources.outputs.passage import Moment, Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import gateway

_TEXT = re.compile(
    r'\[(\d{4}-\d\d-\d\dT[\d:.]+Z)\] "([A-Z]+) (\S+) [^"]*" (\d{1,3}) (\S+)'
    r'(?: \S+ (?:"[^"]*"|\S+) "[^"]*")? (\d+) (\d+) (\d+) (\d+|-)(.*)'
)
"""Istio puts response code details, a termination reason and a failure reason between flags and sizes."""
_QUOTED = re.compile(r'"([^"]*)"')


def _read(passage: Passage, rows: Rows) -> bool:
    any_row = False
    for line, text in passage.numbered():
        stripped = text.strip()
        if stripped.startswith("{") and '"response_flags"' in stripped:
            said = json_text.loaded(stripped)
            if isinstance(said, dict):
                any_row |= _of_json(passage, rows, line, said)
            else:
                rows.problem(line, "a line of Envoy's JSON that is cut or broken")
        elif found := _TEXT.fullmatch(stripped):
            ts = clock.rfc3339(found[1])
            quoted = _QUOTED.findall(found[10])
            upstream = quoted[4] if len(quoted) > 4 and ":" in quoted[4] else None
            status = json_text.whole(found[4]) or None
            flags = None if found[5] == "-" else found[5]
            rows.add(
                gateway.TABLE,
                passage.untimed,
                line,
                at=None if ts is None else _ended(ts, int(found[8])),
                proxy="envoy",
                method=found[2],
                path=found[3].partition("?")[0],
                status=status,
                flags=flags,
                ended=endings.of_flags(flags) or endings.of_status(status),
                received=int(found[6]),
                sent=int(found[7]),
                duration=int(found[8]) * 10**6,
                response=None if found[9] == "-" else int(found[9]) * 10**6,
                upstream=upstream,
            )
            any_row = True
    return any_row


def _of_json(passage: Passage, rows: Rows, line: int, said: Mapping[str, Any]) -> bool:
    ts = clock.rfc3339(str(said.get("start_time", "")))
    duration = json_text.whole(said.get("duration"))
    status = json_text.whole(said.get("response_code")) or None
    flags = json_text.text(said.get("response_flags"))
    rows.add(
        gateway.TABLE,
        passage.untimed,
        line,
        at=None if ts is None else _ended(ts, duration or 0),
        proxy="envoy",
        client=json_text.text(said.get("downstream_remote_address")),
        method=json_text.text(said.get("method")),
        path=(json_text.text(said.get("path")) or "").partition("?")[0] or None,
        status=status,
        flags=flags,
        ended=endings.of_flags(flags) or endings.of_status(status),
        received=json_text.whole(said.get("bytes_received")),
        sent=json_text.whole(said.get("bytes_sent")),
        duration=_ns(said.get("duration")),
        request=_ns(said.get("request_duration")),
        header=_ns(said.get("response_duration")),
        response=_ns(said.get("upstream_service_time")),
        upstream=json_text.text(said.get("upstream_host")),
    )
    return True


def _ended(start: int, ms: int) -> Moment:
    """Envoy writes when a request began; a row's time is its end, as with nginx."""
    return Moment(start + ms * 10**6, "line")


def _ns(value: Any) -> int | None:
    ms = json_text.whole(value)
    return None if ms is None or ms > 10**9 else ms * 10**6


KIND = Log("envoy access log", (gateway.TABLE,), ('Z] "', '"response_flags"'), _read)
