"""torchtitan: `step: 4  loss: 7.62585  grad_norm: 26.6250  memory: …  tps: 10,050  tflops: 314.71  mfu: 13.99%`."""

import re

from badhop.sources.outputs.kind import Log
from badhop.sources.outputs.kinds.training import step_lines
from badhop.sources.outputs.kinds.training.step_lines import number
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import steps

_MARK = " tps: "
_STEP = re.compile(r"\bstep: {1,12}(\d{1,15})\b")
_VALUE = re.compile(r"\b(loss|grad_norm|tps|tflops): {1,12}([\d.,e+-]{1,30})(?=\s)")


def _read(passage: Passage, rows: Rows) -> bool:
    found = False
    for line, text in passage.numbered():
        if _MARK not in text:
            continue
        text = text[: step_lines.LONGEST]
        step = _STEP.search(text)
        if step is None:
            continue
        found = True
        values = dict(_VALUE.findall(text[step.end() :]))
        rows.add(
            steps.TABLE,
            passage,
            line,
            at=step_lines.moment(text),
            trainer="torchtitan",
            rank=step_lines.rank(text),
            iteration=int(step[1]),
            tokens_per_s=number(values.get("tps")),
            tflops=number(values.get("tflops")),
            loss=number(values.get("loss")),
            grad_norm=number(values.get("grad_norm")),
        )
    return found


KIND = Log("torchtitan log", (steps.TABLE,), (_MARK,), _read)
