"""From findings to a verdict: each of the answers that the tool may give, and the ones it must not."""

from dataclasses import replace
from datetime import timedelta

import pytest

from badhop.localise import DETECTORS, MODES, Facts, Finding, Tap, Verdict, decide

TAP = Tap(
    source="tor.pcap",
    packets=10_000,
    roce_packets=9_000,
    reliable_requests=7_000,
    unreliable_requests=0,
    answers=2_000,
    followed=9_000,
    one_way_qps=0,
    unseen=0,
    unseen_share=0.0,
    reported_drops=None,
    cut_packets=0,
    pause_frames=0,
    damaged=False,
)


def found(detector: str, hop: str, mode: str, strength: float = 20, source: str = "tor.pcap") -> Finding:
    row = {
        "hop": hop,
        "mode": mode,
        "strength": strength,
        "source": source,
        "frames": [7, 9],
        "says": f"{mode} at {hop}",
    }
    return Finding(detector, row)


def verdict(*findings: Finding, taps: tuple[Tap, ...] = (TAP,)) -> Verdict:
    return decide(findings, Facts(taps))


SOURCE_SIDE, DESTINATION_SIDE = "side:source@tor.pcap", "side:destination@tor.pcap"


@pytest.mark.parametrize("side", [SOURCE_SIDE, DESTINATION_SIDE])
def test_many_losses_on_one_side_name_that_side_and_no_more(side: str) -> None:
    got = verdict(found("psn-split", side, "graydrop"))
    assert (got.verdict, [hop.id for hop in got.hops]) == ("side-only", [side])
    assert got.probability > 0.95
    assert got.evidence[0].frames == (7, 9)
    assert got.hops[0].kind == "side"
    assert len(got.next) == 2


def test_one_loss_is_less_sure_than_five() -> None:
    one, five = (verdict(found("psn-split", SOURCE_SIDE, "graydrop", n)).probability for n in (1, 5))
    assert one < five


def test_a_capture_that_drops_cannot_be_sure_of_losses_before_it() -> None:
    leaky = replace(TAP, unseen=500, unseen_share=0.15)
    sound = verdict(found("psn-split", SOURCE_SIDE, "graydrop", 2)).probability
    before = verdict(found("psn-split", SOURCE_SIDE, "graydrop", 1), taps=(leaky,))
    after = verdict(found("psn-split", DESTINATION_SIDE, "graydrop", 2), taps=(leaky,)).probability
    assert before.probability < 0.95 < sound
    assert after == sound, "a drop of the capture never makes a loss look like one after the tap"


def test_a_few_contradicting_episodes_do_not_shake_many() -> None:
    got = verdict(found("psn-split", SOURCE_SIDE, "graydrop", 10), found("psn-split", DESTINATION_SIDE, "graydrop", 2))
    assert [hop.id for hop in got.hops] == [SOURCE_SIDE]
    assert [rival.id for rival in got.rivals] == [DESTINATION_SIDE]


def test_losses_on_both_sides_in_equal_numbers_are_not_blamed_on_one() -> None:
    got = verdict(found("psn-split", SOURCE_SIDE, "graydrop", 9), found("psn-split", DESTINATION_SIDE, "graydrop", 8))
    assert {hop.id for hop in got.hops} == {SOURCE_SIDE, DESTINATION_SIDE}


def test_two_taps_that_disagree_have_the_fault_between_them() -> None:
    taps = (replace(TAP, source="a.pcap"), replace(TAP, source="b.pcap"))
    got = verdict(
        found("psn-split", "side:destination@a.pcap", "graydrop", source="a.pcap"),
        found("psn-split", "side:source@b.pcap", "graydrop", source="b.pcap"),
        taps=taps,
    )
    assert got.headline.startswith("Between the taps a.pcap and b.pcap")
    assert {hop.id for hop in got.hops} == {"side:destination@a.pcap", "side:source@b.pcap"}


@pytest.mark.parametrize(
    ("detector", "hop", "mode", "word"),
    [
        ("reorder", SOURCE_SIDE, "reorder", "side-only"),
        ("receiver-not-ready", "192.0.2.2/proc", "slow", "likely"),
        ("fatal-nak", "192.0.2.1/proc", "mismatch", "likely"),
        ("short-timer", "config:ack-timeout@192.0.2.1", "timer", "likely"),
        ("pause", "mac:02:00:00:00:00:01", "slowrx", "suspect"),
        ("duplicate", SOURCE_SIDE, "duplicate", "suspect"),
        ("silent-loss", SOURCE_SIDE, "graydrop", "suspect"),
        ("ecn", SOURCE_SIDE, "incast", "workload"),
        ("capture-drop", "capture:tor.pcap", "capdrop", "capture"),
        ("icrc", SOURCE_SIDE, "corrupt", "side-only"),
    ],
)
def test_what_only_looks_like_loss_gets_its_own_name(detector: str, hop: str, mode: str, word: str) -> None:
    got = verdict(found(detector, hop, mode, 1000))
    assert (got.verdict, [(h.id, h.mode) for h in got.hops]) == (word, [(hop, mode)])


def test_a_proven_fault_is_told_before_the_congestion_and_the_drops_beside_it() -> None:
    got = verdict(
        found("ecn", SOURCE_SIDE, "incast", 1000),
        found("capture-drop", "capture:tor.pcap", "capdrop", 1000),
        found("psn-split", DESTINATION_SIDE, "graydrop"),
    )
    assert [hop.id for hop in got.hops] == [DESTINATION_SIDE]
    assert {rival.mode for rival in got.rivals} == {"incast", "capdrop"}


def test_nothing_found_in_many_packets_is_healthy_with_the_rate_that_would_have_shown() -> None:
    got = verdict()
    assert (got.verdict, got.hops) == ("healthy", ())
    assert "0.00033" in got.headline


def test_a_healthy_verdict_names_the_silence_that_it_cannot_explain() -> None:
    got = verdict(taps=(replace(TAP, longest_silence=timedelta(seconds=1.07)),))
    assert got.verdict == "healthy"
    assert any("silent for 1.1 s" in missing for missing in got.missing)
    assert not any("silent" in missing for missing in verdict().missing)
    assert got.probability < verdict().probability < 1


def test_resends_that_nobody_can_place_are_named_and_not_called_nothing() -> None:
    got = verdict(taps=(replace(TAP, unplaced=3),))
    assert got.verdict == "healthy"
    assert got.headline.startswith("No loss is proven in 9000 RDMA packets")
    assert any("3 resends by timer" in missing for missing in got.missing)
    assert got.probability < verdict().probability


@pytest.mark.parametrize(
    ("tap", "reason"),
    [
        (replace(TAP, roce_packets=0, reliable_requests=0, answers=0), "no RDMA packet"),
        (replace(TAP, answers=0), "one direction"),
        (replace(TAP, reliable_requests=0, answers=0, unreliable_requests=9_000), "unreliable"),
        (replace(TAP, unseen=4_000, unseen_share=0.4), "lost about 40%"),
        (replace(TAP, reliable_requests=6, answers=2, followed=8), "too few"),
        (replace(TAP, followed=0), "which requests it belongs to"),
    ],
)
def test_silence_of_a_capture_that_could_not_have_shown_it_is_no_clean_bill(tap: Tap, reason: str) -> None:
    got = verdict(taps=(tap,))
    assert got.verdict == "cannot-tell"
    assert reason in got.headline
    assert got.next


def test_no_capture_at_all_cannot_tell() -> None:
    assert decide((), Facts(())).verdict == "cannot-tell"


def test_a_detector_without_a_weight_is_an_error_and_no_silence() -> None:
    with pytest.raises(KeyError):
        verdict(found("astrology", SOURCE_SIDE, "graydrop"))


@pytest.mark.parametrize("detector", DETECTORS.values(), ids=lambda detector: detector.name)
def test_every_weight_is_a_likelihood_ratio_with_an_origin(detector: object) -> None:
    assert isinstance(detector, type(DETECTORS["psn-split"]))
    assert 0 < detector.leak < detector.sensitivity < 1
    assert detector.db(0) == 0
    assert 0 < detector.db(detector.full_at / 2) < detector.db(detector.full_at) == detector.db(1e9)
    assert detector.origin


def test_the_design_table_of_weights_is_met() -> None:
    assert DETECTORS["psn-split"].db(5) == pytest.approx(20, abs=0.1)
    assert DETECTORS["icrc"].db(2) == pytest.approx(28, abs=0.3)
    assert DETECTORS["pause"].db(50) == pytest.approx(15, abs=0.5)
    assert DETECTORS["ecn"].db(10) == pytest.approx(12, abs=0.5)


def test_every_mode_leads_to_a_measurement() -> None:
    from badhop.localise.measurements import after

    for mode in MODES.values():
        assert after(mode.question)
