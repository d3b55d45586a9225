"""nginx access logs: the combined format, with `rt=` `uct=` `uht=` `urt=` behind it, and JSON with nginx' own names."""

import re
from collections.abc import Mapping
from typing import Any

from badhop.sources.outputs import clock, json_text
from badhop.sources.outputs.kind import Log
from badhop.sources.outputs.kinds.serving import endings
from badhop.sources.outputs.passage import Moment, Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import gateway

_COMBINED = re.compile(r'(\S+) - \S+ \[([^\]]+)\] "([A-Z]+) ([^" ]*)[^"]*" (\d{3}) (\d+|-)(.*)')
_FIELD = re.compile(
    r"\b(rt|uct|uht|urt|ua|us|uaddr|ustatus|request_time|upstream_[a-z]+_time|upstream_addr|upstream_status)"
    r'=("[^"]*"|\S+)'
)
_NAMES = {
    "rt": "request_time",
    "uct": "upstream_connect_time",
    "uht": "upstream_header_time",
    "urt": "upstream_response_time",
    "uaddr": "upstream_addr",
    "ua": "upstream_addr",
    "us": "upstream_status",
    "ustatus": "upstream_status",
}
"""The abbreviations that nginx' own articles and most sites use."""

_CLOCK = re.compile(r"(\d\d)/([A-Z][a-z]{2})/(\d{4}):(\d\d:\d\d:\d\d) ([+-]\d{4})")


def _read(passage: Passage, rows: Rows) -> bool:
    any_row = False
    for line, text in passage.numbered():
        if '"request_time"' in text:
            said = json_text.loaded(text.strip())
            if not isinstance(said, dict):
                rows.problem(line, "a line of nginx' JSON that is cut or broken")
                continue
            any_row |= _request(passage, rows, line, {str(key): value for key, value in said.items()})
        elif found := _COMBINED.fullmatch(text.strip()):
            client, time, method, path, status, sent, rest = found.groups()
            fields = {_NAMES.get(name, name): value.strip('"') for name, value in _FIELD.findall(rest)}
            base = {"remote_addr": client, "time_local": time, "request_method": method, "uri": path}
            any_row |= _request(passage, rows, line, {**base, "status": status, "body_bytes_sent": sent, **fields})
    return any_row


def _request(passage: Passage, rows: Rows, line: int, said: Mapping[str, Any]) -> bool:
    status = json_text.whole(said.get("status"))
    connects = _tries(said.get("upstream_connect_time"))
    headers = _tries(said.get("upstream_header_time"))
    responses = _tries(said.get("upstream_response_time"))
    upstreams, statuses = _tries(said.get("upstream_addr")), _tries(said.get("upstream_status"))
    method, path = said.get("request_method"), said.get("uri") or said.get("request_uri")
    if isinstance(request := said.get("request"), str) and not path:
        method, _, path = request.partition(" ")
    rows.add(
        gateway.TABLE,
        passage.untimed,
        line,
        at=_time(said) or _stamp(passage, line),
        proxy="nginx",
        client=json_text.text(said.get("remote_addr")),
        method=json_text.text(method),
        path=_path(path),
        status=status,
        upstream=_last(upstreams),
        upstream_status=json_text.whole(_last(statuses)),
        tries=len(upstreams) or None,
        duration=_ns(said.get("request_time")),
        connect=_ns(_last(connects)),
        header=_ns(_last(headers)),
        response=_ns(_last(responses)),
        sent=json_text.whole(said.get("bytes_sent") or said.get("body_bytes_sent")),
        received=json_text.whole(said.get("request_length")),
        ended=endings.of_status(status),
    )
    return True


def _tries(value: Any) -> list[str]:
    """The values of several tries: `0.002, 0.100 : 0.5`; one that was never reached is `-`."""
    return [part.strip() for part in re.split(r",| : ", str(value))] if value not in (None, "", "-") else []


def _last(values: list[str]) -> str | None:
    return values[-1] if values and values[-1] != "-" else None


def _ns(seconds: Any) -> int | None:
    value = json_text.amount(seconds)
    return round(value * 1e9) if value is not None and 0 <= value < 1e6 else None


def _time(said: Mapping[str, Any]) -> Moment | None:
    ts: int | None = None
    if isinstance(value := said.get("time_iso8601") or said.get("time"), str):
        ts = clock.rfc3339(value)
    if ts is None and (found := _CLOCK.fullmatch(str(said.get("time_local", "")))):
        ts = clock.date_line(f"{found[1]} {found[2]} {found[3]} {found[4]} {found[5]}")
    if ts is None and (seconds := json_text.amount(said.get("msec"))) is not None and 0 < seconds < 2**33:
        ts = round(seconds * 1000) * 10**6
    return None if ts is None else Moment(ts, "line")


def _stamp(passage: Passage, line: int) -> Moment | None:
    stamp = passage.stamp(line)
    return stamp if stamp and stamp.found == "line" else None


def _path(value: Any) -> str | None:
    return value.split()[0].partition("?")[0] if isinstance(value, str) and value.split() else None


KIND = Log("nginx access log", (gateway.TABLE,), ('] "', '"request_time"'), _read)
