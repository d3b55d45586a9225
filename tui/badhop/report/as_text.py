"""The report as plain text for a terminal."""

import textwrap

from badhop.playbook import Walk
from badhop.printable import printable
from badhop.report.sections import MARGIN, sections, verdict_line

WIDTH = 80


def text(walk: Walk, width: int = WIDTH) -> str:
    """The report as plain text, at most `width` columns wide but for commands, which must stay whole to be copied."""
    lines = [*_wrapped(verdict_line(walk.verdict), "", width), *paragraph(walk.verdict.headline, width)]
    for section in sections(walk):
        lines += ["", section.title]
        for item in section.items:
            lines += _item(item, width)
    return "\n".join(lines) + "\n"


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


def _wrapped(line: str, indent: str, width: int) -> list[str]:
    line = printable(line)
    margin = MARGIN.match(line)
    hang = indent + " " * (margin.end() if margin else 2)
    return textwrap.wrap(
        line,
        width,
        initial_indent=indent,
        subsequent_indent=hang,
        break_long_words=False,
        break_on_hyphens=False,
    ) or [indent.rstrip()]
