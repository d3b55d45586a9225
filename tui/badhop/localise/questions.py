"""What a mode means for a verdict: which question it answers, how far a capture alone can carry it, and its words."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from badhop.localise.verdict import Word

Question = Literal["loss", "reorder", "software", "timer", "pause", "duplicate", "congestion", "capture"]


@dataclass(frozen=True)
class Mode:
    """A fault mode (localisation.md 1.2), or one of our own where that list has none.

    `tier` is the verdict that it earns at a probability of 0.8 or more. `first` orders modes of equal tier: lower is
    told first.
    """

    name: str
    question: Question
    tier: Word
    first: int
    means: str


def _by_name(*modes: Mode) -> Mapping[str, Mode]:
    return MappingProxyType({mode.name: mode for mode in modes})


MODES: Mapping[str, Mode] = _by_name(
    Mode("corrupt", "loss", "side-only", 0, "packets are damaged on the way and dropped for it"),
    Mode("graydrop", "loss", "side-only", 1, "packets are lost; damage, drops and dead paths look alike from here"),
    Mode(
        "reorder", "reorder", "side-only", 2, "packets overtake each other; none is lost, yet the receiver asks again"
    ),
    Mode("mismatch", "software", "likely", 3, "the responder refuses requests: wrong key, address, length or right"),
    Mode("slow", "software", "likely", 4, "the receiver posts its buffers too late; this is not the network"),
    Mode("timer", "timer", "likely", 5, "the retransmission timer is shorter than the way there and back"),
    Mode("slowrx", "pause", "suspect", 6, "a port asks its neighbour to stop: whatever is behind it cannot keep up"),
    Mode("pausestorm", "pause", "suspect", 6, "a port asks its neighbour to stop nearly all the time"),
    Mode(
        "duplicate",
        "duplicate",
        "suspect",
        7,
        "packets pass twice: a mirror of both ports, or the network, doubles them",
    ),
    Mode("incast", "congestion", "workload", 8, "queues are full and senders are told so: congestion control at work"),
    Mode("capdrop", "capture", "capture", 9, "the capture lost packets itself"),
)
