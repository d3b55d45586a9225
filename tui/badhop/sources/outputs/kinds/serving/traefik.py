"""Traefik's access log as JSON."""

from typing import Any

from badhop.sources.outputs import clock, json_text
from badhop.sources.outputs.kind import Log
from badhop.sources.outputs.kinds.serving import endings
from badhop.sources.outputs.passage import Moment, Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import gateway


def _read(passage: Passage, rows: Rows) -> bool:
    any_row = False
    for line, text in passage.numbered():
        if '"OriginDuration"' not in text and '"DownstreamStatus"' not in text:
            continue
        said = json_text.loaded(text.strip())
        if not isinstance(said, dict):
            rows.problem(line, "a line of Traefik's JSON that is cut or broken")
            continue
        ts = clock.rfc3339(str(said.get("StartUTC", "")))
        status = json_text.whole(said.get("DownstreamStatus"))
        retries = json_text.whole(said.get("RetryAttempts"))
        rows.add(
            gateway.TABLE,
            passage.untimed,
            line,
            at=None if ts is None else Moment(ts, "line"),
            proxy="traefik",
            client=json_text.text(said.get("ClientHost")),
            method=json_text.text(said.get("RequestMethod")),
            path=(json_text.text(said.get("RequestPath")) or "").partition("?")[0] or None,
            status=status,
            upstream=json_text.text(said.get("ServiceAddr")) or json_text.text(said.get("ServiceName")),
            upstream_status=json_text.whole(said.get("OriginStatus")) or None,
            tries=None if retries is None else retries + 1,
            duration=_ns(said.get("Duration")),
            response=_ns(said.get("OriginDuration")),
            sent=json_text.whole(said.get("DownstreamContentSize")),
            received=json_text.whole(said.get("RequestContentSize")),
            ended=endings.of_status(status),
        )
        any_row = True
    return any_row


def _ns(value: Any) -> int | None:
    ns = json_text.whole(value)
    return ns if ns is not None and ns < 2**62 else None


KIND = Log("traefik access log", (gateway.TABLE,), ('"DownstreamStatus"', '"OriginDuration"'), _read)
