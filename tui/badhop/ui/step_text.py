"""The words of one step: its answer, its commands, and what it suggests."""

import re

from textual.content import Content

from badhop.playbook import Playbook, Result, Step
from badhop.ui.outcome import SIGNS, WAITING
from badhop.ui.prose import prose
from badhop.ui.safe import counted, lines, safe


def answer(playbook: Playbook, step: Step, result: Result | None) -> Content:
    """Sign, word, rows; then what the playbook says to this outcome."""
    if result is None:
        return Content.styled(f"{WAITING.mark} {WAITING.word}", "bold")
    sign = SIGNS[result.outcome]
    head = Content.styled(f"{sign.mark} {sign.word}", f"bold {_colour(result.outcome)}")
    if result.rows:
        head = head.append(f"  {counted(result.rows, 'row')}")
    outcome = step.outcomes.get(result.outcome)
    says = prose(outcome.text) if outcome else Content("")
    target = _target(playbook, step, result)
    if target is not None and says.plain.strip() == target.title:  # only a link: the suggestion already says it
        says = Content("")
    if says.plain:
        head = head.append(": ").append(says)
    if result.missing and result.outcome == "no-data":
        return lines(head, safe(f"Without rows: {', '.join(result.missing)}"))
    return head


def commands(step: Step) -> Content:
    """The shell blocks, each with its cost. badhop shows them; only a person runs them."""
    if not step.commands:
        return Content("")
    parts = [Content("By hand (badhop runs nothing):")]
    for command in step.commands:
        root = "needs root" if command.root else "no root needed"
        parts += [safe(f"$ {line}", "bold") for line in command.argv_text.splitlines()]
        parts.append(safe(f"  {root}; {command.cost or 'cost not stated'}", "dim"))
        parts.append(safe(f"  decides: {command.decides}" if command.decides else "", "dim"))
    blanks = dict.fromkeys(blank for command in step.commands for blank in re.findall(r"\{\w+\}", command.argv_text))
    parts.append(safe(f"Put your own in place of {', '.join(blanks)}." if blanks else "", "dim"))
    return lines(*parts)


def suggestion(playbook: Playbook, step: Step, result: Result | None, *, ready: bool) -> Content:
    """The line above the footer."""
    if result is None:
        return Content("Waiting for this step.")
    target = _target(playbook, step, result)
    if target is not None:
        return Content.styled("n > ", "bold").append(safe(target.title))
    return Content.styled("n > ", "bold").append("the verdict" if ready else "the verdict, when all steps have run")


def _target(playbook: Playbook, step: Step, result: Result) -> Step | None:
    outcome = step.outcomes.get(result.outcome)
    return next((other for other in playbook.steps if outcome and other.slug == outcome.goto), None)


def _colour(outcome: str) -> str:
    return {"found": "$text-error", "clear": "$text-success"}.get(outcome, "$text-warning")
