"""Several captures of one way: what each says of its sides is put together to the place that all of them mean."""

from dataclasses import replace
from typing import Any

import pytest

from badhop.fabric_map import FabricMap
from badhop.localise import Evidence, Facts, Finding, Places, Segment, Tap, Verdict, decide

FORTH, BACK = ("1.0.0.1", "1.0.0.2"), ("1.0.0.2", "1.0.0.1")
NAMES = ("a.pcap", "b.pcap", "c.pcap")
THREE = Places({FORTH: (NAMES,), BACK: (NAMES[::-1],)})
WHOLE = tuple(Segment(*pair, matched=5000) for pair in (("a.pcap", "b.pcap"), ("b.pcap", "c.pcap")))


def sound(name: str) -> Tap:
    """A capture of 9000 RDMA packets, all followed, that lost none itself."""
    none: dict[str, Any] = dict.fromkeys(
        ("unreliable_requests", "one_way_qps", "unseen", "cut_packets", "pause_frames"), 0
    )
    some: dict[str, Any] = {
        "packets": 9999,
        "roce_packets": 9000,
        "reliable_requests": 7000,
        "answers": 2000,
        "followed": 9000,
    }
    return Tap(source=name, **none, **some, unseen_share=0.0, reported_drops=None, damaged=False)


def side(which: str, tap: str, *ways: tuple[str, str], detector: str = "psn-split", strength: float = 9) -> Finding:
    return Finding(
        detector,
        {
            "hop": f"side:{which}@{tap}.pcap",
            "mode": "graydrop",
            "strength": strength,
            "source": f"{tap}.pcap",
            "frames": [7],
            "says": f"{which} of {tap}",
            "ways": [">".join(way) for way in ways],
        },
    )


def between(tap_a: str, tap_b: str, strength: float = 9) -> Finding:
    row = {"hop": f"between:{tap_a}.pcap->{tap_b}.pcap", "mode": "graydrop", "strength": strength, "frames": [3]}
    return Finding(
        "segment-loss", row | {"source": f"{tap_a}.pcap", "tap_b": f"{tap_b}.pcap", "says": "seen, not seen"}
    )


def verdict(
    *findings: Finding,
    places: Places = THREE,
    segments: tuple[Segment, ...] = (),
    fabric: FabricMap | None = None,
) -> Verdict:
    taps = tuple(map(sound, NAMES))
    return decide(findings, Facts(taps, places, segments, fabric))


def hops(got: Verdict) -> list[str]:
    return [hop.id for hop in got.hops]


def test_what_only_the_last_capture_misses_is_a_suspicion_and_no_second_fault() -> None:
    missed = between("b", "c", strength=0.4)
    assert [(hop.id, verdict(missed).verdict) for hop in verdict(missed).hops] == [
        ("between:b.pcap->c.pcap", "suspect")
    ]
    got = verdict(*(side("source", tap, BACK) for tap in "abc"), missed)
    assert hops(got) == ["side:source@c.pcap"]
    assert [rival.id for rival in got.rivals] == ["between:b.pcap->c.pcap"]


LOST_BETWEEN = (side("destination", "a", FORTH), side("source", "b", FORTH), side("source", "c", FORTH))


def test_the_sides_of_all_captures_mean_one_place_and_are_no_rivals() -> None:
    got = verdict(*LOST_BETWEEN)
    assert (got.verdict, hops(got), got.rivals) == ("likely", ["between:a.pcap->b.pcap"], ())
    assert got.headline.startswith("Between the taps a.pcap and b.pcap: ")
    assert {piece.hop for piece in got.evidence} == {"between:a.pcap->b.pcap"}


def test_packets_that_one_has_and_the_next_has_not_prove_it_where_both_are_sound() -> None:
    judged = Segment("a.pcap", "b.pcap", matched=900, lost=9)
    got = verdict(*LOST_BETWEEN, between("a", "b"), segments=(judged,))
    assert (got.verdict, hops(got), got.headline) == ("proven", ["between:a.pcap->b.pcap"], "seen, not seen")
    assert verdict(*LOST_BETWEEN, between("a", "b")).verdict == "likely", "a capture that drops proves nothing"
    assert verdict(between("a", "b", strength=0.5)).verdict == "suspect"


@pytest.mark.parametrize(
    ("findings", "hop"),
    [
        ([side("source", tap, FORTH) for tap in "abc"], "side:source@a.pcap"),
        ([side("destination", tap, FORTH) for tap in "abc"], "side:destination@c.pcap"),
        ([side("source", tap, BACK) for tap in "abc"], "side:source@c.pcap"),
        ([side("destination", tap, BACK) for tap in "abc"], "side:destination@a.pcap"),
    ],
)
def test_before_the_first_and_behind_the_last_capture_it_stays_a_side(findings: list[Finding], hop: str) -> None:
    got = verdict(*findings)
    assert (got.verdict, hops(got)) == ("side-only", [hop])


def test_an_unanswered_request_may_also_have_lost_its_answer_on_the_way_back() -> None:
    unanswered = [side("destination", tap, FORTH, detector="no-answer") for tap in "ab"]
    lost_answers = [side("destination", "c", BACK), side("source", "b", BACK), side("source", "a", BACK)]
    assert hops(verdict(*unanswered, *lost_answers)) == ["between:c.pcap->b.pcap"]
    assert hops(verdict(*unanswered)) == ["side:destination@b.pcap"], "the narrowest that holds both"


def test_where_no_direction_is_known_the_captures_together_still_tell() -> None:
    assert hops(verdict(*(side(which, tap) for which, tap in (("destination", "a"), ("source", "b"))))) == [
        "between:a.pcap->b.pcap"
    ]


def test_a_capture_of_another_way_is_not_drawn_in() -> None:
    elsewhere = side("source", "c", ("9.9.9.9", "9.9.9.8"))
    got = verdict(side("destination", "a", FORTH), side("source", "b", FORTH), elsewhere)
    assert set(hops(got)) == {"between:a.pcap->b.pcap", "side:source@c.pcap"}


def test_a_second_fault_that_the_first_does_not_explain_is_named_too() -> None:
    before = [side("source", tap, FORTH) for tap in "abc"]
    assert set(hops(verdict(*before, side("destination", "a", FORTH), between("b", "c")))) == {
        "between:b.pcap->c.pcap",
        "side:source@a.pcap",
    }


def test_a_few_mislabelled_episodes_of_a_capture_are_no_second_fault() -> None:
    got = verdict(*LOST_BETWEEN, side("destination", "c", FORTH, strength=1))
    assert hops(got) == ["between:a.pcap->b.pcap"]


def test_what_passed_both_captures_whole_clears_the_way_between_them() -> None:
    got = verdict(side("destination", "a", FORTH), segments=WHOLE)
    assert hops(got) == ["side:destination@c.pcap"]
    against = [piece for piece in got.evidence if piece.db < 0]
    assert {piece.hop for piece in against} == {"between:a.pcap->b.pcap", "between:b.pcap->c.pcap"}
    assert all(-17.1 < piece.db < -16.5 for piece in against)
    assert hops(verdict(side("destination", "a", FORTH))) == ["side:destination@a.pcap"], "else nobody knows"


def test_too_few_packets_clear_nothing_and_lost_or_damaged_ones_never_do() -> None:
    few = Segment("a.pcap", "b.pcap", matched=3)
    (piece,) = verdict(segments=(few,)).evidence
    assert -0.5 < piece.db < 0
    assert verdict(segments=(replace(few, lost=1), replace(few, damaged=1))).evidence == ()


def test_a_clean_bill_stays_one_with_all_that_was_cleared() -> None:
    got = verdict(segments=WHOLE)
    assert (got.verdict, got.hops, got.rivals) == ("healthy", (), ())


MAP = FabricMap(
    (("h1/n0", "leaf1/E1"), ("leaf1/E2", "leaf2/E2"), ("leaf2/E1", "h2/n0")),
    {"a.pcap": "h1/n0", "b.pcap": "leaf1/E1", "c.pcap": "h2/n0"},
    frozenset({"h1", "h2"}),
)


def test_a_map_gives_the_place_its_name() -> None:
    got = verdict(*LOST_BETWEEN, fabric=MAP)
    assert [(hop.id, hop.kind) for hop in got.hops] == [("h1/n0->leaf1/E1", "link")]
    assert {piece.hop for piece in got.evidence} == {"h1/n0->leaf1/E1"}


def test_several_hops_on_the_way_are_a_class_and_never_proven() -> None:
    judged = Segment("b.pcap", "c.pcap", matched=900, lost=9)
    got = verdict(between("b", "c"), segments=(judged,), fabric=MAP)
    (hop,) = got.hops
    assert (got.verdict, hop.id) == ("likely", "leaf1/E2->leaf2/E2")
    assert set(hop.equivalents) == {"leaf2/E1->h2/n0", "leaf1", "leaf2"}


def test_a_large_number_of_captures_does_not_overflow() -> None:
    heavy = [replace(piece, row={**piece.row, "source": f"{n}.pcap"}) for piece in LOST_BETWEEN for n in range(200)]
    assert verdict(*heavy).probability <= 0.99


def test_a_mirror_of_both_directions_is_two_taps_of_one_capture() -> None:
    halves = ("m.pcap#before", "m.pcap#after")
    places = Places({FORTH: (halves,), BACK: (halves,)})

    def scope(hop: str) -> frozenset[str]:
        return places.scope(Evidence("psn-split", 20, hop, "graydrop", "", "m.pcap", ways=(FORTH,)))

    assert scope("side:source@m.pcap") == {"side:source@m.pcap"}
    assert scope("side:destination@m.pcap") == {"between:m.pcap#before->m.pcap#after", "side:destination@m.pcap"}
