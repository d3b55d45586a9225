"""The explanations that the evidence leaves: each a place and a mode, with what speaks for it, and how likely it is.

Each is compared with "nothing is wrong" and "something else is wrong", with the places that explain part of the same
evidence, and with the other side of the same taps, for one fault has one side. Places are taken one after another, the
one that explains most first; what it explains is no evidence for a second fault (localisation.md 3.4).
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from badhop.localise.detectors import DETECTORS
from badhop.localise.evidence import combine
from badhop.localise.facts import Facts
from badhop.localise.places import BEFORE, between, other_side
from badhop.localise.questions import MODES, Mode
from badhop.localise.verdict import Evidence, Word

PRIOR_FAULT = 0.60
PRIOR_HEALTHY = 0.33
PRIOR_OUTSIDE = 0.07
"""Before any evidence: who opens this playbook mostly has a reason. All priors are judgements until the simulator has
fitted them."""

SURE = 0.80
POSSIBLE = 0.50
PROVEN = 0.95
"""Probabilities from which on a word may be said (localisation.md 3.3)."""

MOST_SURE = 0.99
"""No verdict of captures alone is surer: their own errors are not independent of what they show."""

LARGEST_CLASS = 4
"""More hops that cannot be told apart are no answer (localisation.md 3.3): the place keeps the names of its taps."""

_HEAVIEST = 1000.0
"""dB; more is no surer and would overflow."""


@dataclass(frozen=True)
class Hypothesis:
    """One hop with one mode, its evidence, and its probability. `pair` are the taps that it lies between."""

    hop: str
    mode: Mode
    evidence: tuple[Evidence, ...]
    db: float
    probability: float
    pair: tuple[str, str] | None = None
    equivalents: tuple[str, ...] = ()
    seen: bool = True
    """False where nothing but the word of one capture says it, which may have lost the packets itself."""
    witnessed: bool = False
    """Whether sound captures on both sides of it saw it happen, often enough to end the argument."""

    @property
    def divisible(self) -> bool:
        """Whether a tap can stand within it: it lies between two, and is more than one link or switch."""
        if self.pair is None or self.pair[0].endswith(BEFORE):
            return False
        return bool(self.equivalents) or self.hop == between(*self.pair)

    @property
    def tier(self) -> Word | None:
        """The verdict that it earns; None when it is less than possible."""
        if self.probability < SURE:
            return "suspect" if self.probability >= POSSIBLE else None
        if self.pair is None or self.mode.tier != "side-only":
            return self.mode.tier
        if not self.seen:
            return "suspect"
        return "proven" if self.witnessed and self.probability >= PROVEN and not self.equivalents else "likely"


def hypotheses(evidence: Sequence[Evidence], facts: Facts) -> Iterator[Hypothesis]:
    """Every explanation, those of one question one after another."""
    by_question: dict[str, list[Evidence]] = defaultdict(list)
    for piece in evidence:
        by_question[MODES[piece.mode].question].append(piece)
    for pieces in by_question.values():
        yield from _Question(pieces, facts).explanations()


def named(hop: str, facts: Facts) -> tuple[str, tuple[str, ...]]:
    """The hop as a map of the fabric calls it, and those that cannot be told from it; as it is where there is none."""
    pair = facts.places.pairs.get(hop)
    hops = facts.fabric.between(*pair) if facts.fabric is not None and pair is not None else ()
    return (hops[0], hops[1:]) if 1 <= len(hops) <= LARGEST_CLASS else (hop, ())


class _Question:
    """The evidence about one question, and what of it is not explained yet."""

    def __init__(self, pieces: Sequence[Evidence], facts: Facts) -> None:
        self._facts = facts
        self._all = [piece for piece in pieces if piece.db >= 0]
        self._scopes = [facts.places.scope(piece) for piece in self._all]
        self._left: dict[str, list[int]] = defaultdict(list)
        for number, scope in enumerate(self._scopes):
            for place in scope:
                self._left[place].append(number)
        self._against: dict[str, list[Evidence]] = defaultdict(list)
        for piece in pieces:
            if piece.db < 0:
                self._against[piece.hop].append(piece)
        self._weights = {place: self._weight(place) for place in self._left}

    def explanations(self) -> Iterator[Hypothesis]:
        while self._weights:
            place, same = self._strongest()
            yield self._explanation(place, same)
            explained = [n for n in self._left[min(same)] if same <= self._scopes[n]]
            touched = {place for number in explained for place in self._scopes[number]}
            for changed in touched:
                self._left[changed] = [n for n in self._left[changed] if n not in explained]
                self._weights[changed] = self._weight(changed)
                if not self._left[changed]:
                    del self._weights[changed]

    def _weight(self, place: str, among: Sequence[int] | None = None) -> float:
        """What is left that speaks for a place, or what of some pieces does, with what speaks against it."""
        numbers = self._left[place] if among is None else [n for n in among if place in self._scopes[n]]
        return combine([*(self._all[n] for n in numbers), *self._against[place]])

    def _strongest(self) -> tuple[str, frozenset[str]]:
        """The place to explain the evidence with next, and all places about which there is just the same evidence.

        Where packets were seen to be lost comes first, then what explains most. Of places that are not told apart the
        name is the narrowest side of a tap that holds them all.
        """
        best = min(self._weights, key=lambda place: (not self._watched(place), -self._weights[place], place))
        supporters = self._left[best]
        same = frozenset(
            place for place in self._weights if self._left[place] == supporters and self._against[place] == []
        )
        if best not in same or len(same) == 1:
            return best, frozenset({best})
        return min((len(self._scopes[n]), self._all[n].hop) for n in supporters)[1], same

    def _watched(self, place: str) -> bool:
        return any(_decides(self._all[n]) for n in self._left[place])

    def _explanation(self, place: str, same: frozenset[str]) -> Hypothesis:
        numbers = [n for n in self._left[min(same)] if same <= self._scopes[n]]
        pieces = [self._all[n] for n in numbers]
        weight = max(self._weights[one] for one in same)
        witnesses = [piece for piece in pieces if piece.detector == "segment-loss"]
        rest = PRIOR_HEALTHY + PRIOR_OUTSIDE
        partly = {one for n in numbers for one in self._scopes[n]} - same
        rest += sum(_mass(self._weight(one, among=numbers)) for one in partly)
        if not witnesses:
            opposing = self._opposing(pieces)
            rest += _mass(opposing) if opposing > combine(pieces) else 0.0
        probability = round(min(_mass(weight) / (_mass(weight) + rest), MOST_SURE), 3)
        hop, equivalents = named(place, self._facts)
        pair = self._facts.places.pairs.get(place)
        judged = pair is not None and self._facts.judged(*pair)
        often = any(map(_decides, witnesses))
        return Hypothesis(
            hop,
            min((MODES[piece.mode] for piece in pieces), key=lambda mode: mode.first),
            (*pieces, *self._against[place]),
            weight,
            probability,
            pair,
            equivalents,
            any(map(_seen, pieces)),
            judged and often,
        )

    def _opposing(self, pieces: Sequence[Evidence]) -> float:
        """What the same taps say of their other sides: mislabelled episodes are the smaller part of one fault."""
        sides = {other_side(piece.hop) for piece in pieces} - {""}
        return combine([piece for piece in self._all if piece.hop in sides])


def _seen(piece: Evidence) -> bool:
    """Whether it says more than that one capture misses packets: a receiver or a third capture misses one, too."""
    if piece.detector == "silent-loss":
        return False
    detector = DETECTORS["segment-loss"]
    return piece.detector != detector.name or piece.db >= round(detector.db(1), 1)


def _decides(piece: Evidence) -> bool:
    """Packets were seen before a place and not behind it, as often as it takes."""
    detector = DETECTORS["segment-loss"]
    return piece.detector == detector.name and piece.db >= round(detector.db(detector.full_at), 1)


def _mass(db: float) -> float:
    return PRIOR_FAULT * float(10 ** (min(db, _HEAVIEST) / 10))


def hops_of(found: Sequence[Hypothesis]) -> Mapping[int, str]:
    """By identity of a piece of evidence the hop of the explanation that it speaks for."""
    return {id(piece): hypothesis.hop for hypothesis in found for piece in hypothesis.evidence}
