"""`ping` and `ping6`, of Linux, BSD, macOS and BusyBox: each reply, the numbers without one, and the summary."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from badhop.sources.outputs import clock
from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.passage import Moment, Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import probes

_HEAD = re.compile(r"PING6?\s?[^ (]*\s?\(.*bytes")
_TARGET = re.compile(r"PING6? ([^ (]+)")
_SIX = re.compile(r"PING6\([^)]*\) (\S+) --> (\S+)")
_STAMP = re.compile(r"\[(\d{10}\.\d+)\] ")
_REPLY = re.compile(r"\d+ bytes from (\S+?)[:,]? (?:\(([^)]+)\)[:,]? )?(?:icmp_)?seq=(\d+) (?:ttl|hlim)=(\d+)")
_TIME = re.compile(r" time[=<](\d+\.?\d*) ?ms")
_SILENT = re.compile(r"no answer yet for icmp_seq=(\d+)|Request timeout for icmp_seq (\d+)")
_ERROR = re.compile(r"From (\S+?)(?: \(([^)]+)\))?:? icmp_seq=(\d+) (.+)")
_COUNTS = re.compile(r"(\d+) packets transmitted, (\d+) (?:packets )?received")
_LOSS = re.compile(r"(\d+\.?\d*)% packet loss")
_TIMES = re.compile(
    r"(?:rtt|round-trip) min/avg/max(?:/(?:mdev|stddev|std-dev))? = "
    r"(\d+\.?\d*)/(\d+\.?\d*)/(\d+\.?\d*)(?:/(\d+\.?\d*|nan))?"
)
_MTU = re.compile(r"mtu ?= ?(\d+)")


def _recognise(passage: Passage) -> bool:
    return any(_HEAD.match(text) for text in passage.opening[:3])


def _read(passage: Passage, rows: Rows) -> None:
    target: str | None = None
    for line, text in passage.numbered():
        stamp = _STAMP.match(text)
        ts = clock.epoch(stamp[1]) if stamp else None
        at = None if ts is None else Moment(ts, "line")
        said = text[stamp.end() :] if stamp else text
        if said.startswith("PING"):
            six = _SIX.match(said)
            target = six[2] if six else _target(said)
        elif found := _part(said):
            rows.add(probes.TABLE, passage, line, at=at, tool="ping", target=target, **found)
        elif "packets transmitted" in said:
            rows.add(probes.TABLE, passage, line, tool="ping", target=target, part="summary", **_summary(passage, line))


def _target(text: str) -> str | None:
    found = _TARGET.match(text)
    return found[1] if found else None


def _part(text: str) -> dict[str, Any] | None:
    if " bytes from " in text and (found := _REPLY.match(text)):
        time = _TIME.search(text)
        return {
            "part": "reply",
            "address": found[2] or found[1],
            "sequence": int(found[3]),
            "ttl": int(found[4]),
            "rtt": float(time[1]) if time else None,
        }
    if "icmp_seq" not in text:
        return None
    if found := _SILENT.search(text):
        return {"part": "no-reply", "sequence": int(found[1] or found[2])}
    if found := _ERROR.match(text):
        mtu = _MTU.search(found[4])
        return {
            "part": "no-reply",
            "address": found[2] or found[1],
            "sequence": int(found[3]),
            "error": found[4].strip(),
            "mtu": int(mtu[1]) if mtu else None,
        }
    return None


def _summary(passage: Passage, line: int) -> dict[str, Any]:
    """The line with the counts, and the one with the round trips behind it."""
    index = line - passage.lines.first
    text = passage.lines.texts[index]
    counts, loss = _COUNTS.search(text), _LOSS.search(text)
    found: dict[str, Any] = {"loss": float(loss[1]) / 100 if loss else None}
    if counts:
        found |= {"sent": int(counts[1]), "received": int(counts[2])}
    for times in _round_trips(passage.lines.texts[index + 1 : index + 3]):
        low, mean, high, deviation = times.groups()
        found |= {"rtt_min": float(low), "rtt": float(mean), "rtt_max": float(high)}
        if deviation and deviation != "nan":
            found["rtt_deviation"] = float(deviation)
    return found


def _round_trips(texts: Sequence[str]) -> Iterator[re.Match[str]]:
    for text in texts:
        if found := _TIMES.match(text):
            yield found


KIND = Output("ping", (probes.TABLE,), _recognise, _read, re.compile(r"PING6?[ (].*bytes"))
