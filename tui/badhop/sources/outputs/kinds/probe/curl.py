"""`curl -w`: the phases of a request, as `%{json}`, as our own format string, or as `name: seconds` lines."""

import re
from collections.abc import Mapping
from typing import Any

from badhop.sources.outputs import json_text
from badhop.sources.outputs.kind import Log
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import probes

_LINE = re.compile(r"\s*(time_[a-z]+|http_code|response_code)\s*[:=]\s*(\d+(?:\.\d+)?)s?\s*")
_SHORT = {
    "dns": "time_namelookup",
    "tcp": "time_connect",
    "tls": "time_appconnect",
    "sent": "time_pretransfer",
    "ttfb": "time_starttransfer",
    "total": "time_total",
    "code": "http_code",
    "ip": "remote_ip",
    "bytes": "size_download",
}
"""The names of the format string that badhop's playbooks suggest."""


def _read(passage: Passage, rows: Rows) -> bool:
    block: dict[str, Any] = {}
    first = 0
    any_row = False
    for line, text in passage.numbered():
        stripped = text.strip()
        if stripped.startswith("{") and (found := _json(stripped)):
            any_row |= _request(passage, rows, line, found)
        elif found_line := _LINE.fullmatch(text):
            first = first if block else line
            block[found_line[1]] = float(found_line[2])
            if found_line[1] == "time_total":
                any_row |= _request(passage, rows, first, block)
                block = {}
    if block:
        rows.problem(first, "the timing of a request without time_total", "it was not used")
    return any_row


def _json(text: str) -> dict[str, Any] | None:
    if '"time_total"' not in text and not ('"ttfb"' in text and '"total"' in text):
        return None
    found = json_text.loaded(text)
    if not isinstance(found, dict):
        return None
    return {_SHORT.get(str(key), str(key)): value for key, value in found.items()}


def _request(passage: Passage, rows: Rows, line: int, said: Mapping[str, Any]) -> bool:
    at = {name: json_text.amount(said.get(name)) for name in said if name.startswith("time_")}
    if at.get("time_total") is None:
        return False
    code = json_text.whole(said.get("http_code")) or json_text.whole(said.get("response_code"))
    error = said.get("errormsg")
    rows.add(
        probes.TABLE,
        passage,
        line,
        tool="curl",
        part="request",
        target=json_text.text(said.get("url_effective")) or json_text.text(said.get("url")),
        address=json_text.text(said.get("remote_ip")),
        dns=_between(at, None, "time_namelookup"),
        connect=_between(at, "time_namelookup", "time_connect"),
        tls=_between(at, "time_connect", "time_appconnect"),
        wait=_between(at, "time_pretransfer", "time_starttransfer"),
        total=_between(at, None, "time_total"),
        bytes=json_text.whole(said.get("size_download")),
        code=code or None,
        error=json_text.text(error),
    )
    return True


def _between(at: Mapping[str, float | None], before: str | None, after: str) -> int | None:
    """ns from one moment to the next. curl writes 0 for a moment that never came, and for one on a connection that
    stood already: neither is a duration."""
    end, start = at.get(after), 0.0 if before is None else at.get(before)
    if not end or start is None or end < start or end > _LONGEST:
        return None
    return round((end - start) * 1e9)


_LONGEST = 1e6
"""Seconds; nobody waits for ten days."""


KIND = Log("curl -w", (probes.TABLE,), ("time_total", '"ttfb"'), _read)
