"""A walked playbook as a report: plain text for a terminal, Markdown and HTML for a ticket, JSON for a program.

All four say the same. Whatever came from a file is escaped for where it goes: no control character in text, no markup
in Markdown and HTML.
"""

import html as htmllib
import json
import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from badhop.hop_words import in_words
from badhop.localise.questions import MODES
from badhop.localise.verdict import MEANS, Evidence, Hop, Measurement, Rival, Verdict
from badhop.playbook import Result, Walk
from badhop.printable import printable
from badhop.sources import Source

SCHEMA = 1
"""Version of the JSON object; it grows when a key changes its meaning or goes."""

WIDTH = 80
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
class _Section:
    """One part of the report. Each item is its lines; a line that begins with `$ ` is a command, shown as it is."""

    title: str
    items: tuple[tuple[str, ...], ...]


def text(walk: Walk, width: int = WIDTH) -> str:
    """The report as plain text, at most `width` columns wide but for commands, which must stay whole to be copied."""
    lines = [*_wrapped(_verdict_line(walk.verdict), "", width), *paragraph(walk.verdict.headline, width)]
    for section in _sections(walk):
        lines += ["", section.title]
        for item in section.items:
            lines += _item(item, width)
    return "\n".join(lines) + "\n"


def markdown(walk: Walk) -> str:
    """The report as Markdown."""
    parts = [f"# {_md(walk.playbook.title)}", f"**{_md(_verdict_line(walk.verdict))}**", _md(walk.verdict.headline)]
    for section in _sections(walk):
        parts.append(f"## {_md(section.title)}")
        tight = all(len(item) == 1 for item in section.items)
        parts.append(("\n" if tight else "\n\n").join(_md_item(item) for item in section.items))
    return "\n\n".join(parts) + "\n"


def html(walk: Walk) -> str:
    """The report as one HTML page that needs and loads nothing else."""
    title = _html(f"{walk.playbook.title}: {_verdict_line(walk.verdict)}")
    body = [
        f"<h1>{_html(walk.playbook.title)}</h1>",
        f'<p class="verdict {_html(walk.verdict.verdict)}">{_html(_verdict_line(walk.verdict))}</p>',
        f"<p>{_html(walk.verdict.headline)}</p>",
    ]
    for section in _sections(walk):
        items = "\n".join(_html_item(item) for item in section.items)
        body.append(f"<h2>{_html(section.title)}</h2>\n<ul>\n{items}\n</ul>")
    return _PAGE.format(title=title, body="\n".join(body))


def json_object(walk: Walk, also: Sequence[Walk] = ()) -> dict[str, Any]:
    """The report as one object, the contract of `badhop diagnose --json`.

    `also` are the other playbooks that were walked for it: their steps are listed, too.
    """
    verdict = walk.verdict
    return {
        "schema": SCHEMA,
        "playbook": walk.playbook.name,
        "verdict": verdict.verdict,
        "probability": verdict.probability,
        "hops": [
            {
                "id": hop.id,
                "kind": hop.kind,
                "mode": hop.mode,
                "probability": hop.probability,
                "class": [hop.id, *hop.equivalents],
            }
            for hop in verdict.hops
        ],
        "evidence": [
            {
                "detector": piece.detector,
                "db": piece.db,
                "hop": piece.hop,
                "says": piece.says,
                "source": piece.source,
                "frames": list(piece.frames),
            }
            for piece in verdict.evidence
        ],
        "rivals": [
            {"id": rival.id, "mode": rival.mode, "probability": rival.probability, "because": rival.because}
            for rival in verdict.rivals
        ],
        "missing": list(verdict.missing),
        "next": [
            {
                "measure": step.measure,
                "command": step.command,
                "root": step.root,
                "cost": step.cost,
                "decides": step.decides,
            }
            for step in verdict.next
        ],
        "steps": [
            {
                "playbook": walked.playbook.name,
                "step": result.step.slug,
                "outcome": result.outcome,
                "rows": result.rows,
            }
            for walked in (walk, *also)
            for result in walked.results
        ],
        "sources": [
            {
                "path": str(source.path),
                "kind": source.kind,
                "tables": {name: rows for name, rows in source.rows.items() if rows},
                "problems": list(source.problems),
            }
            for source in walk.incident.sources
        ],
    }


def json_text(walk: Walk, also: Sequence[Walk] = ()) -> str:
    """`json_object` as text; everything outside ASCII is escaped, so it is safe to print."""
    return json.dumps(json_object(walk, also), indent=2) + "\n"


def _verdict_line(verdict: Verdict) -> str:
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


def _sections(walk: Walk) -> Iterator[_Section]:
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
            yield _Section(title, section)


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


def paragraph(line: str, width: int = WIDTH) -> list[str]:
    """One sentence or more as lines of text that is safe to print."""
    return textwrap.wrap(printable(line), width, break_long_words=False, break_on_hyphens=False)


def _item(item: tuple[str, ...], width: int) -> list[str]:
    lines: list[str] = []
    for number, line in enumerate(item):
        if line.startswith("$ "):
            lines.append(f"      {printable(line)}")
        else:
            lines += _wrapped(line, "    " if number else "  ", width)
    return lines


_MARGIN = re.compile(r"\s*(?:[-+]?\d+\.\d+|found|clear|no data)\s{2,}")
"""A number or an outcome in front of a sentence, under which its next lines do not run."""


def _wrapped(line: str, indent: str, width: int) -> list[str]:
    line = printable(line)
    margin = _MARGIN.match(line)
    hang = indent + " " * (margin.end() if margin else 2)
    return textwrap.wrap(
        line,
        width,
        initial_indent=indent,
        subsequent_indent=hang,
        break_long_words=False,
        break_on_hyphens=False,
    ) or [indent.rstrip()]


def _apart(line: str) -> tuple[str, str]:
    """The margin and the sentence. Side by side in one typeface they would read as one number: `+20.0 18 of 18`."""
    margin = _MARGIN.match(line)
    return (margin[0].strip(), line[margin.end() :]) if margin else ("", line)


def _md(line: str) -> str:
    return re.sub(r"([\\`*_\[\]<>|&~#])", r"\\\1", printable(re.sub(r"\s{2,}", " ", line.strip())))


def _md_item(item: tuple[str, ...]) -> str:
    first, *rest = item
    mark, sentence = _apart(first)
    parts = [f"- **{_md(mark)}** {_md(sentence)}" if mark else f"- {_md(first)}"]
    for line in rest:
        if line.startswith("$ "):
            command = printable(line[2:])
            fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", command)), default=0))
            parts.append(f"  {fence}sh\n  {command}\n  {fence}")
        else:
            parts.append(f"  {_md(line)}")
    return "\n\n".join(parts)


def _html(line: str) -> str:
    return htmllib.escape(printable(line.strip()))


def _html_item(item: tuple[str, ...]) -> str:
    first, *rest = item
    mark, sentence = _apart(first)
    parts = [f"<strong>{_html(mark)}</strong> {_html(sentence)}" if mark else _html(first)]
    for line in rest:
        parts.append(f"<pre>{_html(line[2:])}</pre>" if line.startswith("$ ") else f"<p>{_html(line)}</p>")
    return f"<li>{''.join(parts)}</li>"


_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body {{ max-width: 48em; margin: 2em auto; padding: 0 1em; font: 16px/1.5 sans-serif; color: #222; background: #fff }}
.verdict {{ font-weight: bold; padding: .5em .8em; border-left: .4em solid #888; background: #f3f3f3 }}
.proven, .likely, .side-only {{ border-color: #b00020 }}
.suspect {{ border-color: #b26a00 }}
.healthy, .workload {{ border-color: #1b6e35 }}
li {{ margin: .4em 0; overflow-wrap: anywhere }}
li p {{ margin: .2em 0 }}
pre {{ background: #f3f3f3; padding: .5em; overflow-x: auto }}
@media print {{ body {{ margin: 0 }} }}
</style>
</head>
<body>
{body}
</body>
</html>
"""
