"""One line of a kernel log without what stands before the message, in every style of time stamp."""

import re
from dataclasses import dataclass

from badhop.sources.outputs import clock
from badhop.sources.outputs.passage import Moment

LEVELS = ("emerg", "alert", "crit", "err", "warn", "notice", "info", "debug")
"""By number, as `include/linux/kern_levels.h` has them."""

_KMSG = re.compile(r"(\d{1,4}),\d+,(\d{1,18}),[^;]*;")
_DECODED = re.compile(r"(?:kern|user|daemon|syslog) *:([a-z]+) *: ")
_NUMBER = re.compile(r"<(\d{1,3})>")
_UPTIME = re.compile(r"\[ *(\d{1,10})\.(\d{6})\](?:\[[^\]]*\])? ?")
_CTIME = re.compile(r"\[([A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4})\] ")
_RELTIME = re.compile(r"\[[A-Z][a-z]{2}\d{1,2} \d\d:\d\d\] |\[ +[+<] *\d+\.\d+>?\] ")
_ISO = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.,]?\d*(?:Z|[+-]\d\d:?\d\d)) ")
_HOST = re.compile(r"([A-Za-z0-9][\w.-]{0,252}) (?=kernel:|[\w.@/-]+\[\d+\]:)")
_TAG = re.compile(r"(kernel|[\w.@/-]{1,64}(?:\[\d+\])?): ")


@dataclass(frozen=True)
class KernelLine:
    """The message, and what stood before it."""

    text: str
    at: Moment | None = None
    uptime: int | None = None
    level: str | None = None
    host: str | None = None
    is_kernel: bool = False
    """Whether something before the message is only found in logs of the kernel."""


def kernel_line(text: str, *, of_syslog: bool = False) -> KernelLine:
    """A line of dmesg (also -T, -x, --time-format iso), /dev/kmsg, pstore, journalctl or syslog.

    `of_syslog` is for one whose time and host were taken off before: then a program's name may stand first.
    """
    at: Moment | None = None
    uptime: int | None = None
    level: str | None = None
    host: str | None = None
    if found := _KMSG.match(text):
        return KernelLine(text[found.end() :], None, int(found[2]) * 1000, LEVELS[int(found[1]) & 7], None, True)
    if found := _DECODED.match(text):
        level, text = found[1], text[found.end() :]
    elif found := _NUMBER.match(text):
        level, text = LEVELS[int(found[1]) & 7], text[found.end() :]
    if found := _ISO.match(text):
        ts = clock.rfc3339(found[1])
        at, text = Moment(ts, "line") if ts is not None else None, text[found.end() :]
    elif found := _CTIME.match(text):
        ts = clock.date_line(found[1])
        at, text = Moment(ts, "line") if ts is not None else None, text[found.end() :]
    elif found := _RELTIME.match(text):
        text = text[found.end() :]
    if found := _HOST.match(text):
        host, text = found[1], text[found.end() :]
    tagged = text.startswith("kernel: ")
    if (found := _TAG.match(text)) and (found[1] == "kernel" or host or of_syslog):
        text = text[found.end() :]
    if found := _UPTIME.match(text):
        uptime, text = int(found[1]) * 10**9 + int(found[2]) * 1000, text[found.end() :]
    return KernelLine(text, at, uptime, level, host, tagged or uptime is not None or level is not None)
