"""The three outcomes of a step as a sign and a word, so that nobody has to see a colour."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True)
class Sign:
    """`mark` is plain ASCII: every terminal and every log has it."""

    mark: str
    word: str
    means: str


SIGNS: Mapping[str, Sign] = MappingProxyType(
    {
        "found": Sign("[!]", "FOUND", "the question is answered with rows"),
        "clear": Sign("[ok]", "CLEAR", "no rows, and the evidence to see them was there"),
        "no-data": Sign("[?]", "NO DATA", "the evidence was not there: silence is not a clean bill"),
    }
)
"""By the word that the playbook engine uses."""

WAITING = Sign("[..]", "RUNNING", "not asked yet")
