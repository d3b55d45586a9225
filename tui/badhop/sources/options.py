"""How evidence is to be read: what the options of the command line say about it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Options:
    """The default reads everything to its end, and keeps what it found for the next time."""

    cache: bool = True
    """Whether tables of earlier readings may be used and kept (`--no-cache`)."""


DEFAULT = Options()
