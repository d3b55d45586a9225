"""Megatron-LM and its descendants (Megatron-DeepSpeed, NeoX): one line of `name: value` between bars an iteration."""

import re

from badhop.sources.outputs.kind import Log
from badhop.sources.outputs.kinds.training import step_lines
from badhop.sources.outputs.kinds.training.step_lines import number, whole
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import steps

_MARK = "elapsed time per iteration (ms):"
_ITERATION = re.compile(r"iteration +(\d{1,15})/ *(\d{1,15}) *\|")
_FLOPS = ("throughput per gpu (tflop/s/gpu)", "tflops", "approx flops per gpu")
_SAMPLES = ("samples/sec", "samples per second")


def _read(passage: Passage, rows: Rows) -> bool:
    found = False
    for line, text in passage.numbered():
        if _MARK not in text:
            continue
        text = text[: step_lines.LONGEST]
        iteration = _ITERATION.search(text)
        values = step_lines.named(text.split("|")[:-1])  # a bar ends each: what follows the last one is cut
        took = number(values.get(_MARK[:-1]))
        if iteration is None or took is None:
            rows.problem(line, f"an iteration that cannot be read: {text.strip()[:80]!r}")
            continue
        found = True
        flops = next((values[name] for name in _FLOPS if name in values), None)
        samples = next((values[name] for name in _SAMPLES if name in values), None)
        rows.add(
            steps.TABLE,
            passage,
            line,
            at=step_lines.moment(text),
            trainer="megatron",
            rank=step_lines.rank(text),
            iteration=int(iteration[1]),
            iterations=int(iteration[2]),
            step_ms=took,
            samples_per_s=number(samples),
            tflops=number(flops.removesuffix("TFLOPS")) if flops else None,
            loss=number(values.get("lm loss", values.get("lm_loss"))),
            grad_norm=number(values.get("grad norm")),
            learning_rate=number(values.get("learning rate")),
            skipped=whole(values.get("number of skipped iterations")),
        )
    return found


KIND = Log("Megatron log", (steps.TABLE,), (_MARK,), _read)
