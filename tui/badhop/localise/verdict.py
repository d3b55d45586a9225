"""What badhop says in the end, as values: the verdict, its hops, its evidence, and what would settle the rest."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

Word = Literal["proven", "likely", "suspect", "side-only", "cannot-tell", "healthy", "workload", "capture"]

EXIT_CODES: Mapping[Word, int] = MappingProxyType(
    {
        "healthy": 0,
        "workload": 0,
        "suspect": 1,
        "proven": 2,
        "likely": 2,
        "side-only": 2,  # a fault was found; how near it can be placed is another question
        "cannot-tell": 3,
        "capture": 3,  # the observer failed: nothing is known of the network
    }
)
"""Exit code of `badhop diagnose` for each verdict, as monitoring plug-ins use them."""


MEANS: Mapping[Word, str] = MappingProxyType(
    {
        "proven": "this hop, by direct evidence",
        "likely": "this hop, or one that cannot be told from it",
        "suspect": "the best explanation so far; look at the others too",
        "side-only": "a fault is there, on this side of the tap; which hop of that side is not known",
        "cannot-tell": "the evidence does not decide; see what to measure next",
        "healthy": "what would show trouble was there, and shows none",
        "workload": "nothing is broken: the work itself explains it",
        "capture": "the capture failed, so it says nothing of the network",
    }
)
"""What localisation.md, section 3.3, lets each tier claim, and no more."""


@dataclass(frozen=True)
class Hop:
    """One place that the verdict names. `id` follows localisation.md 1.1, `mode` 1.2."""

    id: str
    kind: str
    mode: str
    probability: float
    equivalents: tuple[str, ...] = ()
    """Other hops that this evidence cannot tell from it (JSON key `class`)."""


@dataclass(frozen=True)
class Evidence:
    """One piece for or against a hop. `db` is ten times the common logarithm of its likelihood ratio."""

    detector: str
    db: float
    hop: str
    mode: str
    says: str
    source: str
    frames: tuple[int, ...] = ()
    ways: tuple[tuple[str, str], ...] = ()
    """Sender and receiver of the packets that it speaks of; empty when they are not known."""


@dataclass(frozen=True)
class Rival:
    """Another explanation, and why it is not the verdict."""

    id: str
    mode: str
    probability: float
    because: str


@dataclass(frozen=True)
class Measurement:
    """What to measure next: the command, what it costs, and what its answer decides."""

    measure: str
    command: str
    root: bool
    cost: str
    decides: str


@dataclass(frozen=True)
class Verdict:
    """The answer. `headline` is the one sentence that a tired engineer reads first."""

    verdict: Word
    probability: float
    headline: str
    hops: tuple[Hop, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    rivals: tuple[Rival, ...] = ()
    missing: tuple[str, ...] = ()
    next: tuple[Measurement, ...] = ()
