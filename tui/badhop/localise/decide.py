"""From weighed evidence to one verdict, or to the sentence that none can be given."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import timedelta

from badhop.localise import measurements
from badhop.localise.evidence import LOSS_THAT_MATTERS, Finding, weigh
from badhop.localise.facts import Facts, Tap
from badhop.localise.hypotheses import SURE, Hypothesis, hops_of, hypotheses, named
from badhop.localise.verdict import Evidence, Hop, Rival, Verdict

MOST_HEALTHY, MOST_HEALTHY_SILENT = 0.98, 0.90
"""However long it is, a capture at one point does not see everything; with a silence it cannot explain, even less."""

SILENCE = timedelta(milliseconds=60)
"""Silence from which on a whole window may have been lost and sent again: the usual timeouts begin at 67 ms."""


def decide(findings: Sequence[Finding], facts: Facts) -> Verdict:
    """The verdict on the rows that the detectors found, given what the captures can testify to.

    Raises `KeyError` for a detector or a mode that is not declared.
    """
    weighed = weigh(findings, facts)
    explanations = sorted(hypotheses(weighed, facts), key=_rank)
    hop_of = hops_of(explanations)
    # Each piece under the hop that it speaks for: a side of one tap may be a place between two.
    evidence = tuple(replace(piece, hop=hop_of.get(id(piece)) or named(piece.hop, facts)[0]) for piece in weighed)
    told = [hypothesis for hypothesis in explanations if hypothesis.tier is not None]
    if not told or (word := told[0].tier) is None:
        return _clean(facts, evidence, explanations)
    top = told[0]
    same = [hypothesis for hypothesis in told if _told_with(top, hypothesis)]
    hops = tuple(_hop(hypothesis) for hypothesis in same)
    unanswered = top.evidence[0].detector == "no-answer"
    return Verdict(
        verdict=word,
        probability=top.probability,
        headline=_headline(top, same, compared=bool(facts.places.orders)),
        hops=hops,
        evidence=_supporting(evidence, same),
        rivals=tuple(_rivals(explanations, same)),
        missing=_missing(facts, top),
        next=measurements.between(divisible=top.divisible)
        if top.pair is not None
        else measurements.after(top.mode.question, unanswered=unanswered),
    )


def _told_with(top: Hypothesis, other: Hypothesis) -> bool:
    """Whether it is named beside the first: not a mere suspicion between two taps beside what is sure."""
    if other is top or other.mode.question != top.mode.question:
        return other is top
    return other.pair is None or top.probability < SURE or (other.seen and other.probability >= SURE)


def _rank(hypothesis: Hypothesis) -> tuple[bool, bool, int, float, str]:
    # What is sure before what is suspected, a fault before congestion or the capture, then in the order of MODES.
    sure = hypothesis.probability >= SURE
    return (not sure, hypothesis.mode.tier == "capture", hypothesis.mode.first, -hypothesis.db, hypothesis.hop)


def _hop(hypothesis: Hypothesis) -> Hop:
    hop, mode = hypothesis.hop, hypothesis.mode.name
    return Hop(hop, _kind(hypothesis), mode, hypothesis.probability, hypothesis.equivalents)


def _kind(hypothesis: Hypothesis) -> str:
    hop = hypothesis.hop
    kind, separator, _ = hop.partition(":")
    if separator and "/" not in kind:
        return kind
    if hypothesis.pair is not None:  # a map of the fabric has named what lies between two taps
        return "link" if "->" in hop else "switch"
    return hop.rpartition("/")[2] if "/" in hop else "hop"


def _headline(top: Hypothesis, same: Sequence[Hypothesis], *, compared: bool) -> str:
    before = [h.hop.removeprefix("side:source@") for h in same if h.hop.startswith("side:source@")]
    after = [h.hop.removeprefix("side:destination@") for h in same if h.hop.startswith("side:destination@")]
    direct = [piece for piece in top.evidence if piece.hop == top.hop or piece.detector == "segment-loss"]
    says = (direct or top.evidence)[0].says
    if top.pair is not None and not direct:
        return f"Between the taps {top.pair[0]} and {top.pair[1]}: {says}"
    if not compared and before and after and not set(before) & set(after):
        return f"Between the taps {', '.join(sorted(after))} and {', '.join(sorted(before))}: {says}"
    return says


def _supporting(evidence: Sequence[Evidence], same: Sequence[Hypothesis]) -> tuple[Evidence, ...]:
    named = {hypothesis.hop for hypothesis in same}
    return tuple(sorted(evidence, key=lambda piece: (piece.hop not in named, -piece.db)))


def _rivals(explanations: Sequence[Hypothesis], same: Sequence[Hypothesis]) -> Iterable[Rival]:
    for hypothesis in explanations:
        if hypothesis in same:
            continue
        because = f"{hypothesis.mode.means}; {hypothesis.db:.0f} dB speak for it"
        yield Rival(hypothesis.hop, hypothesis.mode.name, hypothesis.probability, because)


def _clean(facts: Facts, evidence: tuple[Evidence, ...], explanations: Sequence[Hypothesis]) -> Verdict:
    """No hypothesis stands: healthy if the captures would have shown a fault, else it cannot be told."""
    reasons = [reason for tap in facts.taps if (reason := _why_not(tap))]
    able = [tap for tap in facts.taps if not _why_not(tap)]
    checked = sum(tap.followed for tap in able)
    silent = any(_silent(tap) or tap.unplaced for tap in able)
    shown = 1 / (1 + (1 - LOSS_THAT_MATTERS) ** min(checked, 10_000))
    probability = round(min(shown, MOST_HEALTHY_SILENT if silent else MOST_HEALTHY), 3)
    rivals = tuple(_rivals(explanations, ()))
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
        missing.append(_unknown_part(top))
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


def _unknown_part(top: Hypothesis) -> str:
    """What keeps the verdict from naming one part."""
    if top.pair is None:
        return "which hop on that side: no port or NIC counters, no topology"
    if top.divisible and not top.equivalents:
        return (
            f"which part between {top.pair[0]} and {top.pair[1]}: no port or NIC counters, no topology with both taps"
        )
    return "which port, queue or end of it: no port or NIC counters"
