"""Which interface a tool's output is of: its first line (`Pause parameters for eth2:`), or an option of its command."""

import re
from collections.abc import Callable
from itertools import pairwise

from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.transcript import words


def headed(what: str) -> tuple[Callable[[Passage], str | None], re.Pattern[str]]:
    """For outputs that begin with `what` and an interface: finds its name, and matches the line that begins one."""
    pattern = re.compile(rf"\s*{re.escape(what)} (\S+):\s*$")

    def name_of(passage: Passage) -> str | None:
        return next((found[1] for text in passage.opening if (found := pattern.match(text))), None)

    return name_of, re.compile(pattern.pattern.replace("(", "(?:"))


def heading_line(passage: Passage, begins: re.Pattern[str]) -> int:
    """The line of the heading; the first of the passage where it has none."""
    return next((line for line, text in passage.numbered() if begins.match(text)), passage.lines.first)


def switched(value: str) -> str | None:
    """on or off; None for anything else."""
    word = value.split(None, 1)[0].lower() if value else ""
    return word if word in ("on", "off") else None


def named_by(passage: Passage, *options: str) -> str | None:
    """The word after one of these options of the command; else the device that the passage has."""
    after = dict(pairwise(words(passage.command or "")))
    return next((after[option] for option in options if option in after), None) or passage.device
