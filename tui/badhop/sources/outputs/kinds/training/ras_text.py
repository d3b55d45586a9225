"""The report of NCCL RAS as text (`ncclras`, or STATUS sent to port 28028), also within the log of the job.

Rows are findings as the report states them. Which rank is behind is a question for an analysis: a lower count is late,
a higher one skips, and counts differ in every job that runs.
"""

import re
from typing import Any

from badhop.sources.outputs.kind import Log
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import ras

_BEGIN = re.compile(r"NCCL version (\S{1,40}) compiled with CUDA")
_SECTION = re.compile(r"(Job summary|Communicators|Errors|Warnings)\b")
_NUMBERS = re.compile(r"\s*\d{1,9}(?:\s+\d{1,9}){2,4}\s*")
_GROUP = re.compile(
    r"\s*(\d{1,9})\s+(\d{1,9})\s+(\d{1,9})\s+[\d-]{1,20}\s+([\d-]{1,20})\s+(\d{1,9})\s+(\S{1,60})\s+(\S{1,60})\s*"
)
_COMMUNICATOR = re.compile(r"#(\d{1,9})-(\d{1,9}) \(([0-9a-fx:]{1,60})\) (\S{1,60})")
_WHERE = re.compile(r" -- GPU (\S{1,60}) managed by process (\d{1,10}) on node (\S{1,120})")
_SAID = r"(?:launched up to operation (\d{1,19})|(not) launched any operations|status (\S{1,60}))"
_RANK = re.compile(rf"Rank (\d{{1,20}})\b(?: has {_SAID})?")
_RANKS = re.compile(rf"(\d{{1,9}}) ranks? (?:have|has) {_SAID}")
_PROCESS = re.compile(r"Process (\d{1,10}) on node (\S{1,120}) managing GPUs? (\S{1,60})")
_MISSING = re.compile(r"Missing communicator data from (\d{1,9}) (?:job process|rank)")
_DIFFERENT = re.compile(r"Communicator ranks have different (\w{1,40}) operation counts")
_ON_RANKS = re.compile(r"error\(?s?\)? on (\d{1,9}) rank|(\d{1,9}) ranks? reported ")
_TIMEOUTS = re.compile(r"encountered (\d{1,9}) communication timeout")
_UNHEARD = re.compile(r"missing data from (\d{1,9}) process(?:es)? \(received from (\d{1,9})")

_BLOCKS = {"INCOMPLETE": "missing", "DEAD": "dead", "TIMEOUT": "finding"}
"""What the processes are that stand under a heading."""


class _Report:
    """One report while it is read."""

    def __init__(self, passage: Passage, rows: Rows, sample: int, version: str) -> None:
        self._passage, self._rows = passage, rows
        self._fixed: dict[str, Any] = {"sample": sample, "version": version}
        self._section = ""
        self._header = ""
        self._block = "finding"
        self._of: dict[str, Any] = {}
        """The communicator that lines are about."""
        self._op: str | None = None
        self._group_says: dict[str, Any] = {}
        """What the ranks listed next have in common."""
        self._ended = False

    def add(self, line: int, kind: str, **values: Any) -> None:
        self._rows.add(ras.TABLE, self._passage, line, **(self._fixed | {"kind": kind} | values))

    def read(self, line: int, text: str) -> None:
        stripped = text.strip()
        if not stripped or set(stripped) == {"="}:
            return
        if found := _SECTION.match(stripped):
            self._section, self._header, self._ended = found[1], "", False
            self._of, self._op, self._group_says = {}, None, {}
        elif "Warning: " in text and self._gathering(line, stripped):
            return
        elif self._section == "Job summary":
            self._job(line, stripped)
        elif self._section == "Communicators":
            self._group(line, text)
        elif self._section and not self._ended:
            self._finding(line, text, stripped)

    def _gathering(self, line: int, text: str) -> bool:
        if found := _TIMEOUTS.search(text):
            self.add(line, "gathering", timeouts=int(found[1]), message=text)
        elif found := _UNHEARD.search(text):
            self.add(line, "gathering", missing_ranks=int(found[1]), ranks_told=int(found[2]), message=text)
        return found is not None

    def _job(self, line: int, text: str) -> None:
        """One line of five numbers; where nodes differ several lines for each kind of node, then the totals alone."""
        if not _NUMBERS.fullmatch(text):
            self._header = text
            return
        numbers = [int(word) for word in text.split()]
        if len(numbers) == 5:
            self.add(line, "job", nnodes=numbers[0], processes=numbers[3], gpus=numbers[4])
        elif len(numbers) == 3 and self._header.count("(total)") == 3:
            self.add(line, "job", nnodes=numbers[0], processes=numbers[1], gpus=numbers[2])

    def _group(self, line: int, text: str) -> None:
        if found := _GROUP.fullmatch(text):
            group, comms, nodes, each, told, status, errors = found.groups()
            self.add(
                line,
                "group",
                group=int(group),
                comms=int(comms),
                nnodes=int(nodes),
                nranks=int(each) if each.isdigit() else None,
                ranks_told=int(told),
                status=status,
                errors=errors,
            )

    def _finding(self, line: int, text: str, stripped: str) -> None:
        if found := _COMMUNICATOR.match(stripped):
            self._of = {"group": int(found[1]), "comm_id": found[3]}
            self._op, self._group_says, self._block = None, {}, "rank"
            self.add(line, "communicator", **self._of, errors=found[4], message=stripped)
        elif stripped.split(",")[0] in _BLOCKS and text == text.lstrip():
            self._of, self._op, self._group_says = {}, None, {}
            self._block = _BLOCKS[stripped.split(",")[0]]
        elif text == text.lstrip():
            self._ended = True  # the log of the job goes on
        else:
            self._detail(line, stripped)

    def _detail(self, line: int, text: str) -> None:
        if found := _MISSING.match(text):
            self._group_says, self._block = {}, "missing"
            self.add(line, "missing", **self._of, missing_ranks=int(found[1]), message=text)
        elif found := _DIFFERENT.match(text):
            self._op, self._group_says = found[1], {}
        elif found := _RANKS.match(text):
            self._group_says = values = self._said(found)
            self.add(line, values.get("kind", "finding"), **self._of, **_without_kind(values), ranks_told=int(found[1]))
        elif found := _RANK.match(text):
            own = self._said(found) if any(found.groups()[1:]) else self._group_says
            kind = own.get("kind", self._block)
            self.add(line, kind, **self._of, **_without_kind(own), **_where(text), rank=_u32(found[1]), message=text)
        elif found := _PROCESS.match(text):
            self.add(line, self._block, pid=int(found[1]), node=found[2], gpu=found[3], message=text)
        else:
            found = _ON_RANKS.search(text)
            count = int(found[1] or found[2]) if found else None
            self._group_says = {}
            self.add(line, "finding", **self._of, ranks_told=count, message=text)

    def _said(self, found: re.Match[str]) -> dict[str, Any]:
        """What ranks have in common, by the groups of `_SAID`."""
        _, count, none, status = found.groups()
        if status is not None:
            return {"kind": "finding", "status": status}
        return {"kind": "count", "op": self._op, "count": 0 if none else int(count)}


def _without_kind(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name != "kind"}


def _where(text: str) -> dict[str, Any]:
    found = _WHERE.search(text)
    return {"gpu": found[1], "pid": int(found[2]), "node": found[3]} if found else {}


def _u32(text: str) -> int | None:
    """A rank; reports of NCCL 2.27 can have numbers that are none."""
    return int(text) if int(text) < 2**32 else None


def _read(passage: Passage, rows: Rows) -> bool:
    report: _Report | None = None
    samples = 0
    for line, text in passage.numbered():
        if "compiled with CUDA" in text and (found := _BEGIN.search(text[:200])):
            samples += 1
            report = _Report(passage, rows, samples, found[1])
        elif report is not None:
            report.read(line, text[:1000])
    return samples > 0


KIND = Log("NCCL RAS report", (ras.TABLE,), ("compiled with CUDA",), _read)
