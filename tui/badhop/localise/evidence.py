"""Findings of playbook steps, weighed: each becomes one piece of evidence for one hop and mode."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log10, sqrt

from badhop.localise.detectors import DETECTORS
from badhop.localise.facts import Facts, Segment
from badhop.localise.places import AFTER, BEFORE, between
from badhop.localise.verdict import Evidence

SAME_FAMILY = 0.3
"""Weight of all but the best piece of evidence from one capture for one hop: such pieces share their errors."""

MISLABELLED = 0.25
"""Share below which the smaller of two sides of one tap is taken for mislabelled episodes of the larger, and not for a
second fault. On the counted Soft-RoCE drops at most 2 of 12 episodes at one tap were mislabelled."""


LOSS_THAT_MATTERS = 0.02
"""Share of packets that a fault worth a call at night loses; who says that nothing was lost must have seen enough."""

_MISTAKEN_FOR_DROPS = ("psn-split", "ack-gap", "silent-loss")
"""Detectors to which a packet that the capture lost looks like one that was lost before it."""


@dataclass(frozen=True)
class Finding:
    """One row of a playbook step that names a detector.

    The row carries `hop`, `mode`, `strength` (number of independent pieces), `source`, `frames`, `says`.
    """

    detector: str
    row: Mapping[str, object]

    @property
    def hop(self) -> str:
        return str(self.row["hop"])

    @property
    def mode(self) -> str:
        return str(self.row["mode"])

    @property
    def source(self) -> str:
        return str(self.row["source"])

    @property
    def strength(self) -> float:
        value = self.row["strength"]
        return float(value) if isinstance(value, int | float) else 0.0

    @property
    def frames(self) -> tuple[int, ...]:
        value = self.row.get("frames")
        return tuple(int(frame) for frame in value if frame is not None) if isinstance(value, Iterable) else ()

    @property
    def ways(self) -> tuple[tuple[str, str], ...]:
        """Sender and receiver of the packets that it is about, where the row has a column `ways` that says so."""
        value = self.row.get("ways")
        pairs = [str(way).partition(">") for way in value] if isinstance(value, Iterable) else []
        return tuple((sender, receiver) for sender, _, receiver in pairs)


def weigh(findings: Sequence[Finding], facts: Facts) -> tuple[Evidence, ...]:
    """Every finding as evidence, heaviest first; a way between two taps that lost nothing is evidence against it.

    Raises `KeyError` for a detector that has no weight.
    """
    strengths = _without_mislabelled(findings)
    evidence = [
        Evidence(
            finding.detector,
            round(_db(finding, strength, facts), 1),
            finding.hop,
            finding.mode,
            str(finding.row["says"]),
            finding.source,
            finding.frames,
            finding.ways,
        )
        for finding, strength in zip(findings, strengths, strict=True)
    ]
    evidence += [_clear(segment) for segment in facts.segments if not segment.lost + segment.damaged]
    return tuple(sorted(evidence, key=lambda piece: -abs(piece.db)))


def combine(pieces: Sequence[Evidence]) -> float:
    """Weight in dB of several pieces for one hop.

    Of each capture the best for it and the best against it count in full, its others with `SAME_FAMILY`. What was lost
    between two captures is the word of the second one: its own drops could look the same.
    """
    families: dict[str, list[float]] = defaultdict(list)
    for piece in pieces:
        tap_b = piece.hop.rpartition("->")[2].removesuffix(AFTER)
        families[tap_b if piece.detector == "segment-loss" else piece.source].append(piece.db)
    return sum(map(_of_one_capture, families.values()))


def _of_one_capture(family: Sequence[float]) -> float:
    best = max(0.0, *family) + min(0.0, *family)
    return best + SAME_FAMILY * (sum(family) - best)


def _clear(segment: Segment) -> Evidence:
    """Nothing was lost between two taps: evidence against that place, as far as a fault would have had to show."""
    shown = 1 - (1 - LOSS_THAT_MATTERS) ** min(segment.matched, 10_000)
    compared = "" if segment.one_of == 1 else f" (one of {segment.one_of} was compared)"
    says = (
        f"all {segment.matched} RDMA packets{compared} that passed {segment.tap_a} on their way to {segment.tap_b} came"
        " by there: nothing was lost in between"
    )
    return Evidence(
        "segment-clear",
        round(DETECTORS["segment-loss"].silent_db(shown), 1),
        between(segment.tap_a, segment.tap_b),
        "graydrop",
        says,
        segment.tap_a.removesuffix(BEFORE),
    )


def _db(finding: Finding, strength: float, facts: Facts) -> float:
    db = DETECTORS[finding.detector].db(strength)
    tap = facts.tap(finding.source)
    if finding.detector == "segment-loss":
        tap = facts.tap(str(finding.row.get("tap_b")))
        return min(db, 10 * log10(1 / tap.drop_share) * sqrt(max(strength, 0.0))) if tap else db
    if finding.detector in _MISTAKEN_FOR_DROPS and finding.hop.startswith("side:source@") and tap is not None:
        # Mirror loss comes in bursts, hence the root and not the count itself.
        db = min(db, 10 * log10(1 / tap.drop_share) * sqrt(max(strength, 0.0)))
    return db


def _without_mislabelled(findings: Sequence[Finding]) -> list[float]:
    """Strengths, with the few episodes that contradict the many of the same tap discounted by the odds."""
    total: dict[tuple[str, str], float] = defaultdict(float)
    for finding in findings:
        if finding.detector == "psn-split":
            total[finding.source, finding.hop] += finding.strength
    strengths = []
    for finding in findings:
        strength = finding.strength
        if finding.detector == "psn-split":
            own = total[finding.source, finding.hop]
            most = max(value for (source, _), value in total.items() if source == finding.source)
            if own < most and own < MISLABELLED * (own + most):
                strength *= own / most
        strengths.append(strength)
    return strengths
