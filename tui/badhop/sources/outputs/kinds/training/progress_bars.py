"""Progress bars of training loops (tqdm), as Lightning and the Trainer of Hugging Face show them.

Bars are drawn for downloads and data sets, too: only one that says Epoch or Training, or nothing at all, is a loop.
Of a bar that overwrites itself the file keeps many states in one line; the last one is read.
"""

import re

from badhop.sources.outputs.kind import Log
from badhop.sources.outputs.kinds.training import step_lines
from badhop.sources.outputs.kinds.training.step_lines import number, whole
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import steps

_MARKS = ("it/s", "s/it")
_BAR = re.compile(
    r"(\d{1,15})/(\d{1,15}) \[(?:\d{1,6}:)?\d{1,3}:\d\d<(?:[\d:]{1,12}|\?)(?: days?, [\d:]{1,12})?, {0,4}"
    r"(\d{1,12}(?:\.\d{1,9})?) ?(it/s|s/it)"
)
_LABEL = re.compile(r"^(?:\[[\w ]{1,20}\]:? ?)?(?:(Epoch|Training|Train|Steps?)\b[^|%]{0,60}?:? *)?\d{1,3}%\|")
_VALUE = re.compile(r"\b(\w{1,60})=([\d.e+-]{1,30})")
_EPOCH = re.compile(r"Epoch:? (\d{1,9})\b")
_LOSS = ("reduced_train_loss", "train_loss_step", "train_loss", "loss_step", "loss")


def _read(passage: Passage, rows: Rows) -> bool:
    found = False
    for line, text in passage.numbered():
        if not any(mark in text for mark in _MARKS):
            continue
        stripped = text.strip()[: step_lines.LONGEST]
        label, bar = _LABEL.match(stripped), _BAR.search(stripped)
        if label is None or bar is None:
            continue
        found = True
        speed = number(bar[3])
        step_ms = None if not speed else speed * 1000 if bar[4] == "s/it" else 1000 / speed
        values = dict(_VALUE.findall(stripped[bar.end() :]))
        epoch = _EPOCH.search(stripped)
        loss = next((values[name] for name in _LOSS if name in values), None)
        rows.add(
            steps.TABLE,
            passage,
            line,
            trainer="lightning" if label[1] == "Epoch" else "tqdm",
            rank=step_lines.rank(stripped),
            iteration=int(bar[1]),
            iterations=int(bar[2]),
            epoch=float(epoch[1]) if epoch else None,
            step_ms=step_ms,
            loss=number(loss),
            grad_norm=number(values.get("grad_norm")),
            learning_rate=number(values.get("lr")),
            skipped=whole(values.get("skipped")),
        )
    return found


KIND = Log("training progress bar", (steps.TABLE,), _MARKS, _read)
