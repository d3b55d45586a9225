"""The first line of what ethtool prints of a setting: `Pause parameters for eth2:`."""

import re
from collections.abc import Callable

from badhop.sources.outputs.labelled import Labelled
from badhop.sources.outputs.passage import Passage


def headed(what: str) -> tuple[Callable[[Passage], str | None], re.Pattern[str]]:
    """For outputs that begin with `what` and an interface: finds its name, and matches the line that begins one."""
    pattern = re.compile(rf"\s*{re.escape(what)} (\S+):\s*$")

    def name_of(passage: Passage) -> str | None:
        return next((found[1] for text in passage.opening if (found := pattern.match(text))), None)

    return name_of, re.compile(pattern.pattern.replace("(", "(?:"))


def switched(value: str) -> str | None:
    """on or off; None for anything else."""
    word = value.split(None, 1)[0].lower() if value else ""
    return word if word in ("on", "off") else None


def below(entry: Labelled, heading: str) -> bool:
    """Whether an entry stands under a heading."""
    return any(name.startswith(heading) for name in entry.above)
