"""What a report says, before it has a format: the verdict in one line, and sections of items.

Whatever came from a file is still as it was: each format escapes it for where it goes.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from badhop.hop_words import in_words
from badhop.localise.questions import MODES
from badhop.localise.verdict import MEANS, Evidence, Hop, Measurement, Rival, Verdict
from badhop.playbook import Result, Walk
from badhop.sources import Source

_COUNTED = {
    "packets": ("packet", "packets"),
    "roce": ("RDMA packet", "RDMA packets"),
    "pauses": ("pause frame", "pause frames"),
    "roce_qps": ("queue pair direction", "queue pair directions"),
    "loss_episodes": ("loss episode", "loss episodes"),
}
"""Tables whose rows tell a person how much a source holds, and what one row is; the JSON has all of them."""
_SHOWN_FRAMES = 4
_SHOWN_HOPS = 3
_SHOWN_ITEMS = 12
"""Frames in a sentence, hops in the first line, items in a section; the JSON has all of them. A folder of sixty
captures must not push the answer off the screen."""


@dataclass(frozen=True)
class Section:
    """One part of the report. Each item is its lines; a line that begins with `$ ` is a command, shown as it is."""

    title: str
    items: tuple[tuple[str, ...], ...]


def verdict_line(verdict: Verdict) -> str:
    word = verdict.verdict.upper().replace("-", " ")
    if verdict.verdict != "cannot-tell":  # nothing is claimed, so there is nothing to be sure of
        word += f" ({verdict.probability:.2f})"
    hops = "; ".join(_hop(hop, verdict) for hop in verdict.hops[:_SHOWN_HOPS])
    more = len(verdict.hops) - _SHOWN_HOPS
    return word + (f"  {hops}" if hops else "") + (f"; and {more} more hops" if more > 0 else "")


def _hop(hop: Hop, verdict: Verdict) -> str:
    share = f" ({hop.probability:.2f})" if len(verdict.hops) > 1 else ""
    others = f", cannot be told from {', '.join(hop.equivalents)}" if hop.equivalents else ""
    return f"{hop.id}, mode {hop.mode}{share}{others}"


def sections(walk: Walk) -> Iterator[Section]:
    """The parts that have something to say, in the order in which they are needed at night."""
    verdict = walk.verdict
    parts: tuple[tuple[str, Iterable[tuple[str, ...]]], ...] = (
        ("In words", ((line,) for line in _words(verdict))),
        ("Evidence (dB: ten points are ten to one)", map(_evidence, verdict.evidence)),
        ("Other explanations", map(_rival, verdict.rivals)),
        ("Measure next", map(_measurement, verdict.next)),
        ("Not checked", ((line,) for line in verdict.missing)),
        ("Steps", map(_step, walk.results)),
        # Those with problems first: a long list is cut, and must not hide what could not be read.
        ("Sources", map(_source, sorted(walk.incident.sources, key=lambda source: not source.problems))),
    )
    for title, items in parts:
        section = tuple(items)
        if title != "Steps" and len(section) > _SHOWN_ITEMS:
            more = f"and {len(section) - _SHOWN_ITEMS} more; --json lists them all"
            section = (*section[:_SHOWN_ITEMS], (more,))
        if section:
            yield Section(title, section)


def _words(verdict: Verdict) -> Iterator[str]:
    """What the words of the first line mean. A healthy verdict needs none: its headline says all."""
    if verdict.verdict != "healthy":
        yield f"{verdict.verdict.replace('-', ' ')}: {MEANS[verdict.verdict]}"
    for hop in verdict.hops[:_SHOWN_HOPS]:
        if words := in_words(hop.id):
            yield f"{hop.id}: {words}"
    for mode in dict.fromkeys(hop.mode for hop in verdict.hops):
        if mode in MODES:
            yield f"{mode}: {MODES[mode].means}"


def _evidence(piece: Evidence) -> tuple[str, ...]:
    return (f"{piece.db:+5.1f}  {piece.says} ({_place(piece)})",)


def _place(piece: Evidence) -> str:
    if not piece.frames:
        return piece.source
    frames = ", ".join(str(frame) for frame in piece.frames[:_SHOWN_FRAMES])
    more = ", …" if len(piece.frames) > _SHOWN_FRAMES else ""
    return f"{piece.source} {'frame' if len(piece.frames) == 1 else 'frames'} {frames}{more}"


def _rival(rival: Rival) -> tuple[str, ...]:
    return (f"{rival.probability:.2f}  {rival.id}, mode {rival.mode}: {rival.because}",)


def _measurement(step: Measurement) -> tuple[str, ...]:
    root = "needs root" if step.root else "no root needed"
    return (step.measure, f"$ {step.command}", f"Cost: {root}; {step.cost}. Decides: {step.decides}.")


def _step(result: Result) -> tuple[str, ...]:
    """The outcome and the question, and for no data the reason: the first sentence of what the playbook says to it."""
    said = f"{result.outcome.replace('-', ' '):<7}  {result.step.title}"
    if result.outcome == "no-data":
        reason = re.split(r"(?<=[.:;])\s", result.step.outcomes["no-data"].text)[0]
        return (f"{said} ({reason.rstrip('.:;')})",)
    return (f"{said} ({result.rows} {'row' if result.rows == 1 else 'rows'})" if result.rows else said,)


def _source(source: Source) -> tuple[str, ...]:
    filled = ", ".join(
        f"{rows} {one if rows == 1 else many}"
        for name, (one, many) in _COUNTED.items()
        if (rows := source.rows.get(name, 0))
    )
    return (
        f"{source.path} ({source.kind})" + (f": {filled}" if filled else ""),
        *(f"Problem: {problem}" for problem in source.problems),
    )


MARGIN = re.compile(r"\s*(?:[-+]?\d+\.\d+|found|clear|no data)\s{2,}")
"""A number or an outcome in front of a sentence, under which its next lines do not run."""


def apart(line: str) -> tuple[str, str]:
    """The margin and the sentence. Side by side in one typeface they would read as one number: `+20.0 18 of 18`."""
    margin = MARGIN.match(line)
    return (margin[0].strip(), line[margin.end() :]) if margin else ("", line)
