"""NeMo 2: `Training epoch 0, iteration 3/9 | lr: … | reduced_train_loss: … | train_step_timing in s: …`."""

import re

from badhop.sources.outputs.kind import Log
from badhop.sources.outputs.kinds.training import step_lines
from badhop.sources.outputs.kinds.training.step_lines import number
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import steps

_MARK = "Training epoch "
_ITERATION = re.compile(r"Training epoch (\d{1,9}), iteration (\d{1,15})/(\d{1,15}) \|")


def _read(passage: Passage, rows: Rows) -> bool:
    found = False
    for line, text in passage.numbered():
        if _MARK not in text or not (head := _ITERATION.search(text[: step_lines.LONGEST])):
            continue
        found = True
        values = step_lines.named(text[head.end() : step_lines.LONGEST].split("|"))
        took = number(values.get("train_step_timing in s"))
        rows.add(
            steps.TABLE,
            passage,
            line,
            at=step_lines.moment(text),
            trainer="nemo",
            rank=step_lines.rank(text),
            iteration=int(head[2]),
            iterations=int(head[3]),
            epoch=float(head[1]),
            step_ms=None if took is None else took * 1000,
            loss=number(values.get("reduced_train_loss")),
            grad_norm=number(values.get("grad_norm")),
            learning_rate=number(values.get("lr")),
            tflops=number(values.get("tflops_per_gpu", values.get("tflops_per_sec_per_gpu"))),
        )
    return found


KIND = Log("NeMo log", (steps.TABLE,), (_MARK,), _read)
