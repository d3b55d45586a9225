"""`traceroute` and `tracepath`: each hop with who answered; where several routers did there are several rows."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import probes

_HEAD = re.compile(r"traceroute6? to (\S+) \(([^)]+)\)")
_HOP = re.compile(r" ?(\d{1,3})[ ?:]")
_WORD = re.compile(r"\S+")
_PATH = re.compile(r" ?(\d{1,3})(\??): +(\S+)(.*)")
_PATH_TIME = re.compile(r"(\d+\.?\d*) ?ms")
_PATH_MTU = re.compile(r"pmtu (\d+)")
_RESUME = re.compile(r" +Resume: pmtu (\d+)(?: hops (\d+))?")


@dataclass
class _Answers:
    """Who answered at a hop, and when."""

    address: str | None
    times: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


def _is_traceroute(passage: Passage) -> bool:
    return any(_HEAD.match(text) for text in passage.opening[:3])


def _is_tracepath(passage: Passage) -> bool:
    opening = passage.opening
    return bool(opening) and opening[0].startswith("1?: [LOCALHOST]")


def _read_traceroute(passage: Passage, rows: Rows) -> None:
    target, hop = None, 0
    for line, text in passage.numbered():
        if head := _HEAD.match(text):
            target, hop = head[1], 0
            continue
        if number := _HOP.match(text):
            hop, text = int(number[1]), text[number.end() :]
        elif not hop or not text.startswith((" ", "\t")):
            continue
        for answers, silent in _answers(text):
            times = answers.times
            rows.add(
                probes.TABLE,
                passage,
                line,
                tool="traceroute",
                part="hop",
                target=target,
                ttl=hop,
                address=answers.address,
                sent=len(times) + silent,
                received=len(times),
                loss=silent / (len(times) + silent) if times or silent else None,
                rtt=sum(times) / len(times) if times else None,
                rtt_min=min(times, default=None),
                rtt_max=max(times, default=None),
                error=" ".join(answers.errors) or None,
            )


def _answers(text: str) -> Iterator[tuple[_Answers, int]]:
    """The answers of a line by router, each with the stars behind it; stars alone are one silent hop."""
    current, silent = _Answers(None), 0
    words = [word[0] for word in _WORD.finditer(text)]
    for word, after in zip(words, [*words[1:], ""], strict=False):
        if word == "*":
            silent += 1
        elif after == "ms" and _is_number(word):
            current.times.append(float(word))
        elif word.startswith("!"):
            current.errors.append(word)
        elif word.startswith("(") and word.endswith(")"):
            current.address = word[1:-1]
        elif word != "ms" and not word.startswith(("[", "<")):
            if current.times:
                yield current, silent
                silent = 0
            current = _Answers(word)
    if current.times or silent:
        yield current, silent


def _is_number(word: str) -> bool:
    return word.replace(".", "", 1).isdecimal()


def _read_tracepath(passage: Passage, rows: Rows) -> None:
    for line, text in passage.numbered():
        if found := _RESUME.match(text):
            hops = int(found[2]) if found[2] else None
            rows.add(probes.TABLE, passage, line, tool="tracepath", part="summary", mtu=int(found[1]), ttl=hops)
        elif (found := _PATH.match(text)) and found[3] != "[LOCALHOST]":
            time, mtu = _PATH_TIME.search(found[4]), _PATH_MTU.search(found[4])
            silent = found[3] == "no"  # no reply
            rows.add(
                probes.TABLE,
                passage,
                line,
                tool="tracepath",
                part="hop",
                ttl=int(found[1]),
                address=None if silent else found[3],
                rtt=float(time[1]) if time and not silent else None,
                mtu=int(mtu[1]) if mtu else None,
            )


TRACEROUTE = Output(
    "traceroute", (probes.TABLE,), _is_traceroute, _read_traceroute, re.compile(r"traceroute6? to \S+ \(")
)
TRACEPATH = Output("tracepath", (probes.TABLE,), _is_tracepath, _read_tracepath)
