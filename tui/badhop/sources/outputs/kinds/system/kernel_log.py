"""Kernel logs as text: dmesg, /dev/kmsg, pstore, journalctl and syslog, alone or among other lines."""

from badhop.sources.outputs.kind import Log
from badhop.sources.outputs.kinds.system.kernel_events import EVENTS, event_of
from badhop.sources.outputs.kinds.system.kernel_line import kernel_line
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import host_events


def _read(passage: Passage, rows: Rows) -> bool:
    of_syslog = bool(passage.lines.stamps)
    any_row = False
    for line, text in passage.numbered():
        if not any(mark in text for mark in _MARKS):
            continue
        said = kernel_line(text, of_syslog=of_syslog)
        if (found := event_of(said.text)) is None:
            continue
        event, values = found
        # A time of when the log was saved is none of the event.
        stamp = said.at or passage.stamp(line)
        at = stamp if stamp and stamp.found == "line" else None
        rows.add(
            host_events.TABLE,
            passage.untimed,
            line,
            at=at,
            event=event,
            uptime=said.uptime,
            level=said.level,
            text=said.text,
            **values,
            **({"host": said.host} if said.host else {}),
        )
        any_row = True
    return any_row or _is_of_the_kernel(passage)


def _is_of_the_kernel(passage: Passage) -> bool:
    """A log of the kernel without any event that matters is evidence, too."""
    texts = [text for text in passage.lines.texts[:_LOOK] if text.strip()]
    return 2 * sum(kernel_line(text).is_kernel for text in texts) > max(len(texts), 3)


_LOOK = 200
_MARKS = tuple(dict.fromkeys(event.mark for event in EVENTS))
_LOGS = ("kernel: ", "-;", "kern  :", "]")
"""What stands in lines of the kernel whatever they say."""

KIND = Log("kernel log", (host_events.TABLE,), (*_MARKS, *_LOGS), _read)
