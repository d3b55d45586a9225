"""`journalctl -o json`: entries of the kernel that matter, one JSON object a line."""

from typing import Any

from badhop.sources.outputs import json_text
from badhop.sources.outputs.kind import Log
from badhop.sources.outputs.kinds.system.kernel_events import event_of
from badhop.sources.outputs.kinds.system.kernel_line import LEVELS, kernel_line
from badhop.sources.outputs.passage import Moment, Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import host_events


def _read(passage: Passage, rows: Rows) -> bool:
    any_entry = False
    for line, text in passage.numbered():
        if '"MESSAGE"' not in text or '"__REALTIME_TIMESTAMP"' not in text:
            continue
        entry = json_text.loaded(text.strip().rstrip(","))
        if not isinstance(entry, dict):
            rows.problem(line, "an entry of the journal that is cut or broken")
            continue
        any_entry = True
        said = kernel_line(_message(entry.get("MESSAGE")))
        if (found := event_of(said.text)) is None:
            continue
        event, values = found
        us = json_text.whole(entry.get("__REALTIME_TIMESTAMP"))
        since_boot = json_text.whole(entry.get("_SOURCE_MONOTONIC_TIMESTAMP") or entry.get("__MONOTONIC_TIMESTAMP"))
        level = json_text.whole(entry.get("PRIORITY"))
        host = entry.get("_HOSTNAME")
        rows.add(
            host_events.TABLE,
            passage.untimed,
            line,
            at=Moment(us * 1000, "line") if us is not None and us < 2**53 else None,
            event=event,
            uptime=None if since_boot is None or since_boot >= 2**53 else since_boot * 1000,
            level=LEVELS[level] if level is not None and level < len(LEVELS) else None,
            text=said.text,
            **values,
            **({"host": host} if isinstance(host, str) else {}),
        )
    return any_entry


def _message(value: Any) -> str:
    """A message that is no UTF-8 is exported as a list of its bytes (systemd's Journal JSON Format)."""
    if isinstance(value, list):
        return bytes(byte for byte in value if isinstance(byte, int) and 0 <= byte < 256).decode("utf-8", "replace")
    return value if isinstance(value, str) else ""


KIND = Log("journal", (host_events.TABLE,), ('"__REALTIME_TIMESTAMP"',), _read)
