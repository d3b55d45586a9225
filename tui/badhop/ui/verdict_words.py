"""What each verdict word claims, in one line under it."""

from collections.abc import Mapping
from types import MappingProxyType

from badhop.localise.verdict import Word

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
