"""What processes said in an NCCL log: one `Said` for each message, also where several stand in one line.

The grammar is that of NCCL 2.10 to 2.30: `host:pid:tid [gpu] place NCCL WARN text`, with a time before it where
NCCL_DEBUG_TIMESTAMP_FORMAT asks for one. Launchers put more before it (`[rank3]:`, `12: `): it is looked for, not
expected at the line's start.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from badhop.sources.outputs import clock
from badhop.sources.outputs.passage import Moment, Passage

MARKS = ("NCCL INFO", "NCCL WARN", "NCCL CALL", "NCCL TRACE", "NCCL ABORT")

_MARK = re.compile(r"NCCL (INFO|WARN|CALL|TRACE|ABORT) ?")
_HEAD = re.compile(
    r"(?:\[?(\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?)\]?:? ?)?"
    r"([A-Za-z0-9][\w.-]{0,254}):(\d{1,10}):(\d{1,10}) (?:\[(-?\d{1,4})\] )?(?:([\w./+-]{1,120}:\d{1,6}) )?"
    r"(?:\([\w:~<>]{1,120}\) )?$"
)
_PART_OF_HEAD = re.compile(r"\[(-?\d{1,4})\] (?:([\w./+-]{1,120}:\d{1,6}) )?$")
"""What is left of it where a log begins in the middle of a line."""

_LONGEST_HEAD = 600
"""Characters before a message that are looked at: a host has at most 255, a source file less."""

LONGEST = 4096
"""Characters of a message that are read; NCCL's own buffer has 1,024 (src/debug.cc)."""


@dataclass(frozen=True)
class Said:
    """A message and who said it. `pid` is None where the log begins in the middle of it."""

    lines: tuple[int, ...]
    host: str | None
    pid: int | None
    tid: int | None
    gpu: int | None
    level: str
    place: str | None
    text: str
    at: Moment | None

    @property
    def line(self) -> int:
        """The line that it begins in."""
        return self.lines[0]

    @property
    def process(self) -> tuple[str | None, int | None]:
        """What tells its process apart from all others."""
        return self.host, self.pid

    @property
    def device(self) -> tuple[str | None, int | None, int | None]:
        """Its process and GPU: what has one rank in a communicator."""
        return self.host, self.pid, self.gpu


def said(passage: Passage) -> Iterator[Said]:
    """Every message of NCCL in the order of the lines."""
    hosts: dict[int, str] = {}
    texts = passage.lines.texts
    for index, text in enumerate(texts):
        if "NCCL " not in text:
            continue
        messages = list(_messages(text, passage.lines.first + index, hosts))
        if messages and _is_cut(messages[-1].text) and index + 1 < len(texts):
            messages[-1] = _with_next(messages[-1], texts[index + 1])
        yield from messages


def _messages(text: str, line: int, hosts: dict[int, str]) -> Iterator[Said]:
    marks = list(_MARK.finditer(text))
    heads: list[tuple[int, Said]] = []
    after = 0
    for mark in marks:
        before = text[max(after, mark.start() - _LONGEST_HEAD) : mark.start()]
        heads.append(_head(before, mark.start() - len(before), not heads, hosts))
        after = mark.end()
    for number, (mark, (_, who)) in enumerate(zip(marks, heads, strict=True)):
        end = heads[number + 1][0] if number + 1 < len(marks) else len(text)
        said = text[mark.end() : min(end, mark.end() + LONGEST)].rstrip()
        yield replace(who, lines=(line,), level=mark[1], text=said)


_NOBODY = Said((), None, None, None, None, "", None, "", None)


def _head(before: str, start: int, first: bool, hosts: dict[int, str]) -> tuple[int, Said]:
    """Where in the line a message's head begins, and who it says is speaking; `before` begins at `start`."""
    head = _HEAD.search(before)
    if head is None:
        part = _PART_OF_HEAD.search(before)
        who = replace(_NOBODY, gpu=int(part[1]), place=part[2]) if part else _NOBODY
        return start + len(before), who
    stamp, found, pid, tid, gpu, place = head.groups()
    begin, host = start + head.start(), found
    if not first:
        # The end of the message before it may stick to the host: only a host that this process had before is believed.
        known = hosts.get(int(pid))
        host = known if known and found.endswith(known) else None
        begin = begin if host is None or stamp else start + head.end(2) - len(host)
    elif len(hosts) < _MOST_PROCESSES:
        hosts[int(pid)] = found
    ts = clock.rfc3339(stamp) if stamp else None
    device = int(gpu) if gpu and int(gpu) >= 0 else None
    at = None if ts is None else Moment(ts, "line")
    return begin, replace(_NOBODY, host=host, pid=int(pid), tid=int(tid), gpu=device, place=place, at=at)


_MOST_PROCESSES = 1 << 16
"""Processes whose hosts are remembered: more than any log has."""


def _is_cut(text: str) -> bool:
    """Whether a terminal broke the line: a failed completion always tells its vendor error."""
    return "Got completion" in text and "vendor" not in text


def _with_next(message: Said, following: str) -> Said:
    if not following.strip() or "NCCL " in following:
        return message
    text = f"{message.text} {following.strip()}"[:LONGEST]
    return replace(message, lines=(*message.lines, message.line + 1), text=text)
