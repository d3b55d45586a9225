"""From weighed evidence to one verdict, or to the sentence that none can be given.

Each (hop, mode) is compared with "nothing is wrong" and "something else is wrong"; the two sides of one tap, which
exclude each other for one fault, are compared with each other as well. Priors and the share of "something else" are
judgements until the simulator has fitted them.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from badhop.localise import measurements
from badhop.localise.evidence import Finding, combine, weigh
from badhop.localise.facts import Facts, Tap
from badhop.localise.questions import MODES, Mode
from badhop.localise.verdict import Evidence, Hop, Rival, Verdict, Word

PRIOR_FAULT = 0.60
PRIOR_HEALTHY = 0.33
PRIOR_OUTSIDE = 0.07
"""Before any evidence: who opens this playbook mostly has a reason."""

SURE = 0.80
POSSIBLE = 0.50

MOST_SURE = 0.99
"""No verdict of captures alone is surer: their own errors are not independent of what they show."""

LOSS_THAT_MATTERS = 0.02
"""Share of packets that a fault worth a call at night loses; a clean capture must be long enough to have shown it."""


MOST_HEALTHY, MOST_HEALTHY_SILENT = 0.98, 0.90
"""However long it is, a capture at one point does not see everything; with a silence it cannot explain, even less."""

SILENCE = timedelta(milliseconds=60)
"""Silence from which on a whole window may have been lost and sent again: the usual timeouts begin at 67 ms."""


@dataclass(frozen=True)
class Hypothesis:
    """One hop with one mode, its evidence, and its probability."""

    hop: str
    mode: Mode
    evidence: tuple[Evidence, ...]
    db: float
    probability: float

    @property
    def tier(self) -> Word | None:
        """The verdict that it earns; None when it is less than possible."""
        if self.probability >= SURE:
            return self.mode.tier
        return "suspect" if self.probability >= POSSIBLE else None


def decide(findings: Sequence[Finding], facts: Facts) -> Verdict:
    """The verdict on the rows that the detectors found, given what the captures can testify to.

    Raises `KeyError` for a detector or a mode that is not declared.
    """
    evidence = weigh(findings, facts)
    hypotheses = sorted(_hypotheses(evidence), key=_rank)
    told = [hypothesis for hypothesis in hypotheses if hypothesis.tier is not None]
    if not told or (word := told[0].tier) is None:
        return _clean(facts, evidence, hypotheses)
    top = told[0]
    same = [hypothesis for hypothesis in told if hypothesis.mode.question == top.mode.question]
    hops = tuple(_hop(hypothesis) for hypothesis in same)
    unanswered = top.evidence[0].detector == "no-answer"
    return Verdict(
        verdict=word,
        probability=top.probability,
        headline=_headline(top, same),
        hops=hops,
        evidence=_supporting(evidence, same),
        rivals=tuple(_rivals(hypotheses, same)),
        missing=_missing(facts, top),
        next=measurements.after(top.mode.question, unanswered=unanswered),
    )


def _hypotheses(evidence: Sequence[Evidence]) -> Iterable[Hypothesis]:
    by_place: dict[tuple[str, str], list[Evidence]] = defaultdict(list)
    for piece in evidence:
        by_place[piece.hop, MODES[piece.mode].question].append(piece)
    weight = {place: combine(pieces) for place, pieces in by_place.items()}
    for (hop, question), pieces in by_place.items():
        other = weight.get((_other_side(hop), question))
        fault = PRIOR_FAULT * 10 ** (weight[hop, question] / 10)
        rest = PRIOR_HEALTHY + PRIOR_OUTSIDE
        if other is not None and other > weight[hop, question]:
            rest += PRIOR_FAULT * 10 ** (other / 10)
        mode = min((MODES[piece.mode] for piece in pieces), key=lambda mode: mode.first)
        probability = round(min(fault / (fault + rest), MOST_SURE), 3)
        yield Hypothesis(hop, mode, tuple(pieces), weight[hop, question], probability)


def _other_side(hop: str) -> str:
    for side, other in (("side:source@", "side:destination@"), ("side:destination@", "side:source@")):
        if hop.startswith(side):
            return other + hop.removeprefix(side)
    return ""


def _rank(hypothesis: Hypothesis) -> tuple[bool, bool, int, float, str]:
    # What is sure before what is suspected, a fault before congestion or the capture, then in the order of MODES.
    sure = hypothesis.probability >= SURE
    return (not sure, hypothesis.mode.tier == "capture", hypothesis.mode.first, -hypothesis.db, hypothesis.hop)


def _hop(hypothesis: Hypothesis) -> Hop:
    kind, separator, _ = hypothesis.hop.partition(":")
    if not separator or "/" in kind:
        kind = hypothesis.hop.rpartition("/")[2] if "/" in hypothesis.hop else "hop"
    return Hop(hypothesis.hop, kind, hypothesis.mode.name, hypothesis.probability)


def _headline(top: Hypothesis, same: Sequence[Hypothesis]) -> str:
    before = [h.hop.removeprefix("side:source@") for h in same if h.hop.startswith("side:source@")]
    after = [h.hop.removeprefix("side:destination@") for h in same if h.hop.startswith("side:destination@")]
    says = top.evidence[0].says
    if before and after and not set(before) & set(after):
        return f"Between the taps {', '.join(sorted(after))} and {', '.join(sorted(before))}: {says}"
    return says


def _supporting(evidence: Sequence[Evidence], same: Sequence[Hypothesis]) -> tuple[Evidence, ...]:
    named = {hypothesis.hop for hypothesis in same}
    return tuple(sorted(evidence, key=lambda piece: (piece.hop not in named, -piece.db)))


def _rivals(hypotheses: Sequence[Hypothesis], same: Sequence[Hypothesis]) -> Iterable[Rival]:
    for hypothesis in hypotheses:
        if hypothesis in same:
            continue
        because = f"{hypothesis.mode.means}; {hypothesis.db:.0f} dB speak for it"
        yield Rival(hypothesis.hop, hypothesis.mode.name, hypothesis.probability, because)


def _clean(facts: Facts, evidence: tuple[Evidence, ...], hypotheses: Sequence[Hypothesis]) -> Verdict:
    """No hypothesis stands: healthy if the captures would have shown a fault, else it cannot be told."""
    reasons = [reason for tap in facts.taps if (reason := _why_not(tap))]
    able = [tap for tap in facts.taps if not _why_not(tap)]
    checked = sum(tap.followed for tap in able)
    silent = any(_silent(tap) or tap.unplaced for tap in able)
    shown = 1 / (1 + (1 - LOSS_THAT_MATTERS) ** min(checked, 10_000))
    probability = round(min(shown, MOST_HEALTHY_SILENT if silent else MOST_HEALTHY), 3)
    rivals = tuple(_rivals(hypotheses, ()))
    missing = _missing(facts, None)
    if able and probability >= SURE:
        proven = "No loss is proven" if any(tap.unplaced for tap in able) else "Nothing was lost, reordered or refused"
        says = f"{proven} in {checked} RDMA packets that were followed to their answer"
        bound = f"a loss rate above {3 / checked:.2g} would have shown (95 %)"
        return Verdict("healthy", probability, f"{says}; {bound}.", (), evidence, rivals, missing)
    if able:
        reasons.append(f"only {checked} RDMA packets were followed to their answer: too few to call it healthy")
    says = "; ".join(reasons) if reasons else "no capture was read"
    next_ = (measurements.CAPTURE, measurements.RDMA_COUNTERS)
    return Verdict("cannot-tell", probability if able else 0.5, f"{says}.", (), evidence, rivals, missing, next_)


def _why_not(tap: Tap) -> str | None:
    """Why silence of this capture is no clean bill; `None` when it is one."""
    name = tap.source
    if tap.roce_packets == 0:
        return f"{name} holds no RDMA packet"
    if tap.reliable_requests + tap.answers == 0:
        return f"{name} holds only unreliable RDMA traffic (UD, UC), whose loss is silent"
    if tap.reliable_requests == 0 or tap.answers == 0:
        return f"{name} holds only one direction of the reliable queue pairs"
    if tap.followed == 0:
        return f"{name}: no answer could be told which requests it belongs to"
    if tap.drop_share >= 0.2:
        return f"{name} lost about {tap.drop_share:.0%} of the packets itself"
    return None


def _silent(tap: Tap) -> bool:
    return tap.longest_silence is not None and tap.longest_silence >= SILENCE


def _missing(facts: Facts, top: Hypothesis | None) -> tuple[str, ...]:
    missing = []
    if top is not None and top.mode.question in ("loss", "reorder"):
        missing.append("which hop on that side: no port or NIC counters, no topology")
        if len(facts.taps) == 1:
            missing.append("a second tap on the same path")
    for tap in facts.taps:
        if tap.cut_packets:
            missing.append(
                f"{tap.source}: {tap.cut_packets} packets were stored short, so their ICRC could not be checked"
            )
        if tap.one_way_qps:
            missing.append(f"{tap.source}: {tap.one_way_qps} queue pair directions without their other half")
        if tap.unreliable_requests:
            missing.append(
                f"{tap.source}: {tap.unreliable_requests} unreliable packets, whose loss after the tap is silent"
            )
        if top is None and tap.longest_silence is not None and _silent(tap):
            silence = f"a queue pair was silent for {tap.longest_silence.total_seconds():.2g} s"
            missing.append(f"{tap.source}: {silence}: idle, or all it sent was lost before the tap")
        if top is None and tap.unplaced:
            missing.append(f"{tap.source}: {tap.unplaced} resends by timer, for which this tap can blame no side")
        if tap.damaged:
            missing.append(f"{tap.source}: the file is damaged; what could not be read is not judged")
        if not tap.pause_frames:
            missing.append(f"{tap.source}: no pause frame was captured; a host's NIC never shows them")
    return tuple(missing)
