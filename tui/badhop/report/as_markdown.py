"""The report as Markdown, for a ticket. No byte of a file becomes markup."""

import re

from badhop.playbook import Walk
from badhop.printable import printable
from badhop.report.sections import apart, sections, verdict_line


def markdown(walk: Walk) -> str:
    """The report as Markdown."""
    parts = [f"# {_md(walk.playbook.title)}", f"**{_md(verdict_line(walk.verdict))}**", _md(walk.verdict.headline)]
    for section in sections(walk):
        parts.append(f"## {_md(section.title)}")
        tight = all(len(item) == 1 for item in section.items)
        parts.append(("\n" if tight else "\n\n").join(_md_item(item) for item in section.items))
    return "\n\n".join(parts) + "\n"


def _md(line: str) -> str:
    return re.sub(r"([\\`*_\[\]<>|&~#])", r"\\\1", printable(re.sub(r"\s{2,}", " ", line.strip())))


def _md_item(item: tuple[str, ...]) -> str:
    first, *rest = item
    mark, sentence = apart(first)
    parts = [f"- **{_md(mark)}** {_md(sentence)}" if mark else f"- {_md(first)}"]
    for line in rest:
        if line.startswith("$ "):
            command = printable(line[2:])
            fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", command)), default=0))
            parts.append(f"  {fence}sh\n  {command}\n  {fence}")
        else:
            parts.append(f"  {_md(line)}")
    return "\n\n".join(parts)
