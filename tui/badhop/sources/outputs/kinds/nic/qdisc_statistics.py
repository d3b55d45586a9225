"""`tc -s qdisc`: what each queue discipline sent and dropped."""

import re

from badhop.sources.outputs.counting import count
from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import counters

_QDISC = re.compile(r"\s*qdisc (\S{1,40}) ([0-9a-f]{1,4}): (?:dev (\S{1,40}) )?")
_SENT = re.compile(
    r"\s*Sent (\d{1,20}) bytes (\d{1,20}) pkts? \(dropped (\d{1,20}), overlimits (\d{1,20}) requeues (\d{1,20})\)\s*"
)
_BACKLOG = re.compile(r"\s*backlog (\d{1,20})([KMG]?)b (\d{1,20})p\b")
_MARKS = re.compile(r"\becn_mark (\d{1,20})\b")
_SENT_NAMES = ("Sent bytes", "Sent pkt", "dropped", "overlimits", "requeues")
_TIMES = {"": 1, "K": 1024, "M": 1024**2, "G": 1024**3}


def _recognise(passage: Passage) -> bool:
    return any(map(_QDISC.match, passage.opening)) and any(map(_SENT.fullmatch, passage.opening))


def _read(passage: Passage, rows: Rows) -> None:
    device, sample = None, 1
    for line, text in passage.numbered():
        found: list[tuple[str, str]] = []
        if qdisc := _QDISC.match(text):
            # A device has several of them, each with counters of its own.
            device = " ".join(filter(None, (qdisc[3] or passage.device, qdisc[1], f"{qdisc[2]}:")))
            sample = rows.sample("tc -s qdisc", passage.host, device)
        elif sent := _SENT.fullmatch(text):
            found = list(zip(_SENT_NAMES, sent.groups(), strict=True))
        elif backlog := _BACKLOG.match(text):
            found = [("backlog bytes", str(int(backlog[1]) * _TIMES[backlog[2]])), ("backlog packets", backlog[3])]
        elif text.lstrip().startswith("Sent "):
            rows.problem(line, f"cut: {text.strip()[:80]!r}")
        elif marks := _MARKS.search(text):
            found = [("ecn_mark", marks[1])]
        for name, value in found:
            count(rows, passage, line, f"qdisc {name}", value, dialect="linux", device=device, sample=sample)


KIND = Output("tc -s qdisc", (counters.TABLE,), _recognise, _read)
