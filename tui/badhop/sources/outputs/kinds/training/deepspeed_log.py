"""DeepSpeed: throughput, the step with its skipped ones, and the wall-clock breakdown. Each line is a row of its own:
the breakdown does not say its step."""

import re
from typing import Any

from badhop.sources.outputs.kind import Log
from badhop.sources.outputs.kinds.training import step_lines
from badhop.sources.outputs.kinds.training.step_lines import number
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import steps

_THROUGHPUT = re.compile(
    r"(?:epoch=(\d{1,9})/micro_step=\d{1,15}/global_step=(\d{1,15})|\d{1,15}/(\d{1,15})), "
    r"(RunningAvg)?SamplesPerSec=([\d.e+-]{1,30}),(?: CurrSamplesPerSec=([\d.e+-]{1,30}),)?"
)
_STEP = re.compile(r"\bstep=(\d{1,15}), skipped=(\d{1,15}), lr=\[([\d.e+-]{1,30})[,\]]")
_BREAKDOWN = "time (ms) | "
_COLUMNS = {
    "forward": "forward_ms",
    "fwd": "forward_ms",
    "backward": "backward_ms",
    "bwd": "backward_ms",
    "backward_allreduce": "allreduce_ms",
    "bwd_allreduce": "allreduce_ms",
    "step": "optimizer_ms",
}


def _read(passage: Passage, rows: Rows) -> bool:
    found = False
    for line, text in passage.numbered():
        if not any(mark in text for mark in _MARKS):
            continue
        text = text[: step_lines.LONGEST]
        values = _values(text)
        if not values:
            continue
        found = True
        at, rank = step_lines.moment(text), step_lines.rank(text)
        rows.add(steps.TABLE, passage, line, at=at, trainer="deepspeed", rank=rank, **values)
    return found


def _values(text: str) -> dict[str, Any]:
    if found := _THROUGHPUT.search(text):
        epoch, step, old, has_current, average, current = found.groups()
        return {
            "epoch": number(epoch),
            "iteration": int(step or old),
            "samples_per_s": number(current if has_current else average),
        }
    if found := _STEP.search(text):
        return {"iteration": int(found[1]), "skipped": int(found[2]), "learning_rate": number(found[3])}
    if "log_dist]" in text and _BREAKDOWN in text:
        parts = step_lines.named(text.split(_BREAKDOWN, 1)[1].split("|"))
        return {_COLUMNS[name]: number(value) for name, value in parts.items() if name in _COLUMNS}
    return {}


_MARKS = ("SamplesPerSec=", ", skipped=", f"{_BREAKDOWN}")

KIND = Log("DeepSpeed log", (steps.TABLE,), _MARKS, _read)
