"""The bytes of a text file as clean lines: decoded, without colours and without what a log collector put before them.

A line keeps its number, so that every row can name it. What a collector wrote (a time, the host or pod) is kept apart.
"""

import codecs
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from badhop.sources.outputs.clock import rfc3339, syslog

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_ESCAPES = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[PX^_][^\x1b]*(?:\x1b\\)?|[ -/]+[0-~]|[0-Z\\^-~])"
)
"""ECMA-48: CSI (colours, cursor), OSC (titles, links), the string sequences, and two-character escapes."""

_UNIFORM = 0.8
"""Share of the lines that must carry a collector's prefix before it is taken off: less may be the program's own."""


@dataclass(frozen=True)
class Stamped:
    """A line without a collector's prefix, and what the prefix said: ns since 1970 in UTC, and a host or pod."""

    text: str
    ts: int | None = None
    host: str | None = None


@dataclass(frozen=True)
class Lines:
    """The lines of a file; `texts[0]` is line `first`. `stamps` is empty where no collector wrote before them."""

    texts: Sequence[str]
    first: int = 1
    stamps: Sequence[Stamped] = ()

    def cut(self, start: int, end: int) -> "Lines":
        """Lines `start` to `end` (exclusive), counted from 0 in `texts`."""
        return Lines(self.texts[start:end], self.first + start, self.stamps[start:end])


def lines_of(content: bytes) -> Lines | None:
    """The lines of a file, or None where it is no text."""
    decoded = _decoded(content)
    if decoded is None:
        return None
    if "\x1b" in decoded:
        decoded = _ESCAPES.sub("", decoded)
    texts = [_overwritten(text) for text in decoded.split("\n")]
    if texts and not texts[-1]:
        texts.pop()
    stamped = _without_prefixes(texts)
    return Lines(texts) if stamped is None else Lines([line.text for line in stamped], 1, stamped)


def _decoded(content: bytes) -> str | None:
    for bom, encoding in _BOMS:
        if content.startswith(bom):
            return content.decode(encoding, "replace")
    if b"\0" in content[:4096]:
        return None
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        # A cut or foreign character must not lose the line; Latin-1 would turn UTF-8 into nonsense.
        return content.decode("utf-8", "backslashreplace")


def _overwritten(text: str) -> str:
    """The line as a terminal leaves it: DOS ends removed, and of a progress line what was written last."""
    text = text.rstrip("\r")
    return text.rsplit("\r", 1)[1] if "\r" in text else text


_CRI = re.compile(r"(\d{4}-\d\d-\d\dT\S+) (?:stdout|stderr) [FP] (.*)", re.DOTALL)
_RFC3339 = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)) (.*)", re.DOTALL)
_POD = re.compile(r"\[pod/([^/\]]+)/[^\]]+\] (.*)", re.DOTALL)
_COMPOSE = re.compile(r"([a-zA-Z0-9][\w.-]*?)\s+\| (.*)", re.DOTALL)
_SYSLOG = re.compile(r"([A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d) ([\w.-]+) (\S.*)", re.DOTALL)


def _cri(text: str) -> Stamped | None:
    found = _CRI.fullmatch(text)
    return Stamped(found[2], rfc3339(found[1])) if found else None


def _docker(text: str) -> Stamped | None:
    if not text.startswith('{"log":'):
        return None
    try:
        entry = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(entry, dict) or not isinstance(entry.get("log"), str):
        return None
    return Stamped(entry["log"].rstrip("\r\n"), rfc3339(str(entry.get("time", ""))))


def _stamp(text: str) -> Stamped | None:
    found = _RFC3339.fullmatch(text)
    return Stamped(found[2], rfc3339(found[1])) if found else None


def _pod(text: str) -> Stamped | None:
    found = _POD.fullmatch(text)
    if found is None:
        return None
    inner = _stamp(found[2])
    return Stamped(found[2], None, found[1]) if inner is None else Stamped(inner.text, inner.ts, found[1])


def _compose(text: str) -> Stamped | None:
    found = _COMPOSE.fullmatch(text)
    return Stamped(found[2], None, found[1]) if found else None


def _syslog(text: str) -> Stamped | None:
    found = _SYSLOG.fullmatch(text)
    return Stamped(found[3], syslog(found[1]), found[2]) if found else None


_PREFIXES: tuple[Callable[[str], Stamped | None], ...] = (_cri, _docker, _pod, _stamp, _syslog, _compose)
"""What stands before each line in the logs of CRI, Docker, kubectl, journalctl (also `-o short-iso-precise` without its
host, which stays in the text), syslog and docker compose; the most particular first."""


def _without_prefixes(texts: Sequence[str]) -> list[Stamped] | None:
    """The lines without the prefix that nearly all of them have, or None when there is none."""
    probe = [text for text in texts[:200] if text.strip()]
    for read in _PREFIXES:
        if probe and sum(read(text) is not None for text in probe) >= _UNIFORM * len(probe):
            return [read(text) or Stamped(text) for text in texts]
    return None
