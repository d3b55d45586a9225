"""The communicators of an NCCL log: which rank of which one each process and GPU has, and when it was set up."""

import re
from bisect import bisect_right
from dataclasses import dataclass
from itertools import pairwise

from badhop.sources.outputs.kinds.training.nccl_lines import Said
from badhop.sources.outputs.passage import Moment

_TIMINGS = re.compile(r"Init timings(?: - \w+)?: rank (\d{1,9}) nranks (\d{1,9}) total (\d+\.\d+) \((.{0,400})")
_TIMING = re.compile(r"(\w+) (\d+\.\d+)")
_POINTER = re.compile(r"0x[0-9a-f]{1,16}")
_ID = re.compile(r"0x[0-9a-f]{1,32}")
_HEX = re.compile(r"[0-9a-f]{1,12}")

_STATES = (
    (" Init START", "init started"),
    (" Init COMPLETE", "init complete"),
    ("Destroy COMPLETE", "destroyed"),
    ("Abort COMPLETE", "aborted"),
)

_NEAR = 64
"""Communicators of one GPU that are looked through for the one that a line belongs to: no rank sets up more at once."""


@dataclass
class Communicator:
    """A rank of a communicator, as one process tells it."""

    device: tuple[str | None, int | None, int | None]
    pointer: str
    first: int
    last: int
    at: Moment | None
    state: str = "seen"
    comm_id: str | None = None
    parent: str | None = None
    rank: int | None = None
    nranks: int | None = None
    nnodes: int | None = None
    local_rank: int | None = None
    gpu: int | None = None
    nvml_gpu: int | None = None
    bus_id: str | None = None
    started: int | None = None
    completed: int | None = None
    ended: int | None = None
    init_s: float | None = None
    bootstrap_s: float | None = None
    connect_s: float | None = None

    def has(self, *ranks: int) -> bool:
        """Whether all of these can be ranks of it and one of them is the teller's."""
        return self.nranks is not None and all(rank < self.nranks for rank in ranks) and self.rank in ranks


class Communicators:
    """All of a log."""

    MOST = 200_000
    """Ranks of communicators kept of a log: more come only from a hostile file."""

    def __init__(self) -> None:
        self.all: list[Communicator] = []
        self.full = False
        self._open: dict[tuple[str | None, int | None, str], Communicator] = {}
        self._of: dict[tuple[str | None, int | None, int | None], list[Communicator]] = {}
        self._ranks: dict[tuple[str | None, int | None, int | None], int | None] = {}

    def read(self, message: Said) -> None:
        """Takes what a message tells of a communicator."""
        text = message.text
        if "Init timings" in text and (found := _TIMINGS.search(text)):
            self._timed(message, found)
        elif "comm 0x" in text and (" rank " in text or "Rank" in text):
            state = next((state for word, state in _STATES if word in text), None)
            if state is not None or " nRanks " in text:
                self._told(message, _words(text), state)

    def _told(self, message: Said, words: dict[str, str], state: str | None) -> None:
        pointer = words.get("comm", "")
        if _POINTER.fullmatch(pointer) is None or _number(words.get("rank")) is None:
            return
        known = self._open.get((*message.process, pointer))
        if known is None or (state == "init started" and known.state != "seen") or known.ended is not None:
            if len(self.all) >= self.MOST:
                self.full = True
                return
            known = Communicator(message.device, pointer, message.line, message.line, message.at)
            self.all.append(known)
            self._open[(*message.process, pointer)] = known
            self._of.setdefault(message.device, []).append(known)
        known.last = message.line
        _fill(known, words)
        if state is not None:
            known.state = state
            if state == "init started":
                known.started = message.line
            elif state == "init complete":
                known.completed = message.line
            else:
                known.ended = message.line

    def _timed(self, message: Said, found: re.Match[str]) -> None:
        rank, nranks = int(found[1]), int(found[2])
        for known in reversed(self._of.get(message.device, ())[-_NEAR:]):
            if (known.rank, known.nranks) == (rank, nranks):
                parts = dict(_TIMING.findall(found[4]))
                known.last, known.init_s = message.line, float(found[3])
                known.bootstrap_s = float(parts["bootstrap"]) if "bootstrap" in parts else None
                known.connect_s = float(parts["connections"]) if "connections" in parts else None
                return

    def by_pointer(self, message: Said, pointer: str) -> Communicator | None:
        """The one that a process means by a pointer now."""
        return self._open.get((*message.process, pointer))

    def only(self, device: tuple[str | None, int | None, int | None]) -> Communicator | None:
        """The one of a GPU that has no other."""
        known = self._of.get(device, ())
        return known[0] if len(known) == 1 else None

    def rank_in_job(self, device: tuple[str | None, int | None, int | None]) -> int | None:
        """The rank in the largest communicator of a GPU; None where several of that size do not agree.

        To be asked when all lines are read.
        """
        if device not in self._ranks:
            known = self._of.get(device, ())
            largest = max((one.nranks or 0 for one in known), default=0)
            ranks = {one.rank for one in known if one.nranks == largest}
            self._ranks[device] = ranks.pop() if len(ranks) == 1 else None
        return self._ranks[device]

    def at(self, message: Said, *ranks: int) -> Communicator | None:
        """The one that a line about connections belongs to: that being set up; else the only one with these ranks.

        Before 2.16 only the end of a set-up is logged: there it is the next one that ends. To be asked when all lines
        are read.
        """
        known = self._of.get(message.device, [])
        after = bisect_right(known, message.line, key=lambda one: one.first)
        before = known[max(0, after - _NEAR) : after]
        for one in reversed(before):
            if one.started is not None and (one.completed is None or message.line <= one.completed):
                return one
        following = known[after] if after < len(known) else None
        if following is not None and following.started is None and following.completed is not None:
            return following
        fit = [one for one in before if (one.ended is None or one.ended > message.line) and one.has(*ranks)]
        return fit[0] if len(fit) == 1 and after <= _NEAR else None


def _words(text: str) -> dict[str, str]:
    """Each word with the one after it: `rank 3 nranks 8` has rank → 3; the first one counts."""
    split = text[:1000].split()
    pairs: dict[str, str] = {}
    for word, value in pairwise(split):
        pairs.setdefault(word, value)
    return pairs


def _fill(known: Communicator, words: dict[str, str]) -> None:
    known.rank = _number(words.get("rank"))
    nranks = _number(words.get("nranks") or words.get("nRanks"))
    known.nranks = known.nranks if nranks is None else nranks
    for name, word in (("nnodes", "nNodes"), ("local_rank", "localRank"), ("gpu", "cudaDev"), ("nvml_gpu", "nvmlDev")):
        if (value := _number(words.get(word))) is not None:
            setattr(known, name, value)
    for name, word, form in (("bus_id", "busId", _HEX), ("comm_id", "commId", _ID), ("parent", "parent", _POINTER)):
        if form.fullmatch(words.get(word, "")):
            setattr(known, name, words[word])


def _number(text: str | None) -> int | None:
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) < 10 else None
