"""The Trainer of Hugging Face: a dict a line, `{'loss': 0.61, 'grad_norm': 1.2, 'learning_rate': 5e-05, 'epoch': 0.5}`.

It has no time and mostly no step: the progress bar has them (`progress_bars`).
"""

import re

from badhop.sources.outputs.kind import Log
from badhop.sources.outputs.kinds.training import step_lines
from badhop.sources.outputs.kinds.training.step_lines import number, whole
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import steps

_MARKS = ("{'loss': ", '{"loss": ')
_VALUE = re.compile(r"[\"'](\w{1,60})[\"']: [\"']?([^\"',}]{1,40})[\"']?(?=[,}])")


def _read(passage: Passage, rows: Rows) -> bool:
    found = False
    for line, text in passage.numbered():
        start = next((text.find(mark) for mark in _MARKS if mark in text), -1)
        if start < 0:
            continue
        values = dict(_VALUE.findall(text[start : start + step_lines.LONGEST]))
        if not {"learning_rate", "epoch"} & values.keys():
            continue
        found = True
        rows.add(
            steps.TABLE,
            passage,
            line,
            at=step_lines.moment(text),
            trainer="hf",
            rank=step_lines.rank(text),
            iteration=whole(values.get("step")),
            epoch=number(values.get("epoch")),
            loss=number(values.get("loss")),
            grad_norm=number(values.get("grad_norm")),
            learning_rate=number(values.get("learning_rate")),
        )
    return found


KIND = Log("Hugging Face Trainer log", (steps.TABLE,), _MARKS, _read)
