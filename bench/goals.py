"""The ratios that count: one row over another of the same run.

`due` fails the gate, `goal` is what is aimed at; the numbers in brackets are those of the shared bench's list of goals.
"""

from collections.abc import Container, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Goal:
    """How many times faster `row` must be than `against`."""

    row: str
    against: str
    why: str
    goal: float
    due: float | None = None
    by: str = "packets_per_s"


GOALS = (
    Goal("diagnose", "tshark", "whole diagnosis, times tshark's three fields (3)", 250, due=100),
    Goal("diagnose", "libpcap", "whole diagnosis, times libpcap's bare fields (3)", 1.8, due=1),
    Goal("again", "diagnose", "second opening of a file, times the first", 10, due=10),
    Goal("track", "track-1", "diagnosis, two threads over one", 2, due=1.6),
    Goal("track", "walker-2", "diagnosis, share of the ceiling (3)", 0.07),
    Goal("seven", "walker-2", "seven columns, share of the ceiling (1)", 0.5, due=0.25),
    Goal("seven-1", "walker-1", "seven columns, share of the ceiling, 1 thread (1)", 0.5),
    Goal("seven", "libpcap", "seven columns, times libpcap (1)", 12),
    Goal("seven", "tshark", "seven columns, times tshark (1)", 1700),
    Goal("full", "walker-2", "full frame, share of the ceiling (2)", 0.15),
    Goal("full", "tshark", "full frame, times tshark (2)", 500),
    Goal("seven-full", "walker-roce_full", "seven columns of whole packets, share of the ceiling (4)", 0.5),
    Goal("icrc", "memcpy", "every ICRC checked, share of copying (5)", 0.55, by="bytes_per_s"),
    Goal("inner", "walker-mixed", "inner headers, share of the ceiling (6)", 0.4),
    Goal("tcp", "tcptrace", "TCP analysis, times tcptrace (7)", 7, due=1),
    Goal("tcp", "tcp-1", "TCP analysis, two threads over one", 2),
    Goal("tcp", "walker-sse", "TCP analysis, share of the ceiling (7)", 0.1),
    Goal("tcp", "tshark-tcp", "TCP analysis, times tshark in two passes (7)", 600),
    Goal("tokens", "tcpflow", "down to tokens, times tcpflow (8)", 24),
    Goal("tokens", "walker-sse", "down to tokens, share of the ceiling (8)", 0.05),
    Goal("zst", "zstd", "compressed capture, share of its decompressor (13)", 0.95, due=0.9),
    Goal("first-row", "tshark-first-row", "first row of a small capture, times tshark (15)", 30),
)


@dataclass(frozen=True)
class Bound:
    """The most memory of its own that a row may take, in MB."""

    row: str
    why: str
    due: float
    goal: float


BOUNDS = (
    Bound("diagnose", "whole diagnosis, own memory, MB", due=300, goal=128),
    Bound("piped", "diagnosis of a long pipe, own memory, MB", due=300, goal=128),
    Bound("streamed", "every column streamed, own memory, MB (14)", due=300, goal=128),
)


@dataclass(frozen=True)
class Reached:
    """A goal and what was measured; None when one of its rows is missing."""

    goal: Goal
    ratio: float | None
    by_cpu: float | None
    """The same of the CPU time that each took: it says little of two threads, and holds on a busy machine."""
    starved: bool
    """One of its rows waited for a core that other work had: the ratio says nothing, however good it looks."""

    @property
    def missed(self) -> bool:
        due = self.goal.due
        return due is not None and self.ratio is not None and (self.starved or self.ratio < due)


def reached(rates: Mapping[str, Mapping[str, float]], starved: Container[str]) -> list[Reached]:
    """`rates` has, for each row, its rates by name; `starved` the rows that waited for a core."""

    def ratio(goal: Goal, of: str = "") -> float | None:
        one, other = (rates.get(name, {}).get(goal.by + of) for name in (goal.row, goal.against))
        return one / other if one and other else None

    def one(goal: Goal) -> Reached:
        return Reached(goal, ratio(goal), ratio(goal, " of CPU"), goal.row in starved or goal.against in starved)

    return list(map(one, GOALS))
