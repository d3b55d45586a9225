"""Lines of PyTorch's C++ code: rank of the launcher, severity, time and source before the text.

`[rank3]:[E1103 10:15:20.123456789 ProcessGroupNCCL.cpp:616] [PG ID 0 PG GUID 0(default_pg) Rank 3] text`; older ones
have no time (`[E ProcessGroupNCCL.cpp:475]`), and other groups or none.
"""

import calendar
import re
from dataclasses import dataclass

from badhop.sources.outputs import clock
from badhop.sources.outputs.passage import Moment, Passage

_SOURCE = re.compile(
    r"\[?([EWIF])(?:(\d{1,2})(\d\d) (\d\d:\d\d:\d\d\.\d{1,9}) +(?:\d{1,10} )?|\d{0,4} )"
    r"((?:ProcessGroup|TraceUtils|NCCLUtils|FlightRecorder|Backend)\w{0,40}\.[ch]pp:\d{1,6})\] ?"
)
_RANK = re.compile(r"\[rank(\d{1,8})\]:? ?\[?[EWIF]")
_GROUP = re.compile(
    r"\[(?:PG ID (?P<id>\d{1,8}) PG GUID (?P<name>[^\s(\]]{1,120})(?:\((?P<desc>[^)\]]{0,200})\))? "
    r"|PG (?P<old>\w{1,120}) )?Rank (?P<rank>\d{1,8})\] ?"
)

_LONGEST = 4096
"""Characters of a line that are read; the longest real ones have a stack trace in the lines after them."""


@dataclass(frozen=True)
class Torch:
    """A line, taken apart."""

    line: int
    rank: int | None
    severity: str | None
    place: str | None
    pg_id: str | None
    pg: str | None
    pg_desc: str | None
    pg_rank: int | None
    text: str
    at: Moment | None


def take_apart(passage: Passage, line: int, text: str) -> Torch:
    """What stands before the text of a line, and the text. A time has no year: the latest that fits is taken."""
    text = text[:_LONGEST]
    source = _SOURCE.search(text)
    prefix = _RANK.search(text)
    at = None
    rest = text.strip()
    if source:
        rest = text[source.end() :].strip()
        at = _moment(passage, line, source)
    group = _GROUP.match(rest)
    if group:
        rest = rest[group.end() :].strip()
    pg_rank = int(group["rank"]) if group else None
    default = group is not None and (group["desc"] == "default_pg" or group["name"] == "0")
    return Torch(
        line=line,
        rank=int(prefix[1]) if prefix else pg_rank if default else None,
        severity=source[1] if source else None,
        place=source[5] if source else None,
        pg_id=(group["id"] or group["old"]) if group else None,
        pg=group["name"] if group else None,
        pg_desc=group["desc"] if group else None,
        pg_rank=pg_rank,
        text=rest,
        at=at,
    )


def _moment(passage: Passage, line: int, source: re.Match[str]) -> Moment | None:
    if source[4] is None or not 1 <= int(source[2]) <= 12:
        return None
    stamped = passage.stamp(line)
    month = calendar.month_abbr[int(source[2])]
    ts = clock.syslog(f"{month} {source[3]} {source[4]}", stamped.ts if stamped else None)
    return None if ts is None else Moment(ts, "line")
