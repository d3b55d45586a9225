"""The first line of what ethtool prints of a setting: `Pause parameters for eth2:`."""

import re
from collections.abc import Callable

from badhop.sources.outputs.passage import Passage


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
